"""Problems of a design in words: what is missed, what is not published, what else to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.charts.format import NOT_PUBLISHED, RENT_ONLY, show
from app.engine.quantities import label_at
from app.scenarios.declared_fields import label_of_field
from app.surfaces.pages.studio.fields import fields_by_path, in_field_words


class Note(NamedTuple):
    """A problem as the page shows it. `place` is the input that is missing, `label` what people call it."""

    message: str
    field: str  # of the form, "" where it has no control
    remedy: str
    affects: tuple[str, ...]
    place: str = ""
    label: str = ""


class Notes(NamedTuple):
    infeasible: tuple[Note, ...]
    missing: tuple[Note, ...]
    warnings: tuple[Note, ...]

    @property
    def unknown_figures(self) -> int:
        return len({path for note in self.missing for path in note.affects})


def notes(problems: list[dict[str, Any]]) -> Notes:
    """The problems of an evaluation by kind; that a part is rent only is no gap, and stands with the warnings."""
    by_kind: dict[str, list[Note]] = {"infeasible": [], "missing_input": [], "warning": []}
    for problem in problems:
        kind = "warning" if problem["constraint"] == "rent_only" else problem["kind"]
        by_kind[kind].append(_note(problem))
    return Notes(*(tuple(found) for found in by_kind.values()))


def missing_for(path: str, found: Notes) -> str:
    """The inputs whose absence leaves a figure unknown."""
    needed = [note.label for note in found.missing if path in note.affects]
    if not needed and any(path in note.affects for note in found.warnings):
        return RENT_ONLY.text
    return f"needs {', '.join(needed[:2])}" if needed else NOT_PUBLISHED


def _note(problem: Mapping[str, Any]) -> Note:
    return Note(
        message=in_field_words(problem["message"]),
        field=problem["field"] if problem["field"] in fields_by_path() else "",
        remedy=in_field_words(_remedy(problem)),
        affects=tuple(problem.get("affects") or ()),
        place=problem["constraint"],
        label=problem["message"].partition(" is not published")[0],
    )


def _remedy(problem: Mapping[str, Any]) -> str:
    fix = problem.get("fix")
    if fix:
        return str(fix.get("message") or f"Set {label_of_field(fix['field'])} to {fix['value']}.")
    suggestion = problem.get("suggested_assumption")
    if not suggestion:
        return ""
    shown = show(suggestion["value"], suggestion["unit"]).text
    return f"Suggested: {shown} ({suggestion['source']})."


def affected_labels(note: Note, most: int = 6) -> str:
    """The figures a missing input leaves unknown, the first few by name."""
    names = list(dict.fromkeys(label_at(path) for path in note.affects))
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
