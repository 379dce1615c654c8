"""Names that are most like a mistyped one, found in bounded time whatever was typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rapidfuzz import fuzz, process

LONGEST: Final = 80
"""Characters of what was typed that are looked at."""


def most_like(text: str, names: Iterable[str], count: int = 3, *, least: float = 0.0) -> list[str]:
    """Up to `count` names in order of likeness, those below `least` of 100 left out.

    >>> most_like("performance.mfuu", ["performance.mfu", "cost.capex_usd"], count=1)
    ['performance.mfu']
    """
    known = list(names)
    found = process.extract(
        text[:LONGEST],
        [name[: 2 * LONGEST] for name in known],
        scorer=fuzz.WRatio,
        processor=str.lower,
        limit=count,
        score_cutoff=least,
    )
    return [known[place] for _, _, place in found]


def nearest_names(text: str, names: Iterable[str], count: int = 3) -> str:
    """Up to `count` names in order of likeness, as a readable list.

    >>> nearest_names("performance.mfuu", ["performance.mfu", "cost.capex_usd"], count=1)
    'performance.mfu'
    """
    return ", ".join(most_like(text, names, count))
