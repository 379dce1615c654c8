"""Context parallelism: how ranks that share a sequence come by the keys and values of the others, and what it costs.

Ring: keys and values go round while attention runs on the part at hand, in smaller tiles, and partial results are
merged. All-gather: all keys and values first, with nothing overlapped. Ulysses: heads change places with
tokens and back. Hybrid: Ulysses over as many ranks as key-value heads allow, a ring over the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.fabric.collectives.shared_links import Pattern
from app.engine.fabric.collectives.times import all_gather_time_s, all_to_all_time_s, send_receive_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.groups import group_network, group_of
from app.engine.performance.hardware import Hardware, group_bandwidth_bytes_per_s, scale_out_of
from app.engine.performance.layer_widths import attention_widths
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array, plain

_RING = "[1] Liu et al. 2023, arXiv 2310.01889 (ring attention)"
_GATHER = "[1] Meta 2024, arXiv 2407.21783, section 3.3.2 (all-gather of keys and values)"
_ULYSSES = "[1] Jacobs et al. 2023, arXiv 2309.14509 (DeepSpeed-Ulysses); [2] Fang, Zhao 2024, arXiv 2405.07719 (hybrids)"

RING, ALL_GATHER, ULYSSES, HYBRID = 0.0, 1.0, 2.0, 3.0
CONTEXT_EXCHANGES = {RING: "ring", ALL_GATHER: "all_gather", ULYSSES: "ulysses", HYBRID: "hybrid"}
"""Numbers in a layout -> words in a scenario."""


@quantity(unit="1", source=_ULYSSES, leaf=True)
def ulysses_ranks(
    *, context_parallel: Array, context_exchange: Array, key_value_heads: Array, tensor_parallel: Array
) -> Array:
    """Context-parallel ranks among which heads change places with tokens.

    All in Ulysses; in a hybrid as many as divide both the context-parallel ranks and the key-value heads of a
    tensor-parallel rank; else one.
    """
    # A layout that no search found is unknown, and one rank for this.
    known = np.nan_to_num(context_parallel, nan=1.0).astype(np.int64)
    held = np.nan_to_num(np.maximum(np.floor(key_value_heads / tensor_parallel), 1), nan=1.0)
    hybrid = np.where(context_exchange == HYBRID, np.gcd(known, held.astype(np.int64)).astype(float), 1.0)
    return np.where(context_exchange == ULYSSES, context_parallel, hybrid)


@quantity(unit="1", source=_RING)
def ring_ranks(*, context_parallel: Array, context_exchange: Array, ulysses_ranks: Array) -> Array:
    """Context-parallel ranks in a ring: what Ulysses leaves, one where all keys and values are gathered."""
    return np.where(context_exchange == ALL_GATHER, 1.0, context_parallel / ulysses_ranks)


@quantity(unit="1", source="[1] Dao 2023, arXiv 2307.08691, figure 4 (rate over sequence length)")
def ring_tile_ratio(*, sequence_length: Array, ring_ranks: Array, saturation_tokens: Array) -> Array:
    """Attention time in a ring over that of the whole sequence at once.

    (s / r + s0) / (s / r) over (s + s0) / s: each turn attends to a part of the sequence that fills the kernel less.
    """
    part = sequence_length / ring_ranks
    return (1 + saturation_tokens / part) / (1 + saturation_tokens / sequence_length)


@quantity(unit="B", source=_RING)
def context_ring_bytes(
    *,
    tokens: Array,
    key_value_width: Array,
    ring_ranks: Array,
    attention_layers: Array,
    layers: Array,
    recompute: Array,
) -> Array:
    """Bytes that a rank of the context ring passes on, forward and backward.

    r - 1 turns with key and value forward, and again where the forward pass is; both and their gradients backward:
    (3 + recompute) x 2 B x T x width.
    """
    turns = ring_ranks - 1
    return turns * (3 + recompute) * 2 * tokens * key_value_width * attention_layers / layers


@quantity(unit="s", source=_RING)
def ring_merge_time_s(
    *,
    tokens: Array,
    query_width: Array,
    ring_ranks: Array,
    attention_layers: Array,
    layers: Array,
    memory_bandwidth_bytes_per_s: Array,
) -> Array:
    """Merging of partial results of the mean layer.

    After each turn the output is read, added to and written in 32 bit, and the gradient of the queries as well.
    """
    moved = (ring_ranks - 1) * 2 * 2 * 4 * tokens * query_width * attention_layers / layers
    return moved / memory_bandwidth_bytes_per_s


@quantity(unit="s", source="[1] arXiv 2310.01889; [2] arXiv 2407.21783; [3] arXiv 2309.14509")
def context_exchange_time_s(
    *,
    ring_s: Array,
    merge_s: Array,
    gather_s: Array,
    swap_s: Array,
    attention_s: Array,
    context_exchange: Array,
    recompute: Array,
) -> Array:
    """Context-parallel exchange of the mean layer, exposed.

    What the ring takes longer than the attention it runs beside, and merging; or gathers of keys and values forward and
    backward with the scatter of their gradients; or the swaps of heads and tokens forward and backward.

    Parameters
    ----------
    ring_s, merge_s : of a ring, forward and backward [s]
    gather_s : one gather of keys and values, or one scatter of their gradients [s]
    swap_s : heads for tokens and back, once [s]
    attention_s : attention that a ring runs beside [s]
    context_exchange : number of the way [1]
    recompute : share of the forward pass done again [1]
    """
    ring = np.maximum(ring_s - attention_s, 0.0) + merge_s
    swaps = (2 + recompute) * swap_s
    gathers = (3 + recompute) * gather_s
    return np.where(context_exchange == ALL_GATHER, gathers, ring + swaps)


def ring_of(m: Architecture, shapes: LayerShapes) -> tuple[Array, Array]:
    """Ranks of the ring and of Ulysses, for every shape."""
    swapped = ulysses_ranks(
        context_parallel=shapes.context_parallel,
        context_exchange=shapes.context_exchange,
        key_value_heads=m.heads if m.attention == "mla" else m.kv_heads,
        tensor_parallel=shapes.tensor_parallel,
    )
    ring = ring_ranks(
        context_parallel=shapes.context_parallel,
        context_exchange=shapes.context_exchange,
        ulysses_ranks=swapped,
    )
    return ring, swapped


def held_widths(m: Architecture, tensor_parallel: Array) -> tuple[Array, Array]:
    """Widths of queries and of keys and values together on a tensor-parallel rank.

    A head cannot be split: beyond the key-value heads each rank holds one of its own.
    """
    query, key, value = attention_widths(m)
    heads = np.where(m.kv_heads > 0, m.kv_heads, m.heads)
    held = heads if m.attention != "mla" else m.heads
    return query / tensor_parallel, (key + value) * np.maximum(1 / tensor_parallel, 1 / held)


def sent_context_bytes(m: Architecture, shapes: LayerShapes, tokens: Array) -> Array:
    """Bytes that a rank sends to those that share its sequence, in the mean layer and micro-batch."""
    ring, swapped = ring_of(m, shapes)
    query, key_value = held_widths(m, shapes.tensor_parallel)
    others = shapes.context_parallel - 1
    share = m.attention_layers / m.layers
    gathered = (3 + shapes.recompute) * others * 2 * tokens * key_value * share
    swaps = (2 + shapes.recompute) * (1 - 1 / swapped) * 2 * tokens * (2 * query + key_value) * share
    passed = context_ring_bytes(
        tokens=tokens,
        key_value_width=key_value,
        ring_ranks=ring,
        attention_layers=m.attention_layers,
        layers=m.layers,
        recompute=shapes.recompute,
    )
    return np.where(shapes.context_exchange == ALL_GATHER, gathered, passed + swaps)


def context_exchange(
    m: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    attention_s: Array,
    a: PerformanceAssumptions,
) -> Array:
    """Exposed context-parallel exchange of the mean layer for every shape. What no shape uses is not computed."""
    ring, swapped = ring_of(m, shapes)
    query, key_value = held_widths(m, shapes.tensor_parallel)
    of_layer: dict[str, Any] = {"attention_layers": m.attention_layers, "layers": m.layers}
    share, none = m.attention_layers / m.layers, np.zeros(1)
    fits = shapes.tensor_parallel * shapes.context_parallel <= hardware.domain_accelerators
    inside = group_bandwidth_bytes_per_s(ranks=shapes.context_parallel, hardware=hardware)
    ways = plain(shapes.context_exchange)

    def in_group(pattern: Pattern, ranks: Array) -> dict[str, Any]:
        group = group_of(
            ranks=ranks,
            inner_ranks=shapes.tensor_parallel,
            domain_accelerators=hardware.domain_accelerators,
        )
        network = group_network(
            pattern, group=group, inner_ranks=shapes.tensor_parallel, hardware=hardware, a=a
        )
        return {"group": group, "network": network}

    gather = swap = none
    if np.any(ways == ALL_GATHER):
        held = 2 * tokens * key_value * share
        gather = all_gather_time_s(
            message_bytes=held * shapes.context_parallel, **in_group("ring", shapes.context_parallel)
        )
    if np.any(ways >= ULYSSES):
        there, back = 2 * tokens * (query + key_value) * share, 2 * tokens * query * share
        swap = sum(
            (
                all_to_all_time_s(message_bytes=sent, **in_group("all_to_all", swapped))
                for sent in (there, back)
            ),
            start=none,
        )
    around = group_of(
        ranks=shapes.context_parallel,
        inner_ranks=shapes.tensor_parallel,
        domain_accelerators=hardware.domain_accelerators,
    )
    beyond = scale_out_of("ring", hardware, members=around.domains, inner_ranks=shapes.tensor_parallel)
    passed = send_receive_time_s(
        message_bytes=context_ring_bytes(
            **of_layer, tokens=tokens, key_value_width=key_value, ring_ranks=ring, recompute=shapes.recompute
        ),
        bandwidth_bytes_per_s=np.where(fits, inside, beyond),
        launch_s=a.collective_launch_s,
        hop_s=np.where(fits, a.scale_up_hop_s, a.scale_out_hop_s),
        full_pipeline_s=a.collective_full_pipeline_s,
    )
    return context_exchange_time_s(
        ring_s=passed,
        merge_s=ring_merge_time_s(
            **of_layer,
            tokens=tokens,
            query_width=query,
            ring_ranks=ring,
            memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        ),
        gather_s=gather,
        swap_s=swap,
        attention_s=attention_s,
        context_exchange=shapes.context_exchange,
        recompute=shapes.recompute,
    )
