"""Attention of a prompt: pairs of query and key, and the index by which sparse attention chooses among them."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.trace import Array

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

    All of them, however few are chosen.
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
