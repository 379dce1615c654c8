"""Which experts a batch uses, and how unevenly ranks that hold whole experts are loaded."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_COVERAGE = "[1] Shazeer et al. 2017, arXiv 1701.06538; each token draws its experts without regard to others"
_BUSIEST = "[1] Raab and Steger 1998, Balls into Bins, RANDOM 1998, LNCS 1518 (largest of many bins)"


@quantity(unit="1", source=_COVERAGE)
def active_experts(*, tokens: Array, experts: Array, expert_share: Array) -> Array:
    """Experts of a layer that at least one token of a step uses: E (1 - (1 - k/E)^n)."""
    return experts * (1 - (1 - expert_share) ** tokens)


@quantity(unit="1", source=_BUSIEST)
def busiest_active_experts(
    *, active_experts: Array, experts: Array, expert_parallel: Array, spread: Array
) -> Array:
    """Experts in use on the rank that has most of them in use.

    mean + s sqrt(2 mean ln e (1 - share in use)) over e ranks, at most all that the rank holds.
    """
    mean = active_experts / expert_parallel
    free = 1 - active_experts / np.maximum(experts, 1)
    most = mean + spread * np.sqrt(2 * mean * np.log(expert_parallel) * np.maximum(free, 0.0))
    return np.minimum(most, np.maximum(experts, 1) / expert_parallel)


@quantity(unit="1", source=_BUSIEST)
def busiest_rank_ratio(*, routed_tokens: Array, expert_parallel: Array, spread: Array) -> Array:
    """Tokens of the busiest rank over those of the mean: 1 + s sqrt(2 ln e / n), n the tokens of the mean rank."""
    each = np.maximum(routed_tokens / expert_parallel, 1e-9)
    return np.minimum(1 + spread * np.sqrt(2 * np.log(expert_parallel) / each), expert_parallel)
