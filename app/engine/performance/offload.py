"""Optimiser states and activations in another tier of memory, and the link that they cross."""

from __future__ import annotations

import numpy as np

from app.engine.performance.memory_tiers import HOST
from app.engine.quantities import quantity
from app.engine.trace import Array

_OFFLOAD = (
    "[1] Ren et al. 2021, arXiv 2101.06840 (ZeRO-Offload); [2] Rajbhandari et al. 2021, arXiv 2104.07857"
)

LAYERS_ON_DEVICE = 2.0  # one that is used, one that is on its way


@quantity(unit="s", source=_OFFLOAD)
def layer_offload_time_s(*, kept_bytes: Array, link_bytes_per_s: Array, medium_bytes_per_s: Array) -> Array:
    """Time away and back of what a layer keeps of one micro-batch.

    Out once, back once, at the pace of the link or of the memory behind it, whichever is slower.
    """
    return 2 * kept_bytes / np.minimum(link_bytes_per_s, medium_bytes_per_s)


@quantity(unit="s", source=_OFFLOAD)
def exposed_offload_time_s(*, activation_offload: Array, link_s: Array, layer_s: Array) -> Array:
    """Offload of the mean layer, exposed: time of the link beyond that of the layer that it overlaps with."""
    return np.where(activation_offload > 0, np.maximum(link_s - layer_s, 0.0), 0.0)


@quantity(unit="s", source=_OFFLOAD, at="performance.time_breakdown_s.offload", short="Offload")
def offload_time_s(*, micro_batches: Array, stage_layers: Array, layer_s: Array) -> Array:
    """Activation offload, exposed."""
    return micro_batches * stage_layers * layer_s


@quantity(unit="s", source=_OFFLOAD)
def away_parameter_time_s(
    *,
    traffic_parameter_bytes: Array,
    gradient_parameter_bytes: Array,
    weight_parameter_bytes: Array,
    link_bytes_per_s: Array,
    medium_bytes_per_s: Array,
) -> Array:
    """Update of one parameter where its optimiser states lie.

    Its gradient goes there, the states are read and written there, its weight comes back: one after the other.
    """
    crossing = (gradient_parameter_bytes + weight_parameter_bytes) / link_bytes_per_s
    return crossing + traffic_parameter_bytes / medium_bytes_per_s


@quantity(unit="1", source=_OFFLOAD)
def kept_layers_on_device(*, layers_in_flight: Array, activation_offload: Array) -> Array:
    """Layers whose activations the accelerator holds: all in flight, or two while the others are away."""
    return np.where(activation_offload > 0, np.minimum(layers_in_flight, LAYERS_ON_DEVICE), layers_in_flight)


@quantity(unit="B", source=_OFFLOAD, at="performance.offloaded_per_accelerator_bytes", key=True)
def offloaded_per_accelerator_bytes(
    *,
    optimizer_bytes: Array,
    optimizer_offload: Array,
    layers_in_flight: Array,
    layers_on_device: Array,
    kept_bytes: Array,
) -> Array:
    """Offloaded memory per accelerator.

    Its optimiser states and the activations that are away.
    """
    return optimizer_offload * optimizer_bytes + (layers_in_flight - layers_on_device) * kept_bytes


@quantity(unit="B", source="definition", at="performance.offload_capacity_bytes")
def offload_capacity_bytes(*, capacity_bytes: Array, offloaded_bytes: Array) -> Array:
    """Offload capacity per accelerator; 0 where nothing is offloaded."""
    return np.where(offloaded_bytes > 0, capacity_bytes, 0.0)


@quantity(unit="B", source=_OFFLOAD, at="performance.host_memory_per_accelerator_bytes")
def host_memory_per_accelerator_bytes(*, offloaded_bytes: Array, offload_tier: Array) -> Array:
    """Host memory per accelerator.

    What it offloads, where that goes to the host.
    """
    return np.where(offload_tier == HOST, offloaded_bytes, 0.0)
