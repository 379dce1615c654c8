"""The names closest to a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process


def nearest_names(text: str, names: Iterable[str], count: int = 3) -> str:
    """Up to `count` names in order of likeness, as a readable list.

    >>> nearest_names("performance.mfuu", ["performance.mfu", "cost.capex_usd"], count=1)
    'performance.mfu'
    """
    found = process.extract(text, list(names), scorer=fuzz.WRatio, limit=count)
    return ", ".join(name for name, _, _ in found)
