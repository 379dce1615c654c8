"""Two changed the same scenario: what merges by itself, what has to be chosen, and the other ways on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from app.saved.diff import label_of_path, leaves_of, same_value
from app.saved.errors import MergeConflictError
from app.saved.merge import Conflict
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.surfaces.pages.saved.words import NOT_STATED, Difference, in_words, words_of
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.form import Choices

CHOICE = "choice:"
"""What the name of a form's field begins with that chooses a side; the path of the conflict follows."""

MOST_WORDS = 4


class Open(NamedTuple):
    """A field that both changed; `chosen` is "" where nothing is yet."""

    field: str  # of the form
    label: str
    base: str
    mine: str
    theirs: str
    chosen: str


class Clash(NamedTuple):
    """`revision` is the one that mine was changed from; `mine` and `theirs` merge by themselves.

    `again` where somebody saved once more after the choices were shown.
    """

    current: Saved
    saved_at: datetime
    saved_by: str
    revision: int
    again: bool
    open: tuple[Open, ...]
    mine: tuple[Difference, ...]
    theirs: tuple[Difference, ...]


def clash(
    work: SavedWork, error: MergeConflictError, revision: int, choices: Choices, form: Mapping[str, str]
) -> Clash:
    """Mine beside theirs; what was chosen in `form` stays chosen, unless theirs is newer than what was seen."""
    again = form.get("seen") not in (None, str(error.current.revision))
    newest = work.revision(error.current.kind, error.current.id, error.current.revision)
    return Clash(
        current=error.current,
        saved_at=newest.created_at,
        saved_by=newest.author,
        revision=revision,
        again=again,
        open=tuple(in_form(each, choices, {} if again else form) for each in error.merge.conflicts),
        mine=in_words(error.merge.from_mine, choices),
        theirs=in_words(error.merge.from_theirs, choices),
    )


def in_form(conflict: Conflict, choices: Choices, form: Mapping[str, str]) -> Open:
    """A conflict as a field of the form."""
    field = f"{CHOICE}{conflict.path}"
    base, mine, theirs = _in_words(conflict, choices)
    return Open(field, _label(conflict), base, mine, theirs, form.get(field, ""))


def _label(conflict: Conflict) -> str:
    if conflict.path == "supernode":  # system, custom or design: what it is
        return fields_by_path()["supernode.system"].label
    known = [fields_by_path().get(path) for path in conflict.path.split(",")]
    return " and ".join(field.label for field in known if field) if all(known) else conflict.label


def _in_words(conflict: Conflict, choices: Choices) -> list[str]:
    """What base, mine and theirs state; of a part only what differs."""
    parts = [leaves_of(_placed(conflict, value)) for value in (conflict.base, conflict.mine, conflict.theirs)]
    paths = [
        path
        for path in dict.fromkeys(path for part in parts for path in part)
        if not all(same_value(part.get(path), parts[0].get(path)) for part in parts)
    ]
    return [
        _listed({path: part[path] for path in paths if path in part}, conflict, choices) for part in parts
    ]


def _placed(conflict: Conflict, value: Any) -> dict[str, Any]:
    """A value under its path; of several parts that go together each has its own."""
    return value if "," in conflict.path else {conflict.path: value}


def _listed(leaves: dict[str, Any], conflict: Conflict, choices: Choices) -> str:
    if not leaves:
        return NOT_STATED
    if list(leaves) == [conflict.path]:
        return words_of(conflict.path, leaves[conflict.path], choices)
    words = [f"{_label_at(path)} {words_of(path, value, choices)}" for path, value in leaves.items()]
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + more


def _label_at(path: str) -> str:
    field = fields_by_path().get(path)
    return field.label if field else label_of_path(path)
