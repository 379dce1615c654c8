"""Passing tokens by weights: what is read, what is multiplied, and in which order experts want their tokens."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline), with a soft corner"

CORNER = 3.0
"""Power of the mean that rounds the corner of the roofline: at the corner itself a step takes 1.26 times as long."""
ONE_SERVER = 8
"""Accelerators of a usual server, beyond which engines offer to overlap two batches."""
HIDDEN_STATE_BYTES = 2.0
"""Hidden states of tokens on their way to experts are moved in 16 bit."""


@quantity(unit="s", source=_ROOFLINE)
def roofline_s(*, read_s: Array, multiply_s: Array) -> Array:
    """Reading and multiplying at the same time: (read^3 + multiply^3)^(1/3), nearly the longer of the two."""
    return (read_s**CORNER + multiply_s**CORNER) ** (1 / CORNER)


@quantity(unit="s", source="definition")
def weight_read_s(*, weight_bytes: Array, bandwidth_bytes_per_s: Array, efficiency: Array) -> Array:
    """Reading weights once."""
    return weight_bytes / (bandwidth_bytes_per_s * efficiency)


@quantity(unit="s", source="definition")
def multiply_s(*, parameters: Array, tokens: Array, peak_flop_per_s: Array, efficiency: Array) -> Array:
    """Multiplying tokens by weights: 2 FLOP for each."""
    return 2 * parameters * tokens / (peak_flop_per_s * efficiency)


@quantity(unit="B", source="definition; the overhead is fitted to measured runs")
def expert_read_bytes(
    *, expert_layers: Array, experts: Array, expert_bytes: Array, cut: Array, overhead_bytes: Array
) -> Array:
    """Weights of the experts in use that a rank reads, with what starting on each of them costs.

    Each expert is cut over so many ranks; thin slices of many experts are read worse than whole ones.
    """
    return expert_layers * experts * (expert_bytes / cut + overhead_bytes)


@quantity(unit="s", source="[1] Gale et al. 2022, arXiv 2211.15841 (permutation of tokens)")
def permute_s(
    *,
    expert_layers: Array,
    tokens: Array,
    experts_per_token: Array,
    hidden: Array,
    passes: Array,
    sharing: Array,
    bandwidth_bytes_per_s: Array,
) -> Array:
    """Bringing tokens into the order of their experts, and back.

    Every copy of a token is passed over several times; ranks that hold slices of all experts do it for all tokens.
    """
    moved = expert_layers * tokens * experts_per_token * hidden * HIDDEN_STATE_BYTES
    return moved * passes / sharing / bandwidth_bytes_per_s


@quantity(unit="1", source="definition")
def permute_sharing(*, ranks: Array, data_parallel: Array, expert_parallel: Array) -> Array:
    """Ranks that share the ordering of a token's copies."""
    return np.where(data_parallel > 1, ranks, expert_parallel)


@quantity(
    unit="1",
    source="counts of tiles: a grouped product of DeepGEMM and of fused MoE kernels works in blocks of 128 along the slice "
    "of an expert, and starts and ends each; constant fitted to measured runs",
)
def slice_efficiency(*, efficiency: Array, expert_hidden: Array, slices: Array, half_width: Array) -> Array:
    """Share of the peak that grouped products reach on slices of experts: e w / (w + w0), w the width of a slice."""
    width = np.maximum(expert_hidden, 1.0) / slices
    return efficiency * width / (width + half_width)


@quantity(
    unit="s",
    source="[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.4; [2] SGLang, two_batch_overlap.py; [3] vLLM, dual batch "
    "overlap (docs/design/dbo.md): one half of a batch is computed while the other is exchanged",
)
def exchange_left_s(*, exchange_s: Array, computed_s: Array, overlap: Array) -> Array:
    """Exchange with experts that the other half of the batch does not hide."""
    return np.where(overlap > 0, np.maximum(exchange_s - computed_s, 0.0), exchange_s)


@quantity(
    unit="1",
    source="definition: an instance wider than the eight accelerators of a server, with replicas of attention",
)
def overlaps(*, two_batch_overlap: Array, ranks: Array, data_parallel: Array) -> Array:
    """Whether an engine works on two halves of a batch by turns: 1, else 0."""
    return np.where((ranks > ONE_SERVER) & (data_parallel > 1), two_batch_overlap, 0.0)


@quantity(unit="s", source="definition: engines split a batch where it pays")
def chosen_part_s(
    *, whole_s: Array, halves_s: Array, whole_step_s: Array, halves_step_s: Array, overlap: Array
) -> Array:
    """A part of a step, of the whole batch or of its two halves, whichever step is shorter."""
    return np.where((overlap > 0) & (halves_step_s < whole_step_s), halves_s, whole_s)
