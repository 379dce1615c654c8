"""How much of a model lies in the memory of the host, where a scenario leaves that open: as little as possible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.footprint import usable_memory_bytes
from app.engine.performance.serving.layout_quantities import chosen_by_search, looked_at
from app.engine.performance.serving.replica_load import (
    Replica,
    held_by,
    limit_of,
    prefill_held_by,
    prefill_limit_of,
    whole_replicas,
)
from app.engine.performance.serving.setting import EXPERTS, Setting, with_host_weights
from app.engine.performance.serving.space import layouts_of, layouts_that_hold
from app.engine.quantities import quantity
from app.engine.specs import HostWay, HostWeights, ServingLayout
from app.engine.trace import Array, first_of

ALL, NONE = np.ones(1), np.zeros(1)


@quantity(
    unit="1", source="definition: memory falls in proportion to the share that lies elsewhere", leaf=True
)
def least_host_share(
    *, held_bytes: Array, held_without_bytes: Array, usable_bytes: Array, layers: Array
) -> Array:
    """Least share of the weights that must lie in the host, in whole layers.

    Above 1 where even all weights are not enough.

    Parameters
    ----------
    held_bytes : of an accelerator with all weights in its memory [B]
    held_without_bytes : with none of those that may lie in the host [B]
    """
    each = (held_bytes - usable_bytes) / np.maximum(held_bytes - held_without_bytes, 1.0)
    return np.where(each <= 1, np.ceil(np.maximum(each, 0.0) * layers * (1 - 1e-12)) / layers, each)


def with_least_share(setting: Setting) -> Setting:
    """The setting with as little in the host as lets its requests fit; nothing where they fit without.

    Another setting as it is. Where even all of it does not let a request fit, all of it.
    """
    weights = setting.workload.host_weights
    if weights is None or not weights.auto:
        return setting
    share = chosen_by_search(
        "host_share",
        np.minimum(least_share(central(setting), weights.way), 1.0),
        looked_at(setting),
        "least share with which the requests in flight fit, or one request where none are stated",
    )
    return with_host_weights(setting, replace(weights, share=share))


def least_share(bare: Setting, way: HostWay) -> Array:
    """Least share with which a layout of the setting holds its requests, of shape (1,); above 1: none does.

    `bare` holds bare values of one sample.
    """
    empty = with_host_weights(bare, None)
    plan = bare.workload.plan
    if plan is not None and plan.prefill is not None:
        pools = (_needed(bare.prefilling, way, plan.prefill, prefills=True), _needed(bare, way, plan.decode))
        return np.maximum(*pools)
    if plan is not None:
        return _needed(bare, way, plan.decode)
    if (_holds(empty, layouts_that_hold(empty, lambda each: _holds(empty, each)))).max(initial=0.0) >= 1:
        return NONE
    layouts = layouts_of(bare)
    return _needed(bare, way, layouts) if layouts.accelerators.size else ALL


def _holds(setting: Setting, layouts: ServingLayout) -> Array:
    """Requests that each of several instances holds."""
    one = Replica(decode=layouts, decode_instances=np.ones(1))
    return np.broadcast_to(limit_of(setting, one), layouts.accelerators.shape)


def _needed(bare: Setting, way: HostWay, layouts: ServingLayout, *, prefills: bool = False) -> Array:
    """The least share of any of several layouts."""
    m = bare.workload.architecture
    none, full = (with_host_weights(bare, HostWeights(way=way, share=share)) for share in (NONE, ALL))
    if prefills:
        if (prefill_limit_of(none, layouts) >= 1).any():
            return NONE
        held = [prefill_held_by(each, layouts).memory_per_accelerator_bytes for each in (none, full)]
    else:
        one = Replica(decode=layouts, decode_instances=np.ones(1))
        batch = _sequences(bare, one)
        held = [held_by(each, one, batch).memory_per_accelerator_bytes for each in (none, full)]
    needed = least_host_share(
        held_bytes=held[0],
        held_without_bytes=held[1],
        usable_bytes=usable_memory_bytes(
            memory_bytes=bare.machine.memory_bytes, memory_fraction=bare.assumptions.memory_fraction
        ),
        layers=m.expert_layers if way.part == EXPERTS else m.layers,
    )
    return np.full(1, float(np.min(needed)))


def _sequences(bare: Setting, one: Replica) -> Array:
    """Sequences that an instance is to hold: those in flight on it, one on each replica of attention at least."""
    least = one.decode.data_parallel
    asked = bare.workload.concurrency
    if asked is None:
        return least
    most = bare.workload.most_sequences
    each = np.ceil(first_of(asked) / whole_replicas(bare, one))
    if most is not None:
        each = np.minimum(each, most * one.decode.data_parallel)
    return np.maximum(each, least)
