"""Waiting: worked by hand, in its limits, and as BLOOM accounts for it."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.economics.carbon.operational import (
    hours_between_runs,
    idle_floor_share,
    idle_kg,
    operational_kg,
    total_kg,
    waiting_beside_kwh,
    waiting_between_kwh,
)
from app.engine.economics.carbon.section import evaluate_carbon
from app.engine.specs import Economics
from tests.engine.economics.pods import economics, pod
from tests.support import number


def between(utilisation: float) -> float:
    hours = hours_between_runs(
        run_accelerator_hours=number(1000.0),
        used_accelerator_hours_per_year=number(100 * 8760 * utilisation),
        utilisation=number(utilisation),
    )
    return float(hours[0])


def test_hours_between_runs_by_hand() -> None:
    # 100 accelerators for ten hours at a use of a half wait ten hours for the next
    assert between(0.5) == pytest.approx(10)
    assert between(1.0) == 0
    assert between(0.25) == pytest.approx(30)


def test_what_waits_draws_cooling_and_losses_too() -> None:
    meter = {"utility_mean_w": number(120e3), "it_power_mean_w": number(100e3)}
    beside = waiting_beside_kwh(idle_supernodes_w=number(2e3), elapsed_time_s=number(36e3), **meter)
    assert beside[0] == pytest.approx(2 * 1.2 * 10)
    idle = waiting_between_kwh(it_power_idle_w=number(30e3), hours_between_runs=number(5), **meter)
    assert idle[0] == pytest.approx(30 * 1.2 * 5)


def test_the_floor_of_a_run() -> None:
    share = idle_floor_share(
        it_power_idle_w=number(35e3), idle_supernodes_w=number(5e3), it_power_mean_w=number(105e3)
    )
    assert share[0] == pytest.approx(0.3)


def test_bloom_dynamic_idle_and_embodied() -> None:
    """24.69 t dynamic, 14.6 t idle (28.9 %) and 11.2 t embodied are 50.5 t (arXiv 2211.02001, table 3)."""
    grid = number(0.057)
    dynamic = operational_kg(run_energy_kwh=number(433195), carbon_intensity_kg_per_kwh=grid)
    idle = idle_kg(
        waiting_beside_kwh=number(256646), waiting_between_kwh=number(0), carbon_intensity_kg_per_kwh=grid
    )
    whole = total_kg(operational_kg=dynamic, embodied_kg=number(11.2e3)) + idle
    assert whole[0] == pytest.approx(50.5e3, rel=0.002)
    assert idle[0] / whole[0] == pytest.approx(0.289, abs=0.002)


def test_a_pod_that_is_always_used_waits_only_beside_its_run() -> None:
    busy: Economics = economics(utilisation=1.0)
    found = evaluate_carbon(**pod(economics=busy))
    beside_kwh = 50 * 22 / 18 * 78 * 24
    assert found.idle_kg[0] == pytest.approx(beside_kwh * 0.323)
    usual = evaluate_carbon(**pod())
    assert usual.idle_kg[0] > found.idle_kg[0]
    assert usual.total_kg[0] == pytest.approx(usual.operational_kg[0] + usual.embodied_kg[0])
    assert np.isclose(sum(part[0] for part in usual.embodied_breakdown_kg.values()), usual.embodied_kg[0])
