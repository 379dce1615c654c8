"""What explains most of a difference, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.views.economics.difference.report import DifferenceLine, DifferenceReport

NAMED = 3
TELLING = 0.005  # of the difference: less is not worth a word


def findings(report: DifferenceReport) -> tuple[str, ...]:
    """The difference, and the three that explain most of it in each view."""
    if not math.isfinite(report.difference):
        return ()
    if is_same(report):
        return (f"{report.title} is the same in both.",)
    lines = [
        f"The second comes to {report.ratio:.3g} times the first." if report.first else "The first is nought."
    ]
    for view, words in (
        (report.by_cause, "By cause"),
        (report.by_category, "By category"),
        (report.by_factor, "By factor"),
    ):
        if view:
            lines.append(f"{words}: {most_of(view)}.")
    return tuple(lines)


def is_same(report: DifferenceReport) -> bool:
    """Return whether both sides come to the same but for rounding."""
    return math.isclose(report.first, report.second, rel_tol=1e-12)


def most_of(lines: Sequence[DifferenceLine]) -> str:
    """The lines that explain most, with their shares."""
    ranked = sorted(lines, key=lambda line: -abs(line.share))[:NAMED]
    told = [line for line in ranked if abs(line.share) >= TELLING] or ranked[:1]
    return ", ".join(f"{_inside(line.title)} {_percent(line.share)}" for line in told)


def _inside(title: str) -> str:
    """A title inside a sentence.

    >>> _inside("Capital cost"), _inside("USD for an hour")
    ('capital cost', 'USD for an hour')
    """
    return title if title[:2].isupper() else f"{title[:1].lower()}{title[1:]}"


def _percent(share: float) -> str:
    return f"{'−' if share < 0 else ''}{abs(100 * share):.0f} %"
