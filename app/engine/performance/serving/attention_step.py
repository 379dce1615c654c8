"""Attention of a decode step: kept keys and values read once for each sequence, and the arithmetic on them."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.kv_cache import kv_shards
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.pass_weights import roofline_s
from app.engine.performance.serving.served_model import ServedModel
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

    All, at most a window or the choice of sparse attention.
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


_SPARSE = "[1] DeepSeek-AI 2025, arXiv 2512.02556 (lightning indexer)"


@quantity(
    unit="1", source="[1] Beltagy et al. 2020, arXiv 2004.05150; [2] DeepSeek-AI 2025, arXiv 2512.02556"
)
def score_pairs(
    *,
    attention_layers: Array,
    window_layers: Array,
    window_tokens: Array,
    sparse_tokens: Array,
    new_tokens: Array,
    cached_tokens: Array,
) -> Array:
    """Pairs of query and key of a prompt, summed over all layers.

    The token at place p looks at the p before it, at most at a window or at the choice w of sparse attention: summed
    over the new tokens that is F(c + n) - F(c), F(p) = min(p, w) (p - min(p, w) / 2).
    """
    most = np.where(sparse_tokens > 0, sparse_tokens, np.inf)
    end = cached_tokens + new_tokens
    full = _keys_before(end, most) - _keys_before(cached_tokens, most)
    near = _keys_before(end, window_tokens) - _keys_before(cached_tokens, window_tokens)
    return (attention_layers - window_layers) * full + window_layers * near


def _keys_before(place: Array, most: Array) -> Array:
    """Keys that all tokens before a place look at, each at most at so many."""
    seen = np.minimum(place, most)
    return seen * (place - seen / 2)


@quantity(unit="1", source="[1] Devlin et al. 2018, arXiv 1810.04805 (BERT: attention both ways)")
def pairs_both_ways(*, pairs: Array) -> Array:
    """Pairs of query and key where tokens see those after them too: twice those before."""
    return 2 * pairs


@quantity(unit="1", source=_SPARSE)
def index_pairs(*, attention_layers: Array, new_tokens: Array, cached_tokens: Array) -> Array:
    """Pairs of token and earlier token that the index of sparse attention scores, summed over all layers.

    All, however few are chosen.
    """
    return attention_layers * new_tokens * (cached_tokens + new_tokens / 2)


@quantity(unit="s", source="[1] Dao 2023, arXiv 2307.08691")
def prefill_score_s(
    *, pairs: Array, score_flop: Array, ranks: Array, peak_16_bit_flop_per_s: Array, efficiency: Array
) -> Array:
    """Attention arithmetic of a prompt."""
    return pairs * score_flop / ranks / (peak_16_bit_flop_per_s * efficiency)


@quantity(
    unit="s",
    source=f"{_SPARSE}; [2] vLLM and SGLang, Indexer of their DeepSeek-V3.2 model code: whole on each "
    "tensor-parallel rank; efficiency is that of attention",
)
def index_score_s(
    *, pairs: Array, index_flop: Array, replicas: Array, peak_flop_per_s: Array, efficiency: Array
) -> Array:
    """Arithmetic of the index of a prompt, at the rate of what is outside the experts (FP8 where that is FP8).

    Its key has no heads to cut: each tensor-parallel rank does all of it, and only replicas of attention share it.
    """
    return pairs * index_flop / replicas / (peak_flop_per_s * efficiency)


def prompt_pairs(model: ServedModel, new_tokens: Array, cached_tokens: Array) -> tuple[Array, Array]:
    """Pairs of query and key of a prompt, and those that an index scores."""
    m = model.architecture
    counted = {
        "attention_layers": m.attention_layers, "new_tokens": new_tokens, "cached_tokens": cached_tokens,
    }  # fmt: skip
    scored = score_pairs(
        window_layers=m.window_layers,
        window_tokens=m.window_tokens,
        sparse_tokens=m.sparse_tokens,
        **counted,
    )
    if model.bidirectional:
        scored = pairs_both_ways(pairs=scored)
    return scored, index_pairs(**counted)
