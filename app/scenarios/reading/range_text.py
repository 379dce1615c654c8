"""A range as people write it: `0.08 to 0.12`, `5 to 8 to 20`, `5 to 20 lognormal`."""

from __future__ import annotations

import math
import re
from typing import Any

DISTRIBUTIONS = ("triangular", "uniform", "pert", "normal", "lognormal")
LONGEST = 200  # characters; the time of a match grows with the square
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
TO = r"(?:\s+to\s+|\s*\u2013\s*)"  # the word, or the dash of ranges: a hyphen is the sign of a number
TEXT = re.compile(
    rf"({NUMBER}){TO}({NUMBER})(?:{TO}({NUMBER}))?(?:\s+({'|'.join(DISTRIBUTIONS)}))?", re.IGNORECASE
)
ALMOST = re.compile(
    rf"\(?({NUMBER})\s*(?:-|~|\.\.+|\u2026|,|/|\bto\b|\u2013)+\s*({NUMBER})\b.*", re.IGNORECASE
)


def range_of_text(text: str) -> dict[str, Any] | None:
    """The range that a text stands for, as plain values; None where it stands for none.

    >>> range_of_text("0.08 to 0.12"), range_of_text("Room 5 to 10")
    ({'low': 0.08, 'high': 0.12}, None)
    >>> range_of_text("5 to 8 to 20 pert")
    {'low': 5, 'typical': 8, 'high': 20, 'distribution': 'pert'}
    """
    found = TEXT.fullmatch(text.strip().replace("\u2212", "-")) if len(text) <= LONGEST else None
    if not found:
        return None
    first, second, third, distribution = found.groups()
    ends = [_number(end) for end in (first, second, third) if end]
    if not all(math.isfinite(end) for end in ends):
        return None
    names = ("low", "typical", "high") if third else ("low", "high")
    written: dict[str, Any] = dict(zip(names, ends, strict=True))
    return written | ({"distribution": distribution.lower()} if distribution else {})


def as_it_could_be_written(text: str) -> str:
    """What was probably meant by a text that is no range; "" where none was.

    >>> as_it_could_be_written("5-10"), as_it_could_be_written("five")
    ('5 to 10', '')
    """
    found = ALMOST.fullmatch(text.strip().replace("\u2212", "-")) if len(text) <= LONGEST else None
    return f"{found[1]} to {found[2]}" if found else ""


def point_of(low: float, typical: float | None, high: float, *, whole: bool = False) -> float:
    """The value that stands for a range: the typical one, else the geometric mean of its ends.

    The arithmetic mean where an end is zero or negative, and the nearest whole number of what is counted.

    >>> point_of(4, None, 9), point_of(-1, None, 3), point_of(1, 2, 9), point_of(100, None, 200, whole=True)
    (6.0, 1.0, 2, 141)
    """
    if typical is not None:
        return typical
    mean = math.sqrt(low) * math.sqrt(high) if low > 0 and high > 0 else low / 2 + high / 2
    return round(mean) if whole else float(f"{mean:.12g}")


def _number(text: str) -> float:
    return int(text) if text.lstrip("+-").isdigit() and len(text) < 19 else float(text)
