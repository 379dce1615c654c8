"""A modest set of layouts: for a model that no layout of the search holds, and for weights in the memory of the host."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.engine_rules import runs
from app.engine.performance.serving.replica_load import Replica
from app.engine.performance.serving.setting import Setting
from app.engine.specs import ServingLayout
from app.engine.trace import Array, first_of

WIDEST = 128.0
"""Accelerators of an instance that spans several scale-up domains; larger ones stay within one domain."""
STAGES = (1.0, 2.0, 4.0, 8.0)
"""Pipeline stages that are tried, fewest first: more only where no layout with fewer holds a request."""
INSTANCES = (1, 2, 3, 4, 6, 8)
"""Instances of a group that are tried of each kind."""
DEGREES = (
    "tensor_parallel",
    "data_parallel",
    "pipeline_parallel",
    "expert_parallel",
    "redundant_experts",
    "context_parallel",
)
NO_INSTANCES: dict[str, Array] = dict.fromkeys(DEGREES, np.zeros(0))
CUTS = (1.0, 2.0, 4.0, 8.0)
"""Ranks that a prompt is cut over, that are tried of instances that only read prompts."""


def layouts_that_hold(
    setting: Setting, limit: Callable[[ServingLayout], Array], cuts: tuple[float, ...] = (1.0,)
) -> ServingLayout:
    """Layouts with the fewest pipeline stages of which one holds a request; those with one stage where none does.

    Parameters
    ----------
    limit : requests that an instance of each of many layouts holds
    cuts : ranks that a prompt may be cut over
    """
    for stages in STAGES:
        layouts = layouts_of(setting, stages, cuts)
        if layouts.accelerators.size and (limit(layouts) >= 1).any():
            return layouts
    return layouts_of(setting, cuts=cuts)


def cuts_of(setting: Setting) -> tuple[float, ...]:
    """Ranks that prompts may be cut over: one, but of long prompts as many as are tried, where the engine cuts them.

    A prompt that one pass takes is bound by starting kernels and reading weights, which every rank does whole.
    """
    asked, m = setting.workload.requests, setting.workload.architecture
    new = first_of(asked.input_tokens * (1 - asked.cached_share))
    long = new > first_of(setting.assumptions.chunk_tokens)
    return CUTS if setting.workload.cuts_prompts and long and first_of(m.linear_layers) == 0 else CUTS[:1]


def layouts_of(setting: Setting, stages: float = 1.0, cuts: tuple[float, ...] = (1.0,)) -> ServingLayout:
    """Layouts of one instance, of shape (n,). Works on bare values of one sample.

    Tensor parallelism by powers of two that divide the heads, within a scale-up domain. A mixture of experts is
    tried with several replicas of attention too, its experts cut over all ranks or, where they can be dealt out,
    whole ones on each; the engine of the workload must run it.
    """
    m = setting.workload.architecture
    domain = first_of(setting.machine.domain_accelerators)
    used = first_of(setting.accelerators_used) // stages  # for each stage
    if used < 1 or first_of(m.layers) < stages:
        return ServingLayout(**NO_INSTANCES)
    experts = first_of(m.experts)
    tensor = [tp for tp in _powers(min(used, domain)) if first_of(m.heads) % tp == 0]
    rows = [
        (tp, dp, stages, ep, 0.0, cp)
        for tp in tensor
        for dp in (_powers(min(used, max(domain, WIDEST // stages)) // tp) if experts > 0 else [1.0])
        for cp in cuts
        if tp * dp * cp <= used
        for ep in sorted({1.0, tp * dp * cp if experts > 0 and experts % (tp * dp * cp) == 0 else 1.0})
    ]
    layouts = ServingLayout(**dict(zip(DEGREES, np.array(rows).T, strict=True)))
    return at_rows(
        layouts, np.flatnonzero(runs(setting.workload, setting.machine.domain_accelerators, layouts))
    )


def groups_of(
    *,
    prefill: ServingLayout,
    decode: ServingLayout,
    prefill_instances: Array | None,
    decode_instances: Array | None,
    has_room: Callable[[Replica], NDArray[np.bool_]],
) -> Replica:
    """Groups of prefill and decode instances that fit the pod, of shape (n,): each layout in each ratio.

    The smallest group of a ratio stands for all its multiples. Where none fits, each layout in the first ratio.

    Parameters
    ----------
    prefill, decode : one layout of a prefill instance, several of a decode instance
    prefill_instances, decode_instances : of a group; None leaves them open
    has_room : whether the pod has the accelerators of each group
    """
    tried = [
        INSTANCES if given is None else (round(first_of(given)),)
        for given in (prefill_instances, decode_instances)
    ]
    stated = prefill_instances is not None and decode_instances is not None
    ratios = [
        (p, d)
        for p in tried[0]
        for d in tried[1]
        if stated or gcd(p, d) == 1 or len(set(map(len, tried))) > 1
    ]
    size = np.broadcast(*(getattr(decode, name) for name in DEGREES)).size
    rows = np.repeat(np.arange(size), len(ratios))
    counts = np.tile(np.array(ratios, dtype=float), (size, 1))
    whole = Replica(
        decode=at_rows(decode, rows),
        decode_instances=counts[:, 1],
        prefill=prefill,
        prefill_instances=counts[:, 0],
    )
    held = np.flatnonzero(has_room(whole))
    return replica_rows(whole, held if held.size else np.arange(0, rows.size, len(ratios)))


def at_rows(layout: ServingLayout, rows: NDArray[np.intp]) -> ServingLayout:
    """Some of many layouts, in the order of `rows`."""
    columns = np.broadcast_arrays(*(getattr(layout, name) for name in DEGREES))
    return ServingLayout(**dict(zip(DEGREES, (column[rows] for column in columns), strict=True)))


def replica_rows(replica: Replica, rows: NDArray[np.intp]) -> Replica:
    """Some of many replicas, in the order of `rows`."""
    size = replica_count(replica)

    def layout(each: ServingLayout) -> ServingLayout:
        return at_rows(
            ServingLayout(**{name: np.broadcast_to(getattr(each, name), size) for name in DEGREES}), rows
        )

    prefill, instances = replica.prefill, replica.prefill_instances
    return Replica(
        decode=layout(replica.decode),
        decode_instances=np.broadcast_to(replica.decode_instances, size)[rows],
        prefill=None if prefill is None else layout(prefill),
        prefill_instances=None if instances is None else np.broadcast_to(instances, size)[rows],
    )


def replica_count(replica: Replica) -> int:
    """Number of replicas to choose from."""
    return int(np.broadcast(replica.accelerators, replica.decode_instances).size)


def _powers(limit: float) -> list[float]:
    """1, 2, 4, ... up to a limit that is at least 1."""
    count = int(np.log2(max(limit, 1.0))) + 1
    return [float(2**power) for power in range(count)]
