"""The best case of a training pod before any layout is searched for: no layout can beat it.

The job computes at the highest sustained rate without exchange or failures, and accelerators draw the lower
of their power computing all the time and waiting all the time. Everything else (equipment, fabric, building,
prices) is evaluated as it is. So figures of the best case are lower bounds of those of the design with any
layout: of its time, its power, its cost and its carbon.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.design import at_same_speed, evaluate_fabric_of
from app.engine.evaluation import Sections
from app.engine.explore.least_time import LeastSpeed
from app.engine.fabric.section import Fabric
from app.engine.performance.busy import COMPUTING
from app.engine.performance.section import Performance
from app.engine.specs import Design
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class BestCase:
    """Lower bounds over pods, each of shape (n,); NaN where an input is unknown, which rules out nothing."""

    time_s: Array
    capex_usd: Array
    meter_power_w: Array
    tco_usd: Array
    run_usd: Array
    carbon_kg: Array
    rented_usd: dict[str, tuple[Array, Array]]
    """Of reserved and on_demand: the rent of a run, and of as much work as the pod would do over its life."""


def best_case(pods: Design, sections: Sections, speed: LeastSpeed, fabric: Fabric | None = None) -> BestCase:
    """The best case of many pods at once.

    Parameters
    ----------
    pods : a design whose numbers of SuperNodes are of shape (n, 1)
    sections : of one pod of the same hardware and job with any layout
    speed : as of `least_speed_of`
    fabric : as of `fabric_of`, which is the same at every place
    """
    known = sections.performance
    assert isinstance(known, Performance), "the pod trains"
    rows = pods.pod.supernodes.size
    both = _twice(pods)
    share = np.repeat([0.0, 1.0], rows)[:, None]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        time_s = speed.training_time_s(both)
        step_s = time_s / known.steps
        ideal = replace(
            known,
            step_time_s=step_s,
            training_time_s=time_s,
            tokens_per_s=known.tokens_per_step / step_s,
        )
        found = at_same_speed(
            both,
            replace(
                sections, performance=_busy(ideal, step_s, share), fabric=fabric or evaluate_fabric_of(both)
            ),
        )
        elapsed_s = found.performance.elapsed_time_s
        assert elapsed_s is not None, "a run ends"
        without_failures = np.ravel(time_s / elapsed_s)[:rows]

        def least(figure: Array | None) -> Array:
            """The lower of the figure with all accelerators waiting and with all computing."""
            values = (
                np.full(2 * rows, np.nan) if figure is None else np.broadcast_to(np.ravel(figure), 2 * rows)
            )
            lower: Array = np.minimum(values[:rows], values[rows:]).astype(float)
            return lower

        def rented(kind: str) -> tuple[Array, Array]:
            run: Array | None = getattr(found.cost, f"usd_per_run_rented_{kind}")
            owned = found.cost.usd_per_run
            life = None if run is None or owned is None else found.cost.tco_usd * run / owned
            return least(run) * without_failures, least(life)

        return BestCase(
            rented_usd={kind: rented(kind) for kind in ("reserved", "on_demand")},
            time_s=np.ravel(time_s)[:rows].astype(float),
            capex_usd=least(found.cost.capex_usd),
            meter_power_w=least(found.power.utility_peak_w),
            tco_usd=least(found.cost.tco_usd),
            run_usd=least(found.cost.usd_per_run) * without_failures,
            carbon_kg=least(found.carbon.total_kg) * without_failures,
        )


def served_case(pods: Design, sections: Sections, fabric: Fabric) -> dict[str, Array]:
    """Cost and power of pods that serve, by key; neither depends on the speed of the served model.

    Parameters
    ----------
    pods : a design whose numbers of SuperNodes are of shape (n, 1)
    sections : of one pod of the same hardware that serves the same
    fabric : of the pods
    """
    rows = pods.pod.supernodes.size
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        found = at_same_speed(pods, replace(sections, fabric=fabric))
    figures = {
        "capex_usd": found.cost.capex_usd,
        "meter_power_w": found.power.utility_peak_w,
        "tco_usd": found.cost.tco_usd,
    }
    return {key: np.broadcast_to(np.ravel(one), rows).astype(float) for key, one in figures.items()}


def fabric_of(pods: Design) -> Fabric:
    """The fabric of the pods, as `best_case` needs it."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        return evaluate_fabric_of(_twice(pods))


def _twice(pods: Design) -> Design:
    """Every pod twice: once for accelerators that all wait, once for accelerators that all compute."""
    counts, used = (
        np.tile(one.reshape(-1, 1), (2, 1)) for one in (pods.pod.supernodes, pods.pod.accelerators_used)
    )
    return replace(pods, pod=replace(pods.pod, supernodes=counts, accelerators_used=used))


def _busy(performance: Performance, step_s: Array, share: Array) -> Performance:
    """The job with accelerators that compute in a share of the step."""
    parts = performance.time_breakdown_s
    split = {name: np.zeros_like(step_s) if name in COMPUTING else part for name, part in parts.items()}
    split |= {COMPUTING[0]: share * step_s, "calibration": np.zeros_like(step_s)}
    return replace(performance, time_breakdown_s=split)
