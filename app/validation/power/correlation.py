"""Whether places are put in the right order: rank correlation of published and predicted figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import scipy

FEWEST = 5
"""Fewer pairs have no order worth a number."""


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho of some pairs; None where there are too few, or one side is the same throughout."""

    pairs: int
    spearman: float | None


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> RankCorrelation:
    """Spearman's rank correlation.

    >>> rank_correlation([(1.1, 1.0), (1.2, 1.3), (1.3, 1.4), (1.4, 1.5), (1.5, 1.6)])
    RankCorrelation(pairs=5, spearman=1.0)
    """
    if len(pairs) < FEWEST or any(len(set(side)) < 2 for side in zip(*pairs, strict=True)):
        return RankCorrelation(len(pairs), None)
    published, predicted = zip(*pairs, strict=True)
    return RankCorrelation(len(pairs), round(float(scipy.stats.spearmanr(published, predicted).statistic), 4))


def by_group(grouped: Iterable[tuple[str, float, float]]) -> dict[str, RankCorrelation]:
    """The rank correlation of all pairs under `all`, and that of each group under its name."""
    members: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for group, published, predicted in grouped:
        members["all"].append((published, predicted))
        members[group].append((published, predicted))
    return {name: rank_correlation(members[name]) for name in ("all", *sorted(set(members) - {"all"}))}
