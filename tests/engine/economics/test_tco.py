"""Total cost: published accelerator-hours, sums that keep every dollar, and unknown prices."""

import dataclasses

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.engine.economics.finance import capital_recovery_factor
from app.engine.economics.operating import electricity_at_full_use_usd_per_year, electricity_usd_per_year
from app.engine.economics.tco import (
    annual_cost_usd_per_year,
    capital_usd_per_year,
    usd_per_installed_accelerator_hour,
)
from tests.engine.economics.pods import economics, evaluate, facility, pod, with_assumptions
from tests.support import number


def hourly(price: float, years: float, kilowatts: float) -> float:
    """An accelerator at 10 %, colocated at 130 USD/(kW month), 0.087 USD/kWh, PUE 1.25, load 0.8."""
    factor = capital_recovery_factor(rate=number(0.10), years=number(years))
    nothing = number(0)
    capital = capital_usd_per_year(
        equipment_usd=number(price),
        installation_usd=nothing,
        facility_usd=nothing,
        equipment_share=factor,
        installation_share=factor,
        facility_share=nothing,
    )
    energy = electricity_usd_per_year(
        electricity_at_full_use_usd_per_year=electricity_at_full_use_usd_per_year(
            energy_utility_kwh_per_year=number(kilowatts * 1.25 * 8760),
            electricity_price_usd_per_kwh=number(0.087),
        ),
        load_share=number(0.8),
    )
    colocation = number(kilowatts * 130 * 12)
    annual = annual_cost_usd_per_year(capital_usd_per_year=capital, opex_usd_per_year=energy + colocation)
    hour = usd_per_installed_accelerator_hour(
        annual_cost_usd_per_year=annual, installed_accelerator_hours_per_year=number(8760)
    )
    return float(hour[0])


def test_h100_hour() -> None:
    # 250,000 USD all in for eight (SemiAnalysis, H100 vs GB200 NVL72, 2025-08), published 1.42 USD.
    assert hourly(31250, 4, 1.4) == pytest.approx(1.497, abs=1e-3)
    assert hourly(31250, 5, 1.4) == pytest.approx(1.312, abs=1e-3)
    assert hourly(31250, 4, 1.4) == pytest.approx(1.42, rel=0.10)


def test_gb200_hour() -> None:
    # 3.9 million USD a rack of 72, published 1.6 times the H100.
    rack = hourly(3.9e6 / 72, 4, 2.0)
    assert rack == pytest.approx(2.481, abs=1e-3)
    assert hourly(3.9e6 / 72, 5, 2.0) == pytest.approx(2.161, abs=1e-3)
    assert rack / hourly(31250, 4, 1.4) == pytest.approx(1.6, rel=0.10)


def test_a_pod_by_hand() -> None:
    cost = evaluate()
    servers = 330000 * (2048 + 18)
    equipment = servers + 120e6 + 4400 * 500
    capex = equipment * 1.035 + 23 * 11.7e6
    assert cost.capex_usd[0] == pytest.approx(capex)
    load = 0.8 + 0.2 / 3
    opex = (
        22e3 * 8760 * 0.075 * load
        + 12 * 27e3 * 12.5
        + 1e5 * 2 * load
        + 0.05 * equipment
        + 0.03 * 23 * 11.7e6
        + 23 * 52000
        + 0.004 * capex
    )
    assert cost.opex_usd_per_year[0] == pytest.approx(opex)
    capital = (equipment * (1 - 0.1 * 1.1**-5) + 0.035 * equipment) * 0.1 / (
        1 - 1.1**-5
    ) + 23 * 11.7e6 * 0.1 / (1 - 1.1**-20)
    assert cost.annual_cost_usd_per_year[0] == pytest.approx(capital + opex)
    assert cost.usd_per_accelerator_hour[0] == pytest.approx((capital + opex) / (16384 * 8760 * 0.9998 * 0.8))
    assert cost.usd_per_run[0] == pytest.approx(cost.usd_per_accelerator_hour[0] * 16384 * 78 * 24)
    assert cost.usd_per_million_tokens[0] == pytest.approx(cost.usd_per_run[0] / 15.6e6)


@given(
    life=st.floats(1, 12),
    wacc=st.floats(0, 0.3),
    utilisation=st.floats(0.05, 1),
    residual=st.floats(0, 0.6),
)
@example(life=1.5, wacc=5e-324, utilisation=1, residual=0)
def test_every_dollar_is_kept(life: float, wacc: float, utilisation: float, residual: float) -> None:
    cost = evaluate(
        economics=economics(life_years=life, wacc=wacc, utilisation=utilisation, residual_value=residual)
    )
    for total, parts in (
        (cost.capex_usd, cost.capex_breakdown_usd),
        (cost.opex_usd_per_year, cost.opex_breakdown_usd_per_year),
        (cost.tco_usd, cost.tco_breakdown_usd),
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
