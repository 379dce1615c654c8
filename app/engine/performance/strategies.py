"""The layouts that `parallelism: auto` looks through: a modest set of those that can run."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from app.engine.performance.strategy import LayerShapes, Strategy
from app.engine.specs import SuperNode, TrainingWorkload
from app.engine.trace import Array

TENSOR = (1, 2, 4, 8, 16, 32, 64)
PIPELINE = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
CONTEXT = (1, 2, 4, 8, 16)
EXPERT = (1, 2, 4, 8, 16, 32, 64)
MICRO_BATCH = (1, 2, 4)
NONE, SELECTIVE, FULL = 0, 1, 2  # recomputation
VIRTUAL = (1, 2, 4, 8)
ZERO = (1, 2, 3)

SHORTEST_CHUNK_TOKENS = 4096  # context parallelism is not tried below this share of the sequence


def candidates(*, workload: TrainingWorkload, supernode: SuperNode, accelerators_used: Array) -> Strategy:
    """Every layout of the set that can run on this many accelerators; works on bare values.

    Layer shapes come from the enumeration itself: the outer axes are the shapes, the inner ones what
    layouts of one shape differ in.
    """
    m = workload.architecture
    used = _value(accelerators_used)
    domain, heads = _value(supernode.scale_up_domain_accelerators), _value(m.heads)
    kv_heads = heads if m.attention == "mla" else _value(m.kv_heads)
    experts, layers = _value(m.experts), _value(m.layers)
    sequence, batch = _value(workload.sequence_length), _value(workload.global_batch_sequences)
    tensor = [
        t for t in TENSOR if t <= domain and heads % t == 0 and (kv_heads % t == 0 or t % kv_heads == 0)
    ]
    context = [c for c in CONTEXT if c == 1 or (sequence % c == 0 and sequence / c >= SHORTEST_CHUNK_TOKENS)]
    expert = [e for e in EXPERT if e == 1 or (experts and experts % e == 0)]
    shapes = _grid(tensor, context, expert, MICRO_BATCH, (NONE, SELECTIVE, FULL))
    inner = _grid([p for p in PIPELINE if p <= layers], VIRTUAL, ZERO)
    index = np.repeat(np.arange(shapes.shape[1]), inner.shape[1])
    tp, cp, ep, micro_batch, again = shapes[:, index]
    pp, vpp, zero = np.tile(inner, shapes.shape[1])
    dp = used / (tp * pp * cp)
    sharded = np.where(ep > 1, dp * cp * tp, dp * cp)
    possible = (
        (dp == np.floor(dp))
        & (batch % np.maximum(dp * micro_batch, 1) == 0)
        & (dp * micro_batch <= batch)
        # Embedding and head may stand in for a layer each: 126 layers on 16 x 8 chunks.
        & (vpp * pp <= layers + 2)
        & ((pp > 1) | (vpp == 1))
        & (np.where(ep > 1, sharded % ep, 0) == 0)
        # Sharding over one replica shards nothing.
        & ((dp * cp > 1) | (zero == 1))
    )
    outer_tp, outer_cp, outer_ep, outer_micro_batch, outer_again = shapes
    every = Strategy(
        tensor_parallel=tp,
        pipeline_parallel=pp,
        context_parallel=cp,
        expert_parallel=ep,
        data_parallel=dp,
        virtual_stages=vpp,
        micro_batch=micro_batch,
        zero_stage=zero,
        sequence_parallel=np.where(tp > 1, 1.0, 0.0),
        recompute=np.where(again == FULL, 1.0, 0.0),
        selective_recompute=np.where(again == SELECTIVE, 1.0, 0.0),
        shapes=LayerShapes(
            tensor_parallel=outer_tp,
            context_parallel=outer_cp,
            expert_parallel=outer_ep,
            micro_batch=outer_micro_batch,
            sequence_parallel=np.where(outer_tp > 1, 1.0, 0.0),
            recompute=np.where(outer_again == FULL, 1.0, 0.0),
            selective_recompute=np.where(outer_again == SELECTIVE, 1.0, 0.0),
        ),
        shape_index=index,
    )
    kept = {
        field.name: getattr(every, field.name)[possible]
        for field in fields(Strategy)
        if field.name != "shapes"
    }
    return Strategy(shapes=every.shapes, **kept)


def _grid(*axes: list[int] | tuple[int, ...]) -> Array:
    """Every combination, one row an axis."""
    return np.stack([part.ravel() for part in np.meshgrid(*axes, indexing="ij")]).astype(float)


def _value(array: Array) -> float:
    return float(np.median(array))
