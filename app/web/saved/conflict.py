"""Two changed the same scenario: what the other saved, what is at hand here, and the ways on."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from app.scenarios.saved.documents import canonical
from app.scenarios.saved.errors import NotSavedError
from app.scenarios.saved.records import Saved
from app.scenarios.saved.store import SavedWork
from app.web.saved.words import differences, words_of
from app.web.studio.form import Choices
from app.web.studio.values import MISSING, value_at


class Clash(NamedTuple):
    """A field that the two hold differently; `before` is what both started from."""

    label: str
    before: str
    theirs: str
    mine: str


class Conflict(NamedTuple):
    """`revision` is the one that mine was changed from, 0 where it is not known."""

    current: Saved
    saved_at: datetime
    revision: int
    clashes: tuple[Clash, ...]

    @property
    def following(self) -> int:
        """The number that my save would get."""
        return self.current.revision + 1


def conflict(
    work: SavedWork, current: Saved, mine: dict[str, Any], revision: int, choices: Choices
) -> Conflict:
    """Theirs beside mine, field by field."""
    try:
        base = canonical(work.revision("scenario", current.id, revision).document) if revision else {}
    except NotSavedError:
        base, revision = {}, 0
    newest = work.revision("scenario", current.id, current.revision)
    found = differences(current.document, mine, choices)
    return Conflict(
        current=current,
        saved_at=newest.created_at,
        revision=revision,
        clashes=tuple(
            Clash(each.label, _words(base, each.path, choices), each.before, each.after) for each in found
        ),
    )


def _words(base: dict[str, Any], path: str, choices: Choices) -> str:
    value = value_at(base, path)
    return words_of(path, None if value is MISSING else value, choices) if base else ""
