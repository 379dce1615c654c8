"""The measurements that are predicted worst, and what they have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.validation.published.basis import Judged, One
from app.validation.published.groups import NOT_STATED, Grouping


class Trait(NamedTuple):
    """A group that many of the worst runs belong to, and what share of all runs does."""

    grouping: str
    group: str
    misses: int
    share_of_all: float


def largest_misses(judged: Sequence[Judged[One]], count: int) -> tuple[Judged[One], ...]:
    """Those whose prediction is furthest off, the worst first."""
    return tuple(sorted(judged, key=lambda one: -abs(one.error))[:count])


def common_trait(
    misses: Sequence[Judged[One]], everything: Sequence[Judged[One]], groupings: Iterable[Grouping[One]]
) -> Trait | None:
    """What is most usual among the misses and least among all runs; None unless half of them share it.

    A trait that as many of all runs have says nothing, nor does what no source states.
    """
    found: list[tuple[float, Trait]] = []
    for grouping in groupings:
        among_all = Counter(grouping.group(one.run) for one in everything)
        for group, count in Counter(grouping.group(one.run) for one in misses).items():
            among_misses, share = count / len(misses), among_all[group] / len(everything)
            if group != NOT_STATED and among_misses >= 0.5 and among_misses > share:
                found.append((among_misses - share, Trait(grouping.name, group, count, share)))
    return max(found)[1] if found else None
