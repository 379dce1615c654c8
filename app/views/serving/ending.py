"""Limit of the load of a replica: SLO, prefill instances or memory."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.arrivals import PREFILL
from app.engine.performance.serving.queueing import MOST_UTILISED
from app.engine.performance.serving.slo import pod_tpot_s, pod_ttft_s
from app.engine.trace import first_of
from app.views.serving.loads import Loads
from app.views.serving.served import Served

SATURATED = 0.99
"""Of the prompts that the prefill instances of a group can take: beyond it they, and no promise, limit the group."""


def what_ends(found: Served, grid: Loads, most: int | None) -> str:
    """Limit of a replica at the load `most` of the grid.

    ttft or tpot, the time that is first over its SLO beyond it; prefill, where prompts come as fast as they can be
    prefilled; memory; or none where no load meets the SLO.
    """
    if most is None:
        return "none"
    if _prefill_is_full(found, grid, most):
        return "prefill"
    beyond = np.flatnonzero((grid.over_promise > 1) & (np.arange(grid.over_promise.size) > most))
    if not beyond.size:
        return "memory"
    row = int(beyond[0])
    busiest = {
        name: float(np.broadcast_to(busy, grid.concurrency.shape)[row])
        for name, busy in grid.answers.busy.items()
    }
    full = [name for name, busy in busiest.items() if busy > MOST_UTILISED]
    if full:
        return "prefill" if PREFILL in full else "memory"
    return worse_of(found, grid, row)


def worse_of(found: Served, grid: Loads, row: int) -> str:
    """Which time is further over its SLO at one of the loads: ttft or tpot. A time without an SLO is over none."""
    workload = found.setting.workload
    over = {
        "ttft": grid.ttft_within_s[row] / first_of(pod_ttft_s(workload)),
        "tpot": grid.tpot_within_s[row] / first_of(pod_tpot_s(workload)),
    }
    return max(over, key=lambda name: -1.0 if np.isnan(over[name]) else over[name])


def _prefill_is_full(found: Served, grid: Loads, most: int) -> bool:
    """Where a group answers most within the SLO, its prefill instances are as good as always busy.

    More requests in flight then only wait for them longer: a longer promise would let in more, and answer no more.
    """
    instances = found.replica.prefill_instances
    if instances is None:
        return False
    at_most = first_of(instances) / grid.prefill_cost_s[most]
    return bool(grid.requests_per_s[most] >= SATURATED * at_most)
