"""Spares by the unit that is replaced: published counts, limits and monotony."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.ready import ready_catalog
from app.engine.operations.section import Reliability
from app.engine.operations.spares import (
    availability,
    complete_copies,
    empty_place_s,
    missing_units,
    shortage_wait_s,
    spare_coverage,
    spare_units_recommended,
    unit_accelerators,
)
from app.engine.trace import first_of
from app.scenarios.evaluation.service import evaluate_scenario
from tests.engine.operations.runs import evaluate, operations, pod, with_assumptions
from tests.scenarios.support import document
from tests.support import dgx_h100, number, part_of


def recommended(units: float, rate: float, days: float, confidence: float = 0.99) -> float:
    return float(
        spare_units_recommended(
            units_in_repair=number(units * rate * days), idle_units=number(0), confidence=number(confidence)
        )[0]
    )


@pytest.mark.parametrize(
    ("units", "rate", "days", "spares"),
    [(2048, 3.79e-3, 1, 15), (2048, 6.5e-3, 3, 55), (128, 6.5e-3, 3, 7), (32, 6.5e-3, 3, 3)],
)
def test_worked_counts(units: float, rate: float, days: float, spares: float) -> None:
    assert recommended(units, rate, days) == spares


def test_limits() -> None:
    assert recommended(2048, 0.0, 1) == 0
    assert np.isnan(recommended(np.nan, 5e-3, 1))
    none = {"units_in_repair": number(2), "spare_units": number(0), "idle_units": number(0)}
    assert availability(**none, units_used=number(100))[0] == pytest.approx(0.98)
    many = none | {"spare_units": number(100)}
    assert availability(**many, units_used=number(100))[0] == pytest.approx(1)
    assert spare_coverage(**many)[0] == pytest.approx(1)


def test_idle_units_are_spares() -> None:
    away = number(10.24)
    counts = [
        spare_units_recommended(units_in_repair=away, idle_units=number(idle), confidence=number(0.99))[0]
        for idle in (0, 10, 100)
    ]
    assert counts == [18, 8, 0]


def wait_s(spares: float, away: float, copies: float = 1) -> float:
    """Wait after a failure of a unit that is away for a day."""
    pool = {"units_in_repair": number(away), "copies_that_go_on": number(copies)}
    missing = missing_units(**pool, spare_units=number(spares), idle_units=number(0))
    return float(shortage_wait_s(**pool, missing_units=missing, mean_away_days=number(1))[0])


def test_waits_by_hand() -> None:
    """Without a spare a job waits the day; with one, half a day where Erlang's formula of one finds it away."""
    assert wait_s(0, 2) == pytest.approx(86400)
    assert wait_s(1, 2) == pytest.approx(2 / 3 * 86400 / 2)
    assert wait_s(0, 1e-9) == pytest.approx(86400)
    assert wait_s(10, 0) == 0
    assert wait_s(1000, 2) < 1e-300
    assert np.isnan(wait_s(1, np.nan))
    # Many copies: one missing of a thousand is a thousandth of the time lost, E[(D - S)+] of a Poisson number.
    assert wait_s(0, 2, 1e6) == pytest.approx(86400 / 1e6, rel=1e-4)


@pytest.mark.slow
@given(spares=st.integers(0, 60), away=st.floats(0.01, 40), copies=st.floats(1, 300))
def test_a_spare_more_never_hurts(spares: int, away: float, copies: float) -> None:
    def wait(count: int) -> tuple[float, float]:
        pool = {"units_in_repair": number(away), "spare_units": number(count), "idle_units": number(0)}
        return wait_s(count, away, copies), float(availability(**pool, units_used=number(2048))[0])

    (time, share), (less_time, more_share) = wait(spares), wait(spares + 1)
    assert less_time <= time * (1 + 1e-9)
    assert more_share >= share - 1e-12


@pytest.mark.parametrize(
    ("supernode", "nodes", "cube", "unit"),
    [(8, 1, np.nan, 8), (72, 18, np.nan, 4), (384, 48, np.nan, 8), (9216, 2304, 4, 64), (256, 32, np.nan, 8)],
)
def test_what_is_replaced_together(supernode: float, nodes: float, cube: float, unit: float) -> None:
    found = unit_accelerators(
        accelerators_per_supernode=number(supernode),
        nodes_per_supernode=number(nodes),
        cube_side=number(cube),
    )
    assert found[0] == unit


@pytest.mark.parametrize(
    ("dp", "tp", "cp", "ep", "copies"),
    [(128, 8, 1, 1, 128), (16, 8, 1, 64, 2), (8, 1, 1, 8, 1), (1, 8, 2, 1, 1)],
)
def test_copies_hold_all_experts(dp: float, tp: float, cp: float, ep: float, copies: float) -> None:
    found = complete_copies(
        data_parallel=number(dp),
        tensor_parallel=number(tp),
        context_parallel=number(cp),
        expert_parallel=number(ep),
    )
    assert found[0] == copies


def nvl72(*, racks: int = 4, used: float = 72, **changes: Any) -> Reliability:
    rack = dataclasses.replace(
        dgx_h100(), accelerators=number(72), scale_up_domain_accelerators=number(72), nodes=number(18)
    )
    place = pod(supernodes=racks, accelerators_used=used * racks)
    place = dataclasses.replace(place, domain_accelerators_used=None if used == 72 else number(used))
    return evaluate(supernode=rack, pod=place, **changes)


def test_64_of_72_keep_two_trays_in_reserve() -> None:
    whole, part = nvl72(), nvl72(used=64)
    assert (whole.reserve_units_per_domain[0], part.reserve_units_per_domain[0]) == (0, 2)
    assert part.spare_units[0] == 0, "eight idle trays stand for what four racks lose"
    assert part.waiting_s[0] < 0.01 * whole.waiting_s[0]


def test_spare_trays_cost_and_stand_nowhere() -> None:
    found = nvl72()
    assert found.unit_accelerators[0] == 4
    assert found.spare_supernodes[0] == pytest.approx(found.spare_units[0] / 18)
    assert found.spare_supernodes_installed[0] == 0
    servers = evaluate()
    assert servers.spare_supernodes_installed[0] == servers.spare_supernodes[0] == servers.spare_units[0] > 0


def test_a_job_that_cannot_go_on_waits_for_the_tray() -> None:
    elastic, rigid = nvl72(), nvl72(assumptions=with_assumptions(elastic_operation=0))
    assert rigid.waiting_s[0] == pytest.approx(128 * elastic.waiting_s[0], rel=0.02)
    assert rigid.ettr[0] < elastic.ettr[0]


@pytest.mark.slow
@given(reserve=st.integers(0, 10), away=st.floats(1e-3, 5), domains=st.integers(1, 100))
def test_more_in_reserve_never_hurts(reserve: int, away: float, domains: int) -> None:
    def empty(count: int) -> float:
        return float(
            empty_place_s(
                part_of_domain=number(1),
                units_in_repair=number(away * domains),
                domains_used=number(domains),
                reserve_units_per_domain=number(count),
                unit_return_s=number(3600),
            )[0]
        )

    assert 0 <= empty(reserve + 1) <= empty(reserve) <= 3600


def reliability(system: str, supernodes: int, **changes: Any) -> Reliability:
    stated = {"supernode": {"system": system}, "pod__supernodes": supernodes, "parallelism": "auto"}
    return evaluate_scenario(document(**stated | changes), ready_catalog()).evaluation.sections.reliability


@pytest.mark.slow
@pytest.mark.parametrize("system", ["tpu_v7_pod", "huawei_cloudmatrix384", "gb200_nvl72"])
def test_one_supernode_needs_no_second(system: str) -> None:
    """20 spare pods of 9,216 TPUs, two of 384 NPUs and one rack were recommended when a host took a SuperNode away."""
    found = reliability(system, 1)
    assert first_of(found.spare_units) >= 1
    assert first_of(found.spare_supernodes) < 0.12
    assert first_of(found.spare_coverage) >= 0.99


@pytest.mark.slow
def test_racks_and_servers_compare_fairly() -> None:
    """One job of 1,008 and of 1,024 accelerators: ETTR is within 3 points, and MTBF goes by the accelerators."""
    racks, servers = reliability("gb200_nvl72", 14), reliability("dgx_b200", 128)
    assert abs(first_of(racks.ettr) - first_of(servers.ettr)) < 0.03
    assert first_of(racks.mtbf_s) == pytest.approx(first_of(servers.mtbf_s) * 1024 / 1008)


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(300)))
def test_random_pods_keep_to_their_bounds(seed: int) -> None:
    """Shares within 0 and 1 that add up, waits that are finite, and more spares that never lower the ETTR."""
    draw = np.random.default_rng(seed)
    accelerators, nodes = [(8, 1), (72, 18), (384, 48), (256, 32), (9216, 2304)][int(draw.integers(5))]
    domain = accelerators if draw.random() < 0.8 else accelerators / nodes
    machine = dataclasses.replace(
        dgx_h100(),
        accelerators=number(accelerators),
        scale_up_domain_accelerators=number(domain),
        nodes=number(nodes),
    )
    count = float(draw.integers(1, 40))
    used = float(draw.integers(1, int(count * accelerators) + 1))
    known = with_assumptions(
        failures_per_node_day=float(10 ** draw.uniform(-4, -1)),
        repair_days=float(draw.uniform(0.1, 10)),
        elastic_operation=float(draw.integers(2)),
    )

    def run(spares: float | None) -> Reliability:
        with np.errstate(all="ignore"):  # as during every evaluation
            return evaluate(
                supernode=machine,
                pod=pod(supernodes=count, accelerators_used=used),
                assumptions=known,
                operations=operations(spares=spares),
            )

    auto = run(None)
    assert auto.goodput_breakdown is not None
    if used > 100_000 and known.elastic_operation[0] == 0:
        assert auto.ettr is not None
        assert np.isnan(auto.ettr[0]), "no run of that size waits as a whole"
        return
    shares = [float(share[0]) for share in auto.goodput_breakdown.values()]
    assert sum(shares) == pytest.approx(1)
    assert min(*shares, float(auto.availability[0]), float(auto.spare_coverage[0])) >= -1e-12
    assert max(*shares, float(auto.availability[0]), float(auto.spare_coverage[0])) <= 1 + 1e-12
    assert auto.spare_supernodes[0] == pytest.approx(
        auto.spare_units[0] * auto.unit_accelerators[0] / accelerators
    )
    assert auto.spare_coverage[0] >= 0.99 - 1e-12
    none, more = run(0), run(float(auto.spare_units[0]) + 3)
    assert none.ettr is not None
    assert more.ettr is not None
    assert none.ettr[0] <= auto.ettr[0] + 1e-12 <= more.ettr[0] + 2e-12


@pytest.mark.slow
def test_probabilities_are_those_of_the_poisson_distribution():
    from scipy.stats import poisson  # slow to import, so only here

    from app.engine.operations.spares import _at_most, _more_than, _smallest_enough

    count, mean = np.meshgrid(np.arange(-1.0, 60.0), [1e-9, 0.01, 0.7, 7.75, 40.0, 2000.0])
    np.testing.assert_allclose(_at_most(count, mean), poisson.cdf(count, mean), rtol=1e-9)
    np.testing.assert_allclose(_more_than(count, mean), poisson.sf(count, mean), rtol=1e-9)
    for probability in (0.5, 0.99, 0.9999):
        np.testing.assert_array_equal(
            _smallest_enough(np.full(6, probability), mean[:, 0]), poisson.ppf(probability, mean[:, 0])
        )
    assert _smallest_enough(np.full(1, 0.99), np.zeros(1)) == 0
