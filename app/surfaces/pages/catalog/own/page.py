"""The list of own rows as a page."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from fastapi import Depends, Request

from app.catalog.own.planning import Change, Line, Plan
from app.catalog.own.review import Finding
from app.catalog.values import Part
from app.saved.team_catalog.service import TeamCatalog
from app.service import Service
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.table import name_of
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.catalog.words import age_of, label_of_field
from app.teams.asking import Workspace, asked

FIELDS_SHOWN = 4


class OwnRow(NamedTuple):
    kind: str
    name: str
    key: str
    link: str
    over: bool
    states: str  # the fields that it states, in words
    source: str
    entered: str
    age_mark: str


class ShownFinding(NamedTuple):
    name: str
    link: str
    field: str
    words: str
    own: str
    builtin: str


class OwnPage(NamedTuple):
    rows: tuple[OwnRow, ...]
    findings: tuple[ShownFinding, ...]


def own_page(rows: Sequence[Part], findings: Sequence[Finding], today: datetime.date) -> OwnPage:
    """Everything that the page shows, in words."""
    return OwnPage(tuple(_row(part, today) for part in rows), tuple(_finding(found) for found in findings))


def _row(part: Part, today: datetime.date) -> OwnRow:
    own = [(field, fact) for field, fact in part.facts.items() if fact.own]
    fields = list(part.stated) or [field for field, _ in own]
    shown = ", ".join(label_of_field(field) for field in fields[:FIELDS_SHOWN])
    more = len(fields) - FIELDS_SHOWN
    price = next(
        (fact for field, fact in own if part.kind in ("prices", "rentals") and field == "value"), None
    )
    return OwnRow(
        kind=VIEWS[part.kind].tab,
        name=name_of(part),
        key=part.key,
        link=part_link(part.kind, part.key),
        over=part.is_override,
        states=f"{shown} and {more} more" if more > 0 else shown,
        source="; ".join(dict.fromkeys(fact.source for _, fact in own)) or part.source,
        entered=part.own.partition(", ")[2],
        age_mark=age_of(price.date, today).mark if price else "",
    )


def _finding(found: Finding) -> ShownFinding:
    dated = (f"{found.own} ({found.own_date})" if found.own_date else found.own) or ""
    theirs = f"{found.builtin} ({found.builtin_date})" if found.builtin_date else found.builtin
    return ShownFinding(
        name=found.name,
        link=part_link(found.kind, found.key),
        field=label_of_field(found.field) if found.field else "",
        words=found.words,
        own=dated,
        builtin=theirs,
    )


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


def team(request: Request) -> TeamCatalog:
    """The own rows of the workspace that is asked for, as a dependency of routes."""
    return team_in(request, asked().workspace)


def team_in(request: Request, workspace: Workspace | None) -> TeamCatalog:
    """The own rows of a workspace of the caller."""
    service: Service = request.app.state.service
    return service.of(dataclasses.replace(asked(), workspace=workspace)).team_catalog


TeamDep = Annotated[TeamCatalog, Depends(team)]
