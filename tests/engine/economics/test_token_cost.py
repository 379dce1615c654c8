"""What tokens of a pod that serves cost and emit, and that a pod that serves has no run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.carbon.section import OF_A_RUN as CARBON_OF_A_RUN
from app.engine.economics.carbon.section import evaluate_carbon
from app.engine.economics.section import OF_A_RUN, Cost
from tests.engine.economics.pods import evaluate, pod
from tests.engine.performance.serving.pods import demand as a_demand
from tests.engine.performance.serving.pods import workload
from tests.support import assumptions, number

ACCELERATORS = 16384


HOURS = 8760


def served(
    *, demand: bool = False, tokens_per_s: float = 1e6, input_tokens_per_s: float = 3e6, share: float = 0.25
) -> dict[str, Any]:
    """2,048 DGX H100 that serve, with round rates."""
    answers = SimpleNamespace(
        tokens_per_s=number(tokens_per_s),
        input_tokens_per_s=number(input_tokens_per_s),
        prefill_share=number(share),
        elapsed_time_s=None,
    )
    reliability = SimpleNamespace(
        spare_supernodes=number(18),
        availability=number(0.9998),
        ettr=None,
        storage_flash_bytes=number(4.4e15),
        storage_bulk_bytes=number(0),
        storage_write_rated_bytes_per_s=number(0),
        storage_capacity_bytes=number(4.4e15),
    )
    asked = a_demand(1) if demand else None
    return {"workload": workload(demand=asked), "performance": answers, "reliability": reliability}


def value(figure: Any) -> float:
    return float(figure[0])


def cost(**rates: Any) -> Cost:
    return evaluate(**served(**rates))


def test_a_million_tokens_cost_the_hours_they_take() -> None:
    found = cost()
    hours = ACCELERATORS * (1e6 / 1e6) / 3600
    assert value(found.usd_per_million_tokens) == pytest.approx(hours * value(found.usd_per_accelerator_hour))
    assert value(found.usd_per_million_tokens_rented_on_demand) == pytest.approx(hours * 3.20)
    assert value(found.usd_per_million_tokens_rented_reserved) == pytest.approx(hours * 2.72)


def test_there_is_no_run() -> None:
    found = cost()
    assert all(getattr(found, name) is None for name in OF_A_RUN)
    assert found.usd_per_useful_accelerator_hour is None
    assert evaluate().usd_per_million_input_tokens is None


@pytest.mark.slow
@given(st.floats(0, 1), st.floats(1, 1e9), st.floats(1, 1e9))
def test_input_and_output_together_cost_what_the_pod_does(share: float, out: float, asked: float) -> None:
    found = cost(share=share, tokens_per_s=out, input_tokens_per_s=asked)
    each_s = (
        value(found.usd_per_million_input_tokens) * asked + value(found.usd_per_million_output_tokens) * out
    )
    assert each_s == pytest.approx(value(found.usd_per_million_tokens) * out)


def test_tokens_emit_what_the_pod_draws_and_was_made_with() -> None:
    """22 MW of which 50 kW of 18 MW of IT wait, at 0.323 kg/kWh; a million tokens take a second."""
    given = pod(**served())
    given["assumptions"] = assumptions("economics", EconomicsAssumptions, generation="hopper")
    with np.errstate(invalid="ignore", divide="ignore"):
        found = evaluate_carbon(**given)
    power_w = 22e6 * (1 - 0.05 / 18)
    assert value(found.operational_kg_per_million_tokens) == pytest.approx(power_w / 3.6e6 * 0.323)
    assert value(found.kg_per_million_tokens) == pytest.approx(
        value(found.operational_kg_per_million_tokens) + value(found.embodied_kg_per_million_tokens)
    )
    used_hours = ACCELERATORS * 8760 * 0.9998 * 0.8
    embodied = value(found.embodied_pod_kg) * (ACCELERATORS / 3600) / (used_hours * 5)
    assert value(found.embodied_kg_per_million_tokens) == pytest.approx(embodied, rel=1e-3)
    assert all(getattr(found, name) is None for name in CARBON_OF_A_RUN)


@pytest.mark.slow
@given(st.floats(0, 1), st.floats(1, 1e9), st.floats(1, 1e9))
def test_tokens_of_a_demand_cost_what_the_year_costs(share: float, out: float, asked: float) -> None:
    found = cost(demand=True, share=share, tokens_per_s=out, input_tokens_per_s=asked)
    millions = 3600 * HOURS / 1e6
    year = value(found.annual_cost_usd_per_year)
    assert value(found.usd_per_million_tokens) * out * millions == pytest.approx(year)
    parts = (
        value(found.usd_per_million_input_tokens) * asked + value(found.usd_per_million_output_tokens) * out
    )
    assert parts * millions == pytest.approx(year)
    rented = value(found.usd_per_million_tokens_rented_on_demand) * out * millions
    assert rented == pytest.approx(3.20 * ACCELERATORS * HOURS)


def test_tokens_of_a_demand_were_made_with_all_of_the_hardware() -> None:
    given = pod(**served(demand=True))
    given["assumptions"] = assumptions("economics", EconomicsAssumptions, generation="hopper")
    with np.errstate(invalid="ignore", divide="ignore"):
        found = evaluate_carbon(**given)
    life = value(given["economics"].life_years) * HOURS * 3600
    assert value(found.embodied_kg_per_million_tokens) * life == pytest.approx(value(found.embodied_pod_kg))
