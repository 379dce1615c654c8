"""What saved work looks like to the rest of the product: plain records, no rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar, get_args

from app.db.tables import PERSONAL_WORKSPACE_ID
from app.scenarios.evaluation.service import EvaluatedScenario

Kind = Literal["scenario", "supernode", "pod", "projection", "study", "fleet"]
"""A scenario, one of the two kinds of design that scenarios share, a projection of a scaling law, a study, or
a fleet."""

Listed = Kind | Literal["design"]
"""What a list may hold: one kind, or designs of both."""

KINDS: tuple[Kind, ...] = get_args(Kind)
WORDS: dict[Kind, str] = {
    "scenario": "scenario",
    "supernode": "SuperNode design",
    "pod": "SuperPOD design",
    "projection": "projection",
    "study": "study",
    "fleet": "fleet",
}

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A scenario, design or projection as it is now.

    `version` grows with every change (save, rename, tags, delete, restore), `revision` only with saves.
    `document` is the newest revision's, as it was written; `note` is its note. All times are UTC.
    """

    id: str
    kind: Kind
    name: str
    revision: int
    version: int
    tags: tuple[str, ...]
    note: str
    document: dict[str, Any]
    summary: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    forked_from_id: str | None = None
    workspace_id: int = PERSONAL_WORKSPACE_ID
    created_by: str | None = None
    is_template: bool = False

    @property
    def etag(self) -> str:
        """A strong entity tag, quotes included."""
        return f'"{self.id}-{self.version}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One save. It never changes, but for what it is called: `label`, and why in `label_note`.

    `author` is who saved it, "" where that is not known.
    """

    id: str  # of what was saved
    kind: Kind
    revision: int
    note: str
    created_at: datetime
    schema_version: int
    engine_version: str
    catalog_revision: str
    document: dict[str, Any]
    summary: dict[str, Any]
    created_by: str | None = None
    author: str = ""
    label: str = ""
    label_note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """Some of many; `next` is the token that `after` takes for those that follow."""

    items: tuple[Item, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One field that differs. None stands for "not stated" or "unknown"."""

    path: str
    label: str
    before: Any
    after: Any
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A catalog value that is another today; `catalog` names its row, as in accelerators/nvidia_h100_sxm."""

    path: str
    label: str
    before: float | None
    after: float | None
    unit: str
    catalog: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """A revision evaluated with the catalog values of its time.

    `moved` are catalog values that are others today, `engine_moved` figures that today's engine
    computes otherwise from the same values. `from_today` names catalog rows that were not kept with
    the revision and were read from today's catalog instead: empty for a revision that reopens whole.
    """

    revision: Revision
    evaluated: EvaluatedScenario
    moved: tuple[Moved, ...]
    engine_moved: tuple[Change, ...]
    from_today: tuple[str, ...] = ()
