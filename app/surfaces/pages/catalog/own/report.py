"""The report of an import as a page: what becomes of each line, in words."""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.own.planning import Change, Line, Plan
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.catalog.words import label_of_field

VALUES_SHOWN = 6
LINES_SHOWN = 1_000
TONES = {"added": "good", "changed": "accent", "same": "", "refused": "bad"}


class ShownLine(NamedTuple):
    """A line of the report; `more` counts values that are not shown."""

    place: str
    key: str
    link: str  # to the row, where it is there already
    outcome: str
    tone: str
    changes: tuple[tuple[str, str, str], ...]  # label, before, after
    more: int
    faults: tuple[tuple[str, str, str, str], ...]  # column, value, message, hint


class Report(NamedTuple):
    """The whole of it."""

    counts: dict[str, int]
    writes: int
    lines: tuple[ShownLine, ...]
    hidden: int  # lines that say nothing new, or are too many to show


def report(plan: Plan) -> Report:
    """What an import would do; lines that change nothing are only counted."""
    telling = [line for line in plan.lines if line.outcome != "same"]
    telling.sort(key=lambda line: line.outcome != "refused")
    shown = telling[:LINES_SHOWN]
    return Report(
        counts={str(outcome): count for outcome, count in plan.counts.items()},
        writes=len(plan.writes),
        lines=tuple(_shown(line) for line in shown),
        hidden=len(plan.lines) - len(shown),
    )


def _shown(line: Line) -> ShownLine:
    sheet = f"{line.place.sheet}, " if line.place.sheet else ""
    changes = tuple(_change(change) for change in line.changes)
    return ShownLine(
        place=f"{sheet}line {line.place.line}",
        key=line.key,
        link=part_link(line.kind, line.key) if line.outcome == "changed" else "",
        outcome=line.outcome,
        tone=TONES[line.outcome],
        changes=changes[:VALUES_SHOWN],
        more=max(len(changes) - VALUES_SHOWN, 0),
        faults=tuple((fault.column, fault.value, fault.message, fault.hint) for fault in line.faults),
    )


def _change(change: Change) -> tuple[str, str, str]:
    unit = f" {change.unit}" if change.unit and change.unit != "1" else ""
    before = f"{change.before}{unit}" if change.before else ""
    return label_of_field(change.field), before, f"{change.after}{unit}"
