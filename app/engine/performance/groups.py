"""Where a group of ranks lies: how many share a scale-up domain, how many domains it spans."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def ranks_in_domain(*, ranks: Array, inner_ranks: Array, domain_accelerators: Array) -> Array:
    """Ranks of a group that share a scale-up domain.

    What the domain holds beside the ranks of groups laid out further in, at least one.
    """
    return np.minimum(ranks, np.maximum(np.floor(domain_accelerators / inner_ranks), 1))


@quantity(unit="1", source="definition")
def domains_spanned(*, ranks: Array, domain_ranks: Array) -> Array:
    """Scale-up domains that a group spans."""
    return np.ceil(ranks / domain_ranks)
