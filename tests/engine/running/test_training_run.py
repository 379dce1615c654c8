"""The simulated run against the closed forms, by hand, and at its limits."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.engine.operations.goodput import MOST_LOST
from app.engine.operations.section import Reliability, evaluate_reliability
from app.engine.running.training_run import Cause, RunPlan, run_plan, simulate_runs, simulate_timeline
from tests.engine.operations.runs import meta_run, operations, pod, with_assumptions
from tests.support import number, part_of

DAY = 86_400.0
LONG_S = 960 * DAY  # so that it matters little that all spares are ready at first
POINTS = 40
PARTS = part_of(range(3))
"""Every third point from each of these on."""
WITHIN = 0.005  # of elapsed time


def plan(**changes: Any) -> RunPlan:
    """A day of work that fails every hour on average, always in software, and comes back from memory."""
    values: dict[str, Any] = {
        "work_s": DAY, "mtbf_s": 3600.0, "interval_s": 100.0, "stall_s": 1.0, "drain_s": 0.0, "local_share": 1.0,
        "local_restart_s": 60.0, "remote_restart_s": 300.0, "pool_units": 0, "domains": 1, "reserve_units": 0,
        "unit_return_s": 0.0, "copies": 1.0,
        "causes": (Cause(component="software", takes_away="process", needs_hardware=False, share=1.0, away_s=0.0),),
    }  # fmt: skip
    return RunPlan(**values | changes)


UNITS = (Cause(component="hosts", takes_away="unit", needs_hardware=True, share=1.0, away_s=1800.0),)


def random_run(seed: int) -> tuple[dict[str, Any], Reliability]:
    """A run of 256 to 90,000 accelerators, by servers or racks, with spares as recommended or fewer."""
    draw = np.random.default_rng(seed)
    nodes, racks = int(2 ** draw.uniform(5, 13.5)), draw.random() < 0.4
    run = meta_run(
        assumptions=with_assumptions(
            failures_per_node_day=float(10 ** draw.uniform(-2.7, -1.4)),
            elastic_operation=float(draw.random() < 0.6),
            local_recovery_share=float(draw.uniform(0.5, 0.98)),
            repair_days=float(draw.uniform(0.3, 3)),
            detection_s=float(draw.uniform(10, 300)),
            unit_return_s=float(draw.uniform(600, 7200)),
        ),
        pod=pod(supernodes=nodes, accelerators_used=8.0 * nodes),
        performance=SimpleNamespace(
            parameters=number(float(10 ** draw.uniform(10.3, 12.3))),
            prediction_parameters=number(0),
            step_time_s=number(float(draw.uniform(2, 15))),
            training_time_s=number(LONG_S),
            strategy={
                "dp": number(2.0 ** draw.integers(0, 6)), "tp": number(8), "cp": number(1), "ep": number(1), "pp": number(16),
            },
        ),
    )  # fmt: skip
    if racks:
        count, used = max(1, nodes // 9), float(draw.choice([64, 72]))
        run["supernode"] = dataclasses.replace(
            run["supernode"],
            accelerators=number(72),
            nodes=number(18),
            scale_up_domain_accelerators=number(72),
        )
        place = pod(supernodes=count, accelerators_used=count * used)
        run["pod"] = dataclasses.replace(place, domain_accelerators_used=number(used))
    disks: dict[str, Any] = {"checkpoint": "two_level" if draw.random() < 0.7 else "blocking"}
    disks["write"] = float(10 ** draw.uniform(-1, 1) * 78e6 * 8 * nodes)
    run["operations"] = operations(**disks, read=2 * disks["write"])
    found = evaluate_reliability(**run)
    if draw.random() < 0.4:
        fewer = np.floor(float(found.spare_units_recommended[0]) * draw.uniform(0.5, 1))
        run["operations"] = operations(**disks, read=2 * disks["write"], spares=float(fewer))
        found = evaluate_reliability(**run)
    return run, found


@functools.cache
def within_a_quarter(draw: Callable[[int], tuple[dict[str, Any], Reliability]]) -> list[int]:
    """The first seeds whose runs lose no more than a quarter of their time."""
    seeds = (seed for seed in range(1000) if draw(seed)[1].ettr[0] > 1 - MOST_LOST)  # type: ignore[index]
    return [next(seeds) for _ in range(POINTS)]


@pytest.mark.parametrize("part", PARTS)
def test_closed_forms_hold(part: int) -> None:
    """Share of useful time, waiting, lost work, stalls and restarts of 40 designs."""
    for seed in within_a_quarter(random_run)[part::3]:
        run, found = random_run(seed)
        of_run = run_plan(**run, reliability=found)
        runs = int(np.clip(5e5 * of_run.mtbf_s / LONG_S, 16, 400))
        shares = simulate_runs(of_run, runs=runs, seed=seed).shares(LONG_S)
        assert found.goodput_breakdown is not None
        for name, share in found.goodput_breakdown.items():
            assert shares[name] == pytest.approx(float(share[0]), abs=WITHIN), (seed, name)


def levels_run(seed: int) -> tuple[dict[str, Any], Reliability]:
    """A random run on three levels of checkpoints, and with silent corruption in two of three."""
    draw = np.random.default_rng(1_000_000 + seed)
    run, _ = random_run(seed)
    run["assumptions"] = dataclasses.replace(
        run["assumptions"],
        node_recovery_share=number(float(draw.uniform(0, 1))),
        node_write_bandwidth_bytes_per_s=number(float(10 ** draw.uniform(7, 10))),
        corruption_found_at_validation=number(float(draw.random() < 0.67)),
        corruptions_per_accelerator_hour=number(float(10 ** draw.uniform(-7, -6))),
        validation_steps=number(float(10 ** draw.uniform(-1, 1))),
    )
    if draw.random() < 0.7:
        run["operations"] = dataclasses.replace(run["operations"], checkpoint="three_level")
    return run, evaluate_reliability(**run)


@pytest.mark.parametrize("part", PARTS)
def test_closed_forms_hold_with_drives_and_silent_corruption(part: int) -> None:
    """Every share of 40 designs; corruption is found at the next validation, or undone by a failure before it."""
    for seed in within_a_quarter(levels_run)[part::3]:
        run, found = levels_run(seed)
        of_run = run_plan(**run, reliability=found)
        runs = int(np.clip(5e5 * of_run.mtbf_s / LONG_S, 16, 400))
        shares = simulate_runs(of_run, runs=runs, seed=seed).shares(LONG_S)
        assert found.goodput_breakdown is not None
        for name, share in found.goodput_breakdown.items():
            assert shares[name] == pytest.approx(float(share[0]), abs=WITHIN), (seed, name)


def test_silent_corruption_takes_the_work_between_validations() -> None:
    """One an hour, found after 1,000 s of work at most: all of it is lost, however close the corruption was."""
    rare = plan(
        mtbf_s=DAY / 2,
        corruption_share=1.0,
        local_share=0.0,
        validation_interval_s=1000.0,
        remote_restart_s=0.0,
    )
    found = simulate_runs(rare, runs=4000, seed=11)
    assert found.lost_s.sum() / found.failures.sum() == pytest.approx(10 * 101, rel=0.01)
    none = simulate_runs(dataclasses.replace(rare, corruption_share=0.0, mtbf_s=1e15), runs=2, seed=11)
    assert none.lost_s == pytest.approx(0, abs=1e-6)


def test_drives_of_hosts_save_what_shared_storage_would_lose() -> None:
    slow = plan(local_share=0.0, drain_s=1e4, mtbf_s=6 * 3600.0, work_s=5 * DAY)
    drives = dataclasses.replace(slow, node_share=1.0, node_drain_s=10.0, node_restart_s=300.0)
    lost = [simulate_runs(one, runs=300, seed=12).lost_s.mean() for one in (slow, drives)]
    assert lost[0] > 20 * lost[1]
    assert lost[1] / simulate_runs(drives, runs=300, seed=12).failures.mean() == pytest.approx(60.5, rel=0.03)


def test_nothing_fails() -> None:
    found = simulate_runs(plan(mtbf_s=1e15), runs=5, seed=1)
    assert found.elapsed_s == pytest.approx(DAY + 863)  # no checkpoint after the last of 864 intervals
    assert found.failures.tolist() == [0] * 5
    assert found.checkpoint_s == pytest.approx(863)


def test_shares_add_up_and_a_seed_repeats() -> None:
    one, same, other = (simulate_runs(plan(), runs=200, seed=seed) for seed in (3, 3, 4))
    assert sum(one.shares(DAY).values()) == pytest.approx(1)
    assert (one.elapsed_s == same.elapsed_s).all()
    assert (one.elapsed_s != other.elapsed_s).any()
    assert (one.lost_s >= -1e-6).all()
    assert one.elapsed_s.std() > 0


def test_many_runs_are_those_of_one_after_another() -> None:
    """Runs leave the arrays as they end; none is lost, and none is counted twice."""
    found = simulate_runs(plan(work_s=600.0), runs=5000, seed=2)
    assert (found.elapsed_s >= 600).all()
    assert found.failures.min() == 0
    assert not found.extrapolated.any()


def test_a_repair_without_spares_is_waited_for() -> None:
    """Half an hour each time, exponential; with twenty spares nothing is waited for."""
    none = simulate_runs(plan(causes=UNITS), runs=400, seed=5)
    assert none.waiting_s.sum() / none.failures.sum() == pytest.approx(1800, rel=0.02)
    many = simulate_runs(plan(causes=UNITS, pool_units=20), runs=400, seed=5)
    assert many.waiting_s.max() == 0
    shared = simulate_runs(plan(causes=UNITS, copies=10.0), runs=400, seed=5)
    assert shared.waiting_s.sum() < none.waiting_s.sum() / 8


def test_a_tray_in_reserve_spares_the_wait() -> None:
    def waiting(reserve: int) -> float:
        trays = plan(causes=UNITS, pool_units=50, domains=4, reserve_units=reserve, unit_return_s=600.0)
        found = simulate_runs(trays, runs=200, seed=6)
        return float(found.waiting_s.sum() / found.failures.sum())

    assert waiting(0) == pytest.approx(600)
    assert waiting(1) < 100
    assert waiting(10) == 0


def test_copies_that_never_drain_cost_everything_that_falls_back_to_them() -> None:
    slow = plan(local_share=0.5, drain_s=1e9, mtbf_s=6 * 3600.0, work_s=DAY / 2)
    fast = dataclasses.replace(slow, drain_s=10.0)
    lost = [simulate_runs(one, runs=300, seed=7).lost_s.mean() for one in (slow, fast)]
    assert lost[0] > 20 * lost[1]


def test_runs_that_fail_all_the_time_are_extrapolated() -> None:
    found = simulate_runs(plan(mtbf_s=20.0), runs=4, seed=8)
    assert found.extrapolated.all()
    assert (found.elapsed_s > 10 * DAY).all()


def test_fleets_differ() -> None:
    rates = np.array([[360.0], [3600.0], [36000.0]]).repeat(200, axis=1).ravel()
    found = simulate_runs(plan(), runs=600, seed=9, mtbf_s=rates)
    means = found.elapsed_s.reshape(3, 200).mean(axis=1)
    assert means[0] > 1.2 * means[1] > 1.2 * DAY
    assert means[2] < 1.05 * DAY


def test_timeline_is_one_of_the_runs() -> None:
    mixed = plan(causes=(*UNITS, *plan().causes), pool_units=1, local_share=0.8, drain_s=30.0)
    elapsed, failures = simulate_timeline(mixed, seed=10)
    assert elapsed == simulate_runs(mixed, runs=1, seed=10).elapsed_s[0]
    times = [one.at_s for one in failures]
    assert times == sorted(times)
    assert times[-1] < elapsed
    assert {one.cause.component for one in failures} == {"hosts", "software"}
    assert all(one.lost_s >= 0 and 0 <= one.done_s <= DAY for one in failures)
    assert all(one.waiting_s == 0 for one in failures if one.cause.component == "software")
    assert {one.from_memory for one in failures} == {True, False}


@pytest.mark.parametrize(
    "changes",
    [
        {"mtbf_s": 0.0},
        {"mtbf_s": -1.0},
        {"mtbf_s": np.nan},
        {"work_s": 0.0},
        {"stall_s": -1.0},
        {"pool_units": -1},
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a run"):
        simulate_runs(plan(**changes), runs=1, seed=1)
    with pytest.raises(ValueError, match="not a run"):
        simulate_runs(plan(), runs=0, seed=1)
    with pytest.raises(ValueError, match="above zero"):
        simulate_runs(plan(), runs=1, seed=1, mtbf_s=np.array([-1.0]))
