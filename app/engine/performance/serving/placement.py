"""Where instances lie: a pipeline stage within one scale-up domain, or over whole ones."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.expert_load import accelerators_of, ranks_of
from app.engine.performance.serving.split import group_accelerators
from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array

_FIRST_FIT = (
    "first fit, widest first: [1] Johnson 1973, Near-optimal bin packing algorithms, MIT; no domain holds parts of a "
    "stage that fits in one"
)
NONE = np.zeros(1)


@quantity(unit="1", source="definition")
def wide_domains(*, ranks: Array, stages: Array, domain_accelerators: Array) -> Array:
    """Scale-up domains of stages that are wider than one."""
    return np.where(ranks > domain_accelerators, stages * np.ceil(ranks / domain_accelerators), 0.0)


@quantity(unit="1", source=_FIRST_FIT)
def narrow_domains(
    *, ranks: Array, stages: Array, other_ranks: Array, other_stages: Array, domain_accelerators: Array
) -> Array:
    """Scale-up domains of stages of two kinds that each fit in one.

    Wider stages are placed first, narrower ones in the space that is left.
    """
    inside, other_inside = ranks <= domain_accelerators, other_ranks <= domain_accelerators
    one, other = np.where(inside, stages, 0.0), np.where(other_inside, other_stages, 0.0)
    first = ranks >= other_ranks
    wide, narrow = np.where(first, ranks, other_ranks), np.where(first, other_ranks, ranks)
    wide_count, narrow_count = np.where(first, one, other), np.where(first, other, one)
    each = np.maximum(np.floor(domain_accelerators / wide), 1.0)
    domains = np.ceil(wide_count / each)
    last = wide_count - np.maximum(domains - 1, 0.0) * each
    beside_full = np.floor(np.maximum(domain_accelerators - each * wide, 0.0) / narrow)
    beside_last = np.floor(np.maximum(domain_accelerators - last * wide, 0.0) / narrow)
    beside = np.where(domains > 0, (domains - 1) * beside_full + beside_last, 0.0)
    left = np.maximum(narrow_count - beside, 0.0)
    found: Array = domains + np.ceil(left / np.maximum(np.floor(domain_accelerators / narrow), 1.0))
    return found


@quantity(unit="1", source="definition")
def placed_accelerators(*, accelerators: Array, domains: Array, domain_accelerators: Array) -> Array:
    """Accelerators that a replica takes up: its own, and where they leave gaps all of its scale-up domains."""
    gaps = domains > np.ceil(accelerators / domain_accelerators)
    return np.where(gaps, domains * domain_accelerators, accelerators)


def placed_of(
    *,
    domain_accelerators: Array,
    decode: ServingLayout,
    decode_instances: Array,
    prefill: ServingLayout | None = None,
    prefill_instances: Array | None = None,
) -> Array:
    """Accelerators that a replica takes up on scale-up domains of so many."""
    other = decode if prefill is None else prefill
    instances = NONE if prefill_instances is None else prefill_instances
    ranks, other_ranks = ranks_of(decode), ranks_of(other)
    stages, other_stages = (
        decode_instances * decode.pipeline_parallel,
        instances * other.pipeline_parallel,
    )
    alike = {"domain_accelerators": domain_accelerators}
    domains = (
        wide_domains(ranks=ranks, stages=stages, **alike)
        + wide_domains(ranks=other_ranks, stages=other_stages, **alike)
        + narrow_domains(
            ranks=ranks, stages=stages, other_ranks=other_ranks, other_stages=other_stages, **alike
        )
    )
    return placed_accelerators(
        accelerators=group_accelerators(
            prefill_instances=instances,
            decode_instances=decode_instances,
            prefill_accelerators=accelerators_of(other),
            decode_accelerators=accelerators_of(decode),
        ),
        domains=domains,
        **alike,
    )
