"""Layouts as a struct of arrays, and the few distinct layer shapes among them.

What a layer costs depends only on tensor, context and expert parallelism, micro-batch, recomputation
and sequence parallelism. A search holds thousands of layouts but some hundred such shapes: layer
costs are computed once a shape, (s, u), and gathered on the last axis into (s, n).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.quantities import quantity
from app.engine.specs import Layout
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerShapes:
    """The distinct ways to run a layer; every field of shape (u,)."""

    tensor_parallel: Array
    context_parallel: Array
    expert_parallel: Array
    expert_tensor_ranks: Array
    micro_batch: Array
    sequence_parallel: Array  # 0 or 1
    recompute: Array  # share of the forward pass done again
    selective_recompute: Array  # 0 or 1
    tensor_overlap: Array  # 0 or 1
    context_exchange: Array  # by its number in context_exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """Layouts; every field of shape (n,), `shape_index` points into `shapes`."""

    tensor_parallel: Array
    pipeline_parallel: Array
    context_parallel: Array
    expert_parallel: Array
    expert_tensor_ranks: Array
    data_parallel: Array
    virtual_stages: Array
    micro_batch: Array
    zero_stage: Array
    reshard: Array
    sequence_parallel: Array
    recompute: Array
    selective_recompute: Array
    tensor_overlap: Array
    data_overlap: Array
    pipeline_inside: Array
    shard_ranks: Array
    optimizer_offload: Array
    activation_offload: Array
    offload_tier: Array
    context_exchange: Array
    schedule: Array
    shapes: LayerShapes
    shape_index: NDArray[np.intp]

    @property
    def size(self) -> int:
        return int(self.shape_index.size)

    def of_shapes(self, values: Array) -> Array:
        """Values of layer shapes, repeated for each layout."""
        single = self.size == 1 and values.shape[-1] == 1
        return values if single else values[..., self.shape_index]


@quantity(unit="1", source="[1] Narayanan et al. 2021, arXiv 2104.04473", at="performance.strategy.dp")
def data_parallel(
    *, accelerators_used: Array, tensor_parallel: Array, pipeline_parallel: Array, context_parallel: Array
) -> Array:
    """Data parallelism.

    Accelerators over those that share one copy of the model: n / (tp x pp x cp).
    """
    return accelerators_used / (tensor_parallel * pipeline_parallel * context_parallel)


def strategy_of(*, layout: Layout, accelerators_used: Array) -> Strategy:
    """One layout as a strategy of length one."""
    stated = {field.name: getattr(layout, field.name) for field in fields(Layout)}
    return Strategy(
        **stated,
        data_parallel=data_parallel(
            accelerators_used=accelerators_used,
            tensor_parallel=layout.tensor_parallel,
            pipeline_parallel=layout.pipeline_parallel,
            context_parallel=layout.context_parallel,
        ),
        shapes=LayerShapes(**{field.name: stated[field.name] for field in fields(LayerShapes)}),
        shape_index=np.zeros(1, dtype=np.intp),
    )


def take(strategy: Strategy, chosen: Any) -> Strategy:
    """Some of the layouts, in the order of `chosen` (a slice, mask or index array)."""
    values = {
        field.name: getattr(strategy, field.name)[chosen]
        for field in fields(Strategy)
        if field.name != "shapes"
    }
    return Strategy(shapes=strategy.shapes, **values)
