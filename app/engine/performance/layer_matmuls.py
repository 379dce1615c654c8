"""The matmuls of a layer: which products there are is structure, how long they take is not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.performance.layer_widths import attention_widths, expert_tensor_parallel, tokens_per_expert
from app.engine.performance.matmul import ONE, Matmul, timed
from app.engine.performance.recomputation import latent_up_projection_time_s
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array, plain


@quantity(unit="s", source="definition")
def mean_layer_time_s(
    *,
    layers: Array,
    attention_layers: Array,
    linear_layers: Array,
    expert_layers: Array,
    attention_time_s: Array,
    linear_time_s: Array,
    dense_time_s: Array,
    expert_time_s: Array,
) -> Array:
    """Matmul time of the mean layer, forward.

    Projections of attention and of linear attention, dense feed-forward and experts, each in the layers that have
    them.
    """
    dense_layers = layers - expert_layers
    mixing = attention_layers * attention_time_s + linear_layers * linear_time_s
    return (mixing + dense_layers * dense_time_s + expert_layers * expert_time_s) / layers


def matmul_forward_time_s(
    m: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    a: PerformanceAssumptions,
    *,
    sixteen_bit: bool = False,
) -> Array:
    """Forward matmuls of the mean layer for every shape, in the format of the recipe or in 16 bit."""
    rate = _Rate(
        flop_per_s=hardware.matmul_16_bit_flop_per_s if sixteen_bit else hardware.matmul_flop_per_s,
        element_bytes=2 * ONE if sixteen_bit else a.matmul_element_bytes,
    )
    tp = shapes.tensor_parallel
    up = m.mlp_matrices - 1
    experts = 0 * tokens
    if np.any(plain(m.expert_layers) > 0):
        etp = expert_tensor_parallel(
            tensor_parallel=tp,
            expert_parallel=shapes.expert_parallel,
            expert_tensor_ranks=shapes.expert_tensor_ranks,
        )
        rows = tokens_per_expert(
            tokens=tokens,
            experts=m.experts,
            experts_per_token=m.experts_per_token,
            expert_parallel=shapes.expert_parallel,
            tensor_parallel=tp,
            expert_tensor_parallel=etp,
        )
        local, inner = m.experts / shapes.expert_parallel, m.expert_hidden / etp
        routed = _total(
            [
                Matmul(rows=rows, depth=m.hidden, columns=up * inner, groups=local),
                Matmul(rows=rows, depth=inner, columns=m.hidden, groups=local),
            ],
            hardware,
            a,
            rate,
        )
        router = Matmul(rows=tokens / tp, depth=m.hidden, columns=m.experts, groups=ONE)
        experts = routed * a.expert_imbalance / a.grouped_matmul_ratio + _total([router], hardware, a, rate)
        if np.any(plain(m.shared_experts) > 0):
            shared = m.shared_experts * m.expert_hidden / tp
            experts = experts + _total(_feed_forward(tokens, m.hidden, up, shared), hardware, a, rate)
    linear = 0 * tokens
    if np.any(plain(m.linear_layers) > 0):
        inner = m.linear_layer_parameters / m.hidden / tp
        linear = _total([_whole(tokens, m.hidden, inner)], hardware, a, rate)
    dense = 0 * tokens
    if np.any(plain(m.layers) > plain(m.expert_layers)):
        dense = _total(_feed_forward(tokens, m.hidden, up, m.feed_forward_hidden / tp), hardware, a, rate)
    return mean_layer_time_s(
        layers=m.layers,
        attention_layers=m.attention_layers,
        linear_layers=m.linear_layers,
        expert_layers=m.expert_layers,
        linear_time_s=linear,
        attention_time_s=_total(_projections(m, tp, tokens), hardware, a, rate),
        dense_time_s=dense,
        expert_time_s=experts,
    )


def up_projection_forward_time_s(
    m: Architecture, hardware: Hardware, shapes: LayerShapes, tokens: Array, a: PerformanceAssumptions
) -> Array:
    """Forward up-projections of latent attention in the mean layer for every shape; none without latents."""
    if m.attention != "mla":
        return 0 * tokens
    return latent_up_projection_time_s(
        layers=m.layers,
        attention_layers=m.attention_layers,
        matmuls_s=_total(
            _up_projections(m, shapes.tensor_parallel, tokens),
            hardware,
            a,
            _Rate(hardware.matmul_flop_per_s, a.matmul_element_bytes),
        ),
    )


class _Rate(NamedTuple):
    """What a number format changes about a matmul."""

    flop_per_s: Array
    element_bytes: Array


def _total(products: list[Matmul], hardware: Hardware, a: PerformanceAssumptions, rate: _Rate) -> Array:
    times = [
        timed(
            product,
            flop_per_s=rate.flop_per_s,
            element_bytes=rate.element_bytes,
            hardware=hardware,
            assumptions=a,
        )
        for product in products
    ]
    return sum(times[1:], start=times[0])


def _feed_forward(tokens: Array, hidden: Array, up: Array, inner: Array) -> list[Matmul]:
    return [_whole(tokens, hidden, up * inner), _whole(tokens, inner, hidden)]


def _projections(m: Architecture, tp: Array, tokens: Array) -> list[Matmul]:
    """Query, key, value and output; the low-rank down-projections of latent attention are not split."""
    query, key, value = attention_widths(m)
    if m.attention != "mla":
        return [
            _whole(tokens, m.hidden, (query + key + value) / tp),
            _whole(tokens, query / tp, m.hidden),
        ]
    down = _whole(tokens, m.hidden, m.latent_query_rank + m.latent_kv_rank + m.latent_rope_dim)
    output = _whole(tokens, value / tp, m.hidden)
    return [down, *_up_projections(m, tp, tokens), output]


def _up_projections(m: Architecture, tp: Array, tokens: Array) -> list[Matmul]:
    """Queries, keys and values from their latents; queries without one from the residual stream."""
    query, _, _ = attention_widths(m)
    depth = m.latent_query_rank if np.any(plain(m.latent_query_rank) > 0) else m.hidden
    key_value = m.heads * (m.latent_nope_dim + m.latent_value_dim)
    return [_whole(tokens, depth, query / tp), _whole(tokens, m.latent_kv_rank, key_value / tp)]


def _whole(tokens: Array, depth: Array, columns: Array) -> Matmul:
    return Matmul(rows=tokens, depth=depth, columns=columns, groups=ONE)
