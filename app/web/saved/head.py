"""What the studio says of the saved scenario that is open in it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from app.scenarios.saved.store import SavedWork
from app.web.saved.keys import SavedKey


class Save(NamedTuple):
    """What is said of one save, which never changes."""

    at: datetime
    note: str
    catalog_revision: str


class SavedHead(NamedTuple):
    """`revision` is the one that changes are counted from, `newest` may have come since."""

    id: str
    name: str
    revision: int
    newest: int
    version: int
    save: Save
    newest_save: Save
    tags: tuple[str, ...]


def saved_head(work: SavedWork, key: SavedKey) -> SavedHead:
    """The head of a saved scenario.

    Raises
    ------
    NotSavedError : there is no such scenario or revision
    """
    saved = work.get("scenario", key.id)
    revision = key.revision or saved.revision
    return SavedHead(
        id=saved.id,
        name=saved.name,
        revision=revision,
        newest=saved.revision,
        version=saved.version,
        save=_save(work, saved.id, revision),
        newest_save=_save(work, saved.id, saved.revision),
        tags=saved.tags,
    )


def _save(work: SavedWork, id: str, number: int) -> Save:
    revision = work.revision("scenario", id, number)
    return Save(revision.created_at, revision.note, revision.catalog_revision)
