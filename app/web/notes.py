"""Problems of a design in words: what is missed, what is not published, what else to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.figures.format import NOT_PUBLISHED, show
from app.web.labels import label_of


class Note(NamedTuple):
    """A problem as the page shows it."""

    message: str
    field: str
    remedy: str
    affects: tuple[str, ...]


class Notes(NamedTuple):
    infeasible: tuple[Note, ...]
    missing: tuple[Note, ...]
    warnings: tuple[Note, ...]

    @property
    def unknown_figures(self) -> int:
        return len({path for note in self.missing for path in note.affects})


def notes(problems: list[dict[str, Any]]) -> Notes:
    """The problems of an evaluation by kind."""
    by_kind: dict[str, list[Note]] = {"infeasible": [], "missing_input": [], "warning": []}
    for problem in problems:
        by_kind[problem["kind"]].append(_note(problem))
    return Notes(*(tuple(found) for found in by_kind.values()))


def missing_for(path: str, found: Notes) -> str:
    """The inputs whose absence leaves a figure unknown."""
    fields = [note.field for note in found.missing if path in note.affects]
    return f"needs {', '.join(fields[:2])}" if fields else NOT_PUBLISHED


def _note(problem: Mapping[str, Any]) -> Note:
    return Note(
        message=problem["message"],
        field=problem["field"],
        remedy=_remedy(problem),
        affects=tuple(problem.get("affects") or ()),
    )


def _remedy(problem: Mapping[str, Any]) -> str:
    fix = problem.get("fix")
    if fix:
        return str(fix.get("message") or f"Set {fix['field']} to {fix['value']}.")
    suggestion = problem.get("suggested_assumption")
    if not suggestion:
        return ""
    shown = show(suggestion["value"], suggestion["unit"]).text
    return f"Suggested assumption: {suggestion['field']} = {shown} ({suggestion['source']})."


def affected_labels(note: Note, most: int = 6) -> str:
    """The figures a missing input leaves unknown, the first few by name."""
    names = list(dict.fromkeys(label_of(path) for path in note.affects))
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
