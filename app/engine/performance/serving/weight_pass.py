"""Passing tokens by weights: what is read, what is multiplied, and in which order experts want their tokens."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline), with a soft corner"

CORNER = 3.0
"""Power of the mean that rounds the corner of the roofline: at the corner itself a step takes 1.26 times as long."""
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
