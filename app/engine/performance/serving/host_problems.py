"""The memory of the host: too small for weights or adapters, or a way out where accelerators hold too little."""

from __future__ import annotations

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.adapters import adapter_bytes_each
from app.engine.performance.serving.host_share import least_share
from app.engine.performance.serving.replica_load import in_host_by, request_limit_of
from app.engine.performance.serving.replica_memory import replica_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import EXPERTS, Setting, with_host_weights
from app.engine.performance.serving.space import DEGREES
from app.engine.problems import Fix, Problem
from app.engine.specs import HostWeights, ServingLayout
from app.engine.trace import median_of

FIELD = "workload.host_weights"
WORDS = {EXPERTS: "routed experts", "layers": "layers"}


def host_memory_problem(performance: ServingPerformance) -> Problem | None:
    """The memory of the host does not hold what is to lie there."""
    if performance.offloaded_per_accelerator_bytes is None or performance.offload_capacity_bytes is None:
        return None
    used = median_of(performance.offloaded_per_accelerator_bytes)
    room = median_of(performance.offload_capacity_bytes)
    size = "supernode.override.host_memory_bytes"
    if np.isnan(room):
        return Problem(
            kind="warning",
            field=size,
            constraint="host_memory",
            message=f"Weights need {used / 1e9:,.1f} GB of host memory for each accelerator, and how much this SuperNode has "
            f"is not published: state {size}.",
        )
    if not used > room:
        return None
    return Problem(
        kind="infeasible",
        field=f"{FIELD}.share",
        constraint="host_memory",
        message=f"Weights need {used / 1e9:,.1f} GB of host memory for each accelerator and there are {room / 1e9:,.1f} GB: "
        f"{(used - room) / 1e9:,.1f} GB too much. A smaller share, a smaller number format or hosts with more memory "
        f"({size}) would hold them.",
        value=used,
        limit=room,
        missed_by=used - room,
        unit="B",
    )


def adapter_memory_problem(setting: Setting) -> Problem | None:
    """The memory of the host does not hold all adapters."""
    own = setting.model.adapters
    if own is None:
        return None
    whole = ServingLayout(**dict.fromkeys(DEGREES, np.ones(1)))
    each = median_of(adapter_bytes_each(own, whole))
    used = each * median_of(own.asked.count)
    room = median_of(setting.host.capacity_bytes) * median_of(setting.supernode_accelerators)
    if not used > room:
        return None
    fits = float(np.floor(room / each))
    return Problem(
        kind="warning",
        field="workload.adapters.count",
        constraint="host_memory",
        message=f"{median_of(own.asked.count):,.0f} adapters of {each / 1e6:,.0f} MB take {used / 1e9:,.1f} GB, and a SuperNode has "
        f"{room / 1e9:,.1f} GB of host memory: the others come from drives, which is slower than counted here.",
        value=used,
        limit=room,
        missed_by=used - room,
        unit="B",
        fix=Fix(
            field="workload.adapters.count",
            value=fits,
            message=f"{fits:,.0f} adapters fit the memory of the host.",
        ),
    )


def way_out(setting: Setting, performance: ServingPerformance) -> Fix | None:
    """Weights in the host with which a request would fit; None where it would not, or where some lie there."""
    offer = setting.workload.host_way
    if setting.workload.host_weights is not None or offer is None:
        return None
    bare: Setting = central(setting)
    share = least_share(bare, offer)
    if not 0 < share[0] <= 1:
        return None
    tried = with_host_weights(bare, HostWeights(way=offer, share=share))
    replica = replica_of(performance)
    needed = in_host_by(tried, replica, replica.decode.data_parallel)
    if request_limit_of(tried, replica)[0] < 1 or median_of(needed) > median_of(setting.host.capacity_bytes):
        return None
    return Fix(
        field=f"{FIELD}.part",
        value=offer.part,
        message=f"With host_weights: {{part: {offer.part}}} {share[0]:.0%} of the {WORDS[offer.part]} would lie in the memory of the "
        "host, and answers would be slower.",
    )
