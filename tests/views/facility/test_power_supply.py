"""A site's own supply in an evaluation, and what is told of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.own_or_rent.pod import pod_money
from app.views.facility.power_supply import (
    PowerSupplyReport,
    power_supply_answer,
    power_supply_text,
    supply_csv,
)
from tests.scenarios.support import scenario

PEAK_W = 11_781.0
"""Of the design at the meter, about."""


def evaluated(supply: dict[str, Any] | None = None, **facility: Any) -> EvaluatedScenario:
    stated = facility | ({} if supply is None else {"power_supply": supply})
    return evaluate_scenario(build_scenario(scenario(facility=stated)), ready_catalog())


def report(supply: dict[str, Any] | None = None, **facility: Any) -> PowerSupplyReport:
    return power_supply_answer(evaluated(supply, **facility)).report


def electricity(found: EvaluatedScenario) -> float:
    return float(found.evaluation.sections.cost.opex_breakdown_usd_per_year["electricity"][0])


def limits(found: EvaluatedScenario) -> set[str]:
    return {problem.constraint for problem in found.evaluation.problems}


def turbines(units: float, kind: str = "gas_turbine") -> dict[str, Any]:
    """So many times the peak, in quarters of the peak."""
    return {"kind": kind, "capacity_w": units * PEAK_W, "unit_w": PEAK_W / 4, "spare_units": 1}


@pytest.mark.slow
def test_a_supply_that_states_nothing_changes_nothing() -> None:
    without, empty = evaluated(), evaluated({})
    for section in ("cost", "carbon", "power"):
        before, after = (getattr(one.evaluation.sections, section) for one in (without, empty))
        assert repr(before) == repr(after)
    assert report().price_usd_per_kwh == report({}).price_usd_per_kwh
    assert report().is_stated is False


@pytest.mark.slow
@pytest.mark.parametrize("market", ["de_lu", "us_tex_erco", "au_vic"])
def test_hours_of_a_market_move_a_flat_load_by_little(market: str) -> None:
    """The mean over the hours is the yearly price, so what is left follows the load alone."""
    assert electricity(evaluated({"market": market})) == pytest.approx(electricity(evaluated()), rel=0.03)
    told = report({"market": market})
    assert told.negative_hours == sum(price < 0 for price in power_year(market))


def power_year(market: str) -> list[float]:
    return power_supply_answer(evaluated({"market": market})).year.price_usd_per_kwh.tolist()


def test_an_island_of_turbines_has_no_grid_in_its_figures() -> None:
    found = evaluated({"grid": "none", "sources": [turbines(1.5)]})
    told, cost = power_supply_answer(found).report, found.evaluation.sections.cost
    assert told.grid_kwh == told.grid_peak_w == 0
    assert cost.opex_breakdown_usd_per_year["demand"][0] == 0
    plain = evaluated().evaluation.sections.cost
    more = cost.capex_breakdown_usd["facility"][0] - plain.capex_breakdown_usd["facility"][0]
    assert more == pytest.approx(told.capital_usd) == pytest.approx(1.75 * PEAK_W / 1e3 * 1100)
    assert cost.opex_breakdown_usd_per_year["maintenance"] == plain.opex_breakdown_usd_per_year["maintenance"]
    assert 0.5 < told.carbon_kg_per_kwh < 0.75  # 202 g over 0.27 to 0.37, and methane
    assert not limits(found)


def test_less_than_the_peak_is_short() -> None:
    assert "power supply" in limits(evaluated({"grid": "none", "sources": [turbines(0.5)]}))
    assert "energy supply" in limits(evaluated({"grid": "none", "sources": [turbines(0.5)]}))
    assert "utility limit" in limits(evaluated(utility_limit_w=PEAK_W / 2))
    both = evaluated({"sources": [turbines(0.75)]}, utility_limit_w=PEAK_W / 2)
    assert not limits(both)


def test_height_and_heat_take_from_firm_power() -> None:
    low, high, hot = (
        report({"sources": [turbines(1)]}, site=site).sources[0].firm_w
        for site in ("dublin", "denver", "phoenix")
    )
    assert PEAK_W >= low > hot > high


@pytest.mark.slow
def test_clean_energy_counts_in_its_own_hour() -> None:
    supply = {
        "sources": [{"kind": "solar", "capacity_w": 2 * PEAK_W}],
        "purchases": [{"kind": "wind", "capacity_w": PEAK_W, "price_usd_per_kwh": 0.05}],
    }
    battery = {"power_w": PEAK_W, "energy_wh": 4 * PEAK_W, "use": "clean"}
    without, with_battery = report(supply), report(supply | {"battery": battery})
    for told in (without, with_battery):
        assert 0 <= told.matched_share <= told.annual_matched_share <= 1
    assert with_battery.matched_share > without.matched_share
    carbon = evaluated(supply).evaluation.sections.carbon
    assert carbon.operational_market_kg is not None
    assert carbon.operational_kg is not None
    assert carbon.operational_market_kg[0] < carbon.operational_kg[0]
    dearer = supply | {"purchases": [supply["purchases"][0] | {"price_usd_per_kwh": 0.06}]}  # type: ignore[index]
    paid = report(dearer).purchased_usd - without.purchased_usd
    assert paid == pytest.approx(0.01 * without.purchased_kwh)


def test_demand_response_by_hand() -> None:
    told = report(
        {
            "market": "de_lu",
            "demand_response": {"hours_per_year": 100, "load_share": 0.2, "credit_usd_per_kw_year": 50},
        }
    )
    response = told.response
    assert response is not None
    assert response.shed_kwh == pytest.approx(told.load_kwh / 8760 * 100 * 0.2, rel=0.05)
    assert response.credit_usd == pytest.approx(50 * 0.2 * told.load_kwh / 8760)
    assert response.lost_accelerator_hours == pytest.approx(100 * 0.2 * 8)
    assert response.longer_run_share == pytest.approx(20 / 8740)


def test_a_battery_takes_its_power_from_the_swing() -> None:
    none = report({"battery": {"power_w": 500, "energy_wh": 1000}}).battery
    all_of_it = report({"battery": {"power_w": 10_000, "energy_wh": 1000}}).battery
    assert none is not None
    assert all_of_it is not None
    assert none.swing_left_w == pytest.approx(none.swing_w - 500)
    assert all_of_it.swing_left_w == 0


def test_colossus_runs_on_turbines_and_batteries() -> None:
    """150 MW of the grid, 35 turbines of 422 MW in all and 150 MW of batteries for 300 MW, as reported in 2025."""
    supply = {
        "sources": [{"kind": "gas_turbine", "capacity_w": 422e6, "unit_w": 422e6 / 35}],
        "battery": {"power_w": 150e6, "energy_wh": 600e6},
    }
    told = report(supply, site="memphis", utility_limit_w=150e6)
    assert told.firm_w is not None
    assert told.firm_w > 300e6
    assert told.sources[0].units == 35
    assert told.sources[0].firm_w == pytest.approx(422e6 * 0.85, rel=0.05)


def test_the_queue_and_lead_times_say_when() -> None:
    supply = {"grid_wait_years": 5, "sources": [turbines(1.5, "gas_engine") | {"lead_time_years": 2}]}
    assert report(supply).ready_years == 2
    assert report(supply | {"sources": [turbines(0.5)]}).ready_years == 5
    assert report({"grid": "none", "sources": [turbines(0.5)]}).ready_years is None


def test_a_market_that_there_is_not_names_the_nearest() -> None:
    with pytest.raises(ScenarioError, match="us_tex_ercot"):
        evaluated({"market": "us_tex_ercot"})
    with pytest.raises(ScenarioError, match="no supply"):
        evaluated({"grid": "none"})


@pytest.mark.slow
def test_every_figure_is_explained_and_sampled() -> None:
    found = evaluated({"market": "de_lu", "sources": [turbines(1)]})
    explained = found.explain("cost.opex_breakdown_usd_per_year.electricity")
    assert "supplied_price" in str(explained)
    figure = found.figures["cost.opex_usd_per_year"]
    assert np.allclose(figure.value, found.evaluation.sections.cost.opex_usd_per_year)


def test_hours_and_text() -> None:
    answer = power_supply_answer(evaluated({"sources": [turbines(1)]}))
    lines = b"".join(supply_csv(answer.year)).decode().splitlines()
    assert len(lines) == 8761
    assert "gas_turbine_1_w" in lines[0]
    assert "Gas turbines" in power_supply_text(answer)


def test_own_or_rent_takes_the_price_of_the_supply() -> None:
    """What rises with use is the electricity at full use less that of idle hours, at the price of the supply."""
    found = evaluated({"grid": "none", "sources": [turbines(1.5)]})
    of_grid = evaluated()
    rising = [float(np.ravel(pod_money(one).at_full_use_per_year)[0]) for one in (found, of_grid)]
    prices = [
        report(supply).price_usd_per_kwh for supply in ({"grid": "none", "sources": [turbines(1.5)]}, None)
    ]
    assert rising[0] / rising[1] == pytest.approx(prices[0] / prices[1], rel=1e-6)
