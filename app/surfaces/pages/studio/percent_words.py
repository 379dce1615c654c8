"""Faults of shares, in the unit of the box that they were typed in."""

from __future__ import annotations

import re

COMPARED = re.compile(
    r"^(-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?) must be (above|at least|below|at most) (-?\d+(?:\.\d+)?)"
)
AS_SHARE = re.compile(r",? (?:\d[\d.]* for \d[^.,]*%|0 to below 1)")


def in_percent(words: str) -> str:
    """What is wrong with a share, where people type it in percent.

    >>> in_percent("2.0 must be below 1. Expected: share of the requests that are within, 0.95 for 95 %.")
    '200 % must be below 100 %. Expected: share of the requests that are within.'
    >>> in_percent("'ten' must be a number.")
    "'ten' must be a number."
    """
    found = COMPARED.match(words)
    if not found:
        return words
    value, limit = (f"{100 * float(found[group].replace(',', '')):.12g} %" for group in (1, 3))
    return f"{value} must be {found[2]} {limit}{AS_SHARE.sub('', words[found.end() :])}"
