"""Context-parallel exchange of the mean layer: a ring of keys and values beside attention."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.times import send_receive_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware, group_bandwidth_bytes_per_s
from app.engine.performance.layer_widths import attention_widths
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array

_RING = "[1] Liu et al. 2023, arXiv 2310.01889 (ring attention)"


@quantity(unit="B", source=_RING)
def context_ring_bytes(
    *, tokens: Array, key_value_width: Array, context_parallel: Array, attention_layers: Array, layers: Array
) -> Array:
    """Bytes that a rank of the context ring passes on, forward and backward.

    cp - 1 steps with key and value forward; both and their gradients backward: 3 x 2 B x T x width.
    """
    steps = context_parallel - 1
    return steps * (2 + 2 * 2) * tokens * key_value_width * attention_layers / layers


@quantity(unit="s", source=_RING)
def context_exchange_time_s(*, ring_s: Array, attention_s: Array) -> Array:
    """Context-parallel exchange of the mean layer, exposed.

    What the ring takes longer than the attention it runs beside.
    """
    return np.maximum(ring_s - attention_s, 0.0)


def sent_context_bytes(
    m: Architecture, tensor_parallel: Array, context_parallel: Array, tokens: Array
) -> Array:
    """Bytes that a rank of the context ring passes on in the mean layer and micro-batch."""
    _, key, value = attention_widths(m)
    # A head cannot be split: beyond the key-value heads each rank holds one of its own.
    heads = np.where(m.kv_heads > 0, m.kv_heads, m.heads)
    held = heads if m.attention != "mla" else m.heads
    share = np.maximum(1 / tensor_parallel, 1 / held)
    return context_ring_bytes(
        tokens=tokens,
        key_value_width=(key + value) * share,
        context_parallel=context_parallel,
        attention_layers=m.attention_layers,
        layers=m.layers,
    )


def context_exchange(
    m: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    attention_s: Array,
    a: PerformanceAssumptions,
) -> Array:
    """Exposed context-parallel exchange of the mean layer for every shape."""
    sent = sent_context_bytes(m, shapes.tensor_parallel, shapes.context_parallel, tokens)
    fits = shapes.tensor_parallel * shapes.context_parallel <= hardware.domain_accelerators
    inside = group_bandwidth_bytes_per_s(ranks=shapes.context_parallel, hardware=hardware)
    ring = send_receive_time_s(
        message_bytes=sent,
        bandwidth_bytes_per_s=np.where(fits, inside, hardware.scale_out_bandwidth_bytes_per_s),
        launch_s=a.collective_launch_s,
        hop_s=np.where(fits, a.scale_up_hop_s, a.scale_out_hop_s),
        full_pipeline_s=a.collective_full_pipeline_s,
    )
    return context_exchange_time_s(ring_s=ring, attention_s=attention_s)
