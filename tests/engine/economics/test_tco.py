"""Total cost: published accelerator-hours, sums that keep every dollar, and unknown prices."""

import dataclasses

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.engine.economics.pods import economics, evaluate, facility, pod, with_assumptions
from tests.support import number


def test_a_pod_by_hand() -> None:
    cost = evaluate()
    equipment = 330000 * (2048 + 18) + 120e6 + 4400 * 500
    facility, land = 23 * 11.7e6, 23 * 1 * 244000
    capex = equipment * 1.035 + facility + land
    assert cost.capex_usd[0] == pytest.approx(capex)
    load = 0.8 + 0.2 / 3
    opex = (
        22e3 * 8760 * 0.075 * load
        + 12 * 27e3 * 12.5
        + 1e5 * 2 * load
        + 0.05 * equipment
        + 0.03 * facility
        + 23 * 52000
        + 0.002 * 16384 * 250000
        + 0.004 * (capex - land)
        + 0.01 * (facility + land)
    )
    assert cost.opex_usd_per_year[0] == pytest.approx(opex)
    bought = equipment * (1 - 0.1 * 1.1**-5) + 0.035 * equipment
    plant, shell = 0.1 / (1 - 1.1**-18), 0.1 / (1 - 1.1**-35)
    capital = bought * 0.1 / (1 - 1.1**-5) + facility * (0.63 * plant + 0.37 * shell) + land * 0.1
    assert cost.annual_cost_usd_per_year[0] == pytest.approx(capital + opex)
    assert cost.usd_per_accelerator_hour[0] == pytest.approx((capital + opex) / (16384 * 8760 * 0.9998 * 0.8))
    assert cost.usd_per_run[0] == pytest.approx(cost.usd_per_accelerator_hour[0] * 16384 * 78 * 24)
    assert cost.usd_per_million_tokens[0] == pytest.approx(cost.usd_per_run[0] / 15.6e6)


@pytest.mark.slow
@given(
    life=st.floats(1, 12),
    wacc=st.floats(0, 0.3),
    utilisation=st.floats(0.05, 1),
    residual=st.floats(0, 0.6),
    owns=st.sampled_from([0.0, 1.0]),
    discount=st.floats(0, 0.9),
)
@example(life=1.5, wacc=5e-324, utilisation=1, residual=0, owns=1.0, discount=0)
def test_every_dollar_is_kept(
    life: float, wacc: float, utilisation: float, residual: float, owns: float, discount: float
) -> None:
    cost = evaluate(
        economics=economics(
            life_years=life,
            wacc=wacc,
            utilisation=utilisation,
            residual_value=residual,
            owns_building=owns,
            price_discount=discount,
        )
    )
    yearly = cost.capital_breakdown_usd_per_year | cost.opex_breakdown_usd_per_year
    for total, parts in (
        (cost.capex_usd, cost.capex_breakdown_usd),
        (cost.opex_usd_per_year, cost.opex_breakdown_usd_per_year),
        (cost.tco_usd, cost.tco_breakdown_usd),
        (cost.annual_cost_usd_per_year, yearly),
    ):
        assert sum(part[0] for part in parts.values()) == pytest.approx(total[0], rel=1e-9)
    assert cost.tco_breakdown_usd["capital_cost"][0] >= -1e-3
    steps = (
        cost.usd_per_installed_accelerator_hour,
        cost.usd_per_available_accelerator_hour,
        cost.usd_per_accelerator_hour,
        cost.usd_per_useful_accelerator_hour,
    )
    assert np.all(np.diff([step[0] for step in steps]) >= 0)


@pytest.mark.slow
@given(pair=st.tuples(st.floats(0.05, 1), st.floats(0.05, 1)))
def test_used_hours_get_cheaper_with_use(pair: tuple[float, float]) -> None:
    little, much = (
        evaluate(economics=economics(utilisation=use)).usd_per_accelerator_hour[0] for use in sorted(pair)
    )
    assert much <= little + 1e-12


def test_price_of_the_server_from_its_accelerators() -> None:
    supernode = dataclasses.replace(pod()["supernode"], price_usd=number(np.nan))
    assert evaluate(supernode=supernode).supernode_price_usd[0] == pytest.approx(8 * 27500 * 1.64)


def test_liquid_cooling_costs_more() -> None:
    cooling = pod()["cooling"]
    cooling.liquid_heat_design_w = number(23e6)
    dry, wet = evaluate(), evaluate(cooling=cooling)
    ratio = wet.capex_breakdown_usd["facility"] / dry.capex_breakdown_usd["facility"]
    assert ratio[0] == pytest.approx(1.085)


def test_unknown_price_makes_the_cost_unknown_and_nothing_else() -> None:
    supernode = dataclasses.replace(
        pod()["supernode"],
        price_usd=number(np.nan),
        accelerator=dataclasses.replace(pod()["supernode"].accelerator, price_usd=number(np.nan)),
    )
    cost = evaluate(supernode=supernode)
    assert np.isnan([cost.capex_usd[0], cost.tco_usd[0], cost.usd_per_run[0]]).all()
    assert np.isnan(cost.break_even_months[0])
    assert cost.capex_breakdown_usd["network"][0] == 120e6
    assert cost.opex_breakdown_usd_per_year["electricity"][0] > 0
    assert cost.usd_per_run_rented_on_demand[0] == pytest.approx(16384 * 78 * 24 * 3.20)
    assert np.isnan(evaluate(facility=facility(electricity=np.nan)).opex_usd_per_year[0])


def test_samples_keep_their_shape() -> None:
    terms = dataclasses.replace(economics(), wacc=np.array([[0.05], [0.10], [0.15]]))
    cost = evaluate(economics=terms)
    assert cost.tco_usd.shape == (3, 1)
    assert np.all(np.diff(cost.tco_usd[:, 0]) > 0)


def test_software_is_charged_for_installed_hours() -> None:
    cost = evaluate(assumptions=with_assumptions(software_usd_per_accelerator_hour=4500 / 8760))
    assert cost.opex_breakdown_usd_per_year["software"][0] == pytest.approx(4500 * 16384)


def test_a_discount_is_taken_off_listed_prices_only() -> None:
    listed, cheaper = evaluate(), evaluate(economics=economics(price_discount=0.2))
    for part in ("servers", "spares", "network"):
        assert cheaper.capex_breakdown_usd[part] == pytest.approx(0.8 * listed.capex_breakdown_usd[part])
    assert cheaper.capex_breakdown_usd["storage"] == listed.capex_breakdown_usd["storage"]
    stated = dataclasses.replace(pod()["supernode"], price_is_listed=number(0))
    paid = evaluate(supernode=stated, economics=economics(price_discount=0.2))
    assert paid.supernode_price_usd[0] == 330000
    assert paid.capex_breakdown_usd["network"][0] == pytest.approx(0.8 * 120e6)


def test_colocation_stands_in_place_of_the_building() -> None:
    owned = evaluate()
    hired = evaluate(economics=economics(owns_building=0.0, colocation_usd_per_kw_month=180.0))
    for part in ("facility", "land"):
        assert hired.capex_breakdown_usd[part][0] == 0
        assert hired.capital_breakdown_usd_per_year[part][0] == 0
    for part in ("maintenance", "staff", "property_tax"):
        assert hired.opex_breakdown_usd_per_year[part][0] == 0
    assert hired.opex_breakdown_usd_per_year["colocation"][0] == pytest.approx(12 * 23e3 * 180)
    assert hired.tco_breakdown_usd["colocation"][0] == pytest.approx(5 * 12 * 23e3 * 180)
    assert owned.opex_breakdown_usd_per_year["colocation"][0] == 0
    for part in ("electricity", "demand", "water", "support", "engineers"):
        assert hired.opex_breakdown_usd_per_year[part] == owned.opex_breakdown_usd_per_year[part]


def test_land_is_charged_its_interest_alone() -> None:
    cost = evaluate(economics=economics(life_years=3.0))
    land = cost.capex_breakdown_usd["land"][0]
    assert land == pytest.approx(23 * 244000)
    assert cost.capital_breakdown_usd_per_year["land"][0] == pytest.approx(0.10 * land)
    assert evaluate(economics=economics(wacc=0.0)).capital_breakdown_usd_per_year["land"][0] == 0
