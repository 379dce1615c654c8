"""Racks, feeds and planes: by hand, against the simulation, and what must hold over random designs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.engine.running.shared_parts import (
    SharedPart,
    left_by_planes,
    share_of_copies,
    share_of_plane,
    waiting_with_shared_parts_s,
    with_shared_parts,
)
from app.engine.running.training_run import simulate_runs
from app.views.operations.checkpoints import useful_share
from tests.engine.running.test_training_run import DAY, WITHIN, plan
from tests.support import part_of

HOUR = 3600.0


def part(**changes: object) -> SharedPart:
    """A feed that stops the whole job twice a day for half an hour."""
    values: dict[str, object] = {
        "name": "feeds", "label": "Feeds", "count": 1.0, "failures_per_day": 2.0, "out_s": HOUR / 2, "taken_share": 1.0,
        "lost_share": 1.0, "stops": True,
    }  # fmt: skip
    return SharedPart(**values | changes)  # type: ignore[arg-type]


def by_formula(own: object, parts: tuple[SharedPart, ...]) -> float:
    whole = with_shared_parts(own, parts)  # type: ignore[arg-type]
    waits = waiting_with_shared_parts_s(own, 0.0, parts)  # type: ignore[arg-type]
    useful = useful_share(whole, waits, np.array([whole.interval_s]), None)
    return float(useful[0]) * left_by_planes(parts)


def test_copies_and_planes_by_hand() -> None:
    assert share_of_copies(1 / 64, 1) == 1
    assert share_of_copies(1 / 64, 8) == 1 / 8
    assert share_of_copies(3 / 8, 8) == 3 / 8
    assert share_of_plane(0.3, 1) == 1
    assert share_of_plane(0.3, 2) == pytest.approx(1 - 1 / 1.3)
    assert share_of_plane(0.0, 2) == 0
    losses = [share_of_plane(0.3, planes) for planes in (1, 2, 4, 8)]
    assert losses == sorted(losses, reverse=True)


def test_no_parts_are_the_run_itself() -> None:
    own = plan()
    whole = with_shared_parts(own, ())
    assert whole == own
    found = [simulate_runs(one, runs=50, seed=1).elapsed_s for one in (own, whole)]
    assert (found[0] == found[1]).all()


def test_an_outage_is_waited_for_by_what_it_holds() -> None:
    """Half an hour twice a day: 4 % of the time for a job that waits as a whole, a quarter of it for one of four copies."""
    quiet = plan(mtbf_s=1e12, work_s=50 * DAY, interval_s=50 * DAY / 4000, stall_s=0.0, local_restart_s=0.0, remote_restart_s=0.0)  # fmt: skip
    whole = simulate_runs(with_shared_parts(quiet, (part(),)), runs=100, seed=2)
    assert whole.waiting_s.sum() / whole.failures.sum() == pytest.approx(HOUR / 2, rel=0.03)
    shared = simulate_runs(with_shared_parts(quiet, (part(lost_share=0.25),)), runs=100, seed=2)
    assert shared.waiting_s.sum() / shared.failures.sum() == pytest.approx(HOUR / 8, rel=0.03)


def test_a_plane_slows_and_does_not_stop() -> None:
    """Ten hours per day at nine tenths of the speed: 1 in 24 of the time, no work lost and nothing restarted."""
    quiet = plan(mtbf_s=1e12, work_s=50 * DAY, interval_s=DAY, stall_s=0.0)
    plane = part(name="plane", failures_per_day=10.0, out_s=HOUR, lost_share=0.1, stops=False)
    found = simulate_runs(with_shared_parts(quiet, (plane,)), runs=400, seed=3)
    assert found.lost_s == pytest.approx(0, abs=1e-3)
    assert found.restart_s.sum() == 0
    assert found.waiting_s.sum() / found.elapsed_s.sum() == pytest.approx(1 / 24, rel=0.02)
    assert left_by_planes((plane,)) == pytest.approx(1 - 1 / 24)


@pytest.mark.parametrize("seed", part_of(range(24)))
def test_closed_form_holds(seed: int) -> None:
    """Useful time of random runs with racks, a feed, cooling and planes, whose failures are made frequent."""
    draw = np.random.default_rng(seed)
    own = plan(
        work_s=200 * DAY, mtbf_s=float(10 ** draw.uniform(4, 5.5)), interval_s=float(draw.uniform(60, 600)),
        stall_s=float(draw.uniform(0.5, 3)), drain_s=float(draw.uniform(0, 900)), local_share=float(draw.uniform(0.5, 0.95)),
    )  # fmt: skip
    parts = tuple(
        part(
            name=name,
            failures_per_day=float(10 ** draw.uniform(-2, 0)),
            out_s=float(draw.uniform(0.1, 2)) * HOUR,
            lost_share=float(draw.uniform(0.05, 1)),
        )
        for name in ("rack", "feeds", "cooling")
    )
    slow = part(
        name="plane", failures_per_day=float(draw.uniform(0, 1)), out_s=2 * HOUR, lost_share=0.1, stops=False
    )
    parts = (*parts, slow)
    ettr = by_formula(own, parts)
    assert ettr > 0.75
    found = simulate_runs(with_shared_parts(own, parts), runs=60, seed=seed).shares(own.work_s)
    assert found["productive"] == pytest.approx(ettr, abs=WITHIN)
    worse = tuple(dataclasses.replace(one, failures_per_day=2 * one.failures_per_day) for one in parts)
    assert by_formula(own, worse) < ettr < by_formula(own, ())
