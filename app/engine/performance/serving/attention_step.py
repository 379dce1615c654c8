"""Attention of a decode step: kept keys and values read once for each sequence, and the arithmetic on them."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.kv_cache import kv_shards
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.served_model import ServedModel
from app.engine.performance.serving.weight_pass import roofline_s
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.trace import Array

_GROUPED = "[1] Ainslie et al. 2023, arXiv 2305.13245 (GQA); [2] DeepSeek-AI 2024, arXiv 2405.04434 (MLA)"


@quantity(
    unit="tokens", source="[1] Beltagy et al. 2020, arXiv 2004.05150; [2] DeepSeek-AI 2025, arXiv 2512.02556"
)
def read_tokens(
    *,
    attention_layers: Array,
    window_layers: Array,
    window_tokens: Array,
    sparse_tokens: Array,
    tokens: Array,
) -> Array:
    """Kept tokens that a query reads, summed over all layers.

    All of them, at most a window or the choice of sparse attention.
    """
    chosen = np.where(sparse_tokens > 0, np.minimum(tokens, sparse_tokens), tokens)
    return (attention_layers - window_layers) * chosen + window_layers * np.minimum(tokens, window_tokens)


@quantity(unit="s", source=_GROUPED)
def kv_read_s(
    *,
    sequences: Array,
    read_tokens: Array,
    kv_elements: Array,
    element_bytes: Array,
    index_bytes: Array,
    state_bytes: Array,
    shards: Array,
    bandwidth_bytes_per_s: Array,
    efficiency: Array,
) -> Array:
    """Reading keys and values of a rank's sequences, index keys and recurrent states included."""
    each = read_tokens * kv_elements * element_bytes / shards + index_bytes + state_bytes
    return sequences * each / (bandwidth_bytes_per_s * efficiency)


@quantity(unit="B", source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (indexer); element size is that of FP8")
def index_read_bytes(*, attention_layers: Array, tokens: Array, index_elements: Array) -> Array:
    """Index keys that sparse attention looks through, one byte an element."""
    return attention_layers * tokens * index_elements


@quantity(unit="B", source="[1] Yang et al. 2024, arXiv 2412.06464 (state is read and written each step)")
def state_traffic_bytes(
    *, linear_layers: Array, state_elements: Array, state_element_bytes: Array, tensor_parallel: Array
) -> Array:
    """Recurrent state of one sequence on a rank, read and written."""
    return 2 * linear_layers * state_elements * state_element_bytes / tensor_parallel


@quantity(unit="s", source=_GROUPED)
def score_s(
    *,
    sequences: Array,
    step_tokens: Array,
    read_tokens: Array,
    score_flop: Array,
    tensor_parallel: Array,
    peak_16_bit_flop_per_s: Array,
    efficiency: Array,
) -> Array:
    """Attention arithmetic of a rank's sequences; heads are cut over tensor-parallel ranks."""
    flop = sequences * step_tokens * read_tokens * score_flop / tensor_parallel
    return flop / (peak_16_bit_flop_per_s * efficiency)


@quantity(
    unit="s",
    source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (lightning indexer); whole on each tensor-parallel rank, as its "
    "keys; efficiency is that of attention",
)
def decode_index_s(
    *,
    sequences: Array,
    step_tokens: Array,
    attention_layers: Array,
    tokens: Array,
    index_flop: Array,
    peak_flop_per_s: Array,
    efficiency: Array,
) -> Array:
    """Arithmetic of the index of sparse attention on all kept tokens of a rank's sequences."""
    flop = sequences * step_tokens * attention_layers * tokens * index_flop
    return flop / (peak_flop_per_s * efficiency)


@quantity(unit="s", source="definition")
def attention_multiply_s(*, score_s: Array, index_s: Array) -> Array:
    """Arithmetic of attention, choosing what to attend to included."""
    return score_s + index_s


@quantity(unit="1", source=_GROUPED)
def kv_efficiency(*, efficiency: Array, latent_kv_rank: Array, latent_ratio: Array) -> Array:
    """Share of the memory bandwidth at which keys and values are read."""
    return efficiency * np.where(latent_kv_rank > 0, latent_ratio, 1.0)


def attention_s(
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    own: Array,
    context_tokens: Array,
    step_tokens: Array,
    a: ServingAssumptions,
) -> Array:
    """Attention of one step on a rank that has `own` sequences."""
    m = model.architecture
    read = read_tokens(
        attention_layers=m.attention_layers,
        window_layers=m.window_layers,
        window_tokens=m.window_tokens,
        sparse_tokens=m.sparse_tokens,
        tokens=context_tokens,
    )
    return roofline_s(
        read_s=kv_read_s(
            sequences=own,
            read_tokens=read,
            kv_elements=model.kv_elements,
            element_bytes=parts.kv_element_bytes,
            index_bytes=index_read_bytes(
                attention_layers=m.attention_layers, tokens=context_tokens, index_elements=m.index_elements
            ),
            state_bytes=state_traffic_bytes(
                linear_layers=m.linear_layers,
                state_elements=m.linear_state_elements,
                state_element_bytes=a.state_element_bytes,
                tensor_parallel=layout.tensor_parallel,
            ),
            shards=kv_shards(
                tensor_parallel=layout.tensor_parallel,
                kv_heads=m.kv_heads,
                latent_kv_rank=m.latent_kv_rank,
            ),
            bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
            efficiency=kv_efficiency(
                efficiency=a.kv_read_efficiency,
                latent_kv_rank=m.latent_kv_rank,
                latent_ratio=a.latent_read_ratio,
            ),
        ),
        multiply_s=attention_multiply_s(
            score_s=score_s(
                sequences=own,
                step_tokens=step_tokens,
                read_tokens=read,
                score_flop=model.decode_score_flop,
                tensor_parallel=layout.tensor_parallel,
                peak_16_bit_flop_per_s=machine.peak_16_bit_flop_per_s,
                efficiency=a.decode_attention_efficiency,
            ),
            index_s=decode_index_s(
                sequences=own,
                step_tokens=step_tokens,
                attention_layers=m.attention_layers,
                tokens=context_tokens,
                index_flop=model.index_flop,
                peak_flop_per_s=parts.dense_peak_flop_per_s,
                efficiency=a.decode_attention_efficiency,
            ),
        ),
    )
