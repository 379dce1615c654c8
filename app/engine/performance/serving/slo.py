"""What the pod itself must keep: the time-to-first-token SLO, or what the network leaves of a budget."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.regions import ttft_allowed_s
from app.engine.quantities import quantity
from app.engine.specs import ServingWorkload
from app.engine.trace import Array


@quantity(unit="s", source="definition", leaf=True)
def strictest_ttft_s(*, promised_s: Array, allowed_s: tuple[Array, ...]) -> Array:
    """Time to first token to keep.

    The least of the SLO to all users and what the network leaves of the budgets of their places; not a
    number without an SLO. A place whose network alone takes its budget asks nothing of the pod, as no
    pod could keep it.
    """
    least = promised_s
    for allowed in allowed_s:
        least = np.fmin(least, np.where(allowed > 0, allowed, np.nan))
    return least


@quantity(unit="s", source="definition")
def kept_tpot_s(*, promised_s: Array, output_tokens: Array) -> Array:
    """Time per output token to keep; NaN without an SLO, or answers end with one."""
    return np.where(output_tokens > 1, promised_s, np.nan)


def pod_tpot_s(workload: ServingWorkload) -> Array:
    """The time per output token that the pod must keep at the SLO percentile."""
    return kept_tpot_s(promised_s=workload.level.tpot_s, output_tokens=workload.requests.output_tokens)


def pod_ttft_s(workload: ServingWorkload) -> Array:
    """The time to the first token that the pod must keep at the SLO percentile."""
    regions = () if workload.demand is None else workload.demand.regions
    if not regions:
        return workload.level.ttft_s
    return strictest_ttft_s(
        promised_s=workload.level.ttft_s,
        allowed_s=tuple(
            ttft_allowed_s(latency_budget_s=region.latency_budget_s, round_trip_s=region.round_trip_s)
            for region in regions
        ),
    )
