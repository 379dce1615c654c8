"""Accelerators of an instance, by what they share."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def stage_ranks(*, tensor_parallel: Array, data_parallel: Array, context_parallel: Array) -> Array:
    """Accelerators of a pipeline stage: tensor-parallel ranks of all copies of attention."""
    return tensor_parallel * data_parallel * context_parallel


@quantity(unit="1", source="definition")
def attention_copies(*, data_parallel: Array, context_parallel: Array) -> Array:
    """Copies of what is outside the experts: replicas of attention, each for all ranks that a prompt is cut over."""
    return data_parallel * context_parallel


@quantity(unit="1", source="definition")
def instance_accelerators(
    *, tensor_parallel: Array, data_parallel: Array, pipeline_parallel: Array, context_parallel: Array
) -> Array:
    """Accelerators of one instance."""
    return tensor_parallel * data_parallel * pipeline_parallel * context_parallel


def ranks_of(layout: ServingLayout) -> Array:
    """Accelerators that share the experts of a layer."""
    return stage_ranks(
        tensor_parallel=layout.tensor_parallel,
        data_parallel=layout.data_parallel,
        context_parallel=layout.context_parallel,
    )


def copies_of_attention(layout: ServingLayout) -> Array:
    """Copies of what is outside the experts that an instance has."""
    return attention_copies(data_parallel=layout.data_parallel, context_parallel=layout.context_parallel)


def accelerators_of(layout: ServingLayout) -> Array:
    """Accelerators of an instance with a layout."""
    return instance_accelerators(
        tensor_parallel=layout.tensor_parallel,
        data_parallel=layout.data_parallel,
        pipeline_parallel=layout.pipeline_parallel,
        context_parallel=layout.context_parallel,
    )
