"""Tables of errors: by what the engine was fitted to, and by what measurements have in common."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.format import THIN_SPACE, signed_percent
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.spread import Spread, spread_of
from app.validation.judged import Summary, groups, judged, summary_of


class Line(NamedTuple):
    """A group of measurements in an error table."""

    name: str
    link: str
    runs: str
    median: str
    p90: str
    bias: str
    spread: Spread


class ErrorTable(NamedTuple):
    id: str
    title: str
    first: str  # header of the first column
    lines: tuple[Line, ...]


def fits_table(asked: Asked) -> ErrorTable:
    """The measurements asked for by every fit, and with every source counting the same."""
    runs = [one.run for one in asked.found]
    lines = []
    for basis in asked.subject.bases.values():
        again = judged(runs, basis)
        link = asked.link(asked.subject.overview, basis=basis.key)
        lines.append(_line(basis.name, link, summary_of(again)))
        lines.append(
            _line(f"{asked.subject.families} weighted equally", "", summary_of(again, sources_equal=True))
        )
    return ErrorTable(
        "fits", "By what the engine was fitted to", "Fit", tuple(line for line in lines if line)
    )


def group_table(asked: Asked, name: str) -> ErrorTable:
    """The measurements asked for by the groups of a grouping."""
    grouping = asked.subject.groupings[name]
    lines = [
        _line(
            asked.words.group(name, group.name),
            asked.link(asked.subject.rows, **{name: group.name}),
            summary_of(group.members),
        )
        for group in groups(asked.found, grouping)
    ]
    title = f"By {grouping.title.lower()}"
    return ErrorTable(name, title, grouping.title, tuple(line for line in lines if line))


def share_text(fraction: float, digits: int = 1) -> str:
    """A fraction as a percentage with decimals that stand below one another.

    >>> share_text(0.0756).replace(THIN_SPACE, " ")
    '7.6 %'
    """
    return f"{100 * fraction:.{digits}f}{THIN_SPACE}%"


def _line(name: str, link: str, summary: Summary | None) -> Line | None:
    if summary is None:
        return None
    return Line(
        name=name,
        link=link,
        runs=f"{summary.runs:,}",
        median=share_text(summary.median_abs_error),
        p90=share_text(summary.p90_abs_error),
        bias=signed_percent(summary.bias),
        spread=spread_of(summary.low_error, summary.bias, summary.high_error),
    )
