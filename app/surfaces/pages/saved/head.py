"""What the studio says of the saved scenario that is open in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from app.saved.errors import NotSavedError
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.surfaces.pages.saved.rights import Rights, SavedKey, rights, saved_key
from app.teams.sharing import workspace_name


class Save(NamedTuple):
    """One save in words."""

    at: datetime
    note: str
    catalog_revision: str
    label: str
    author: str


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
    rights: Rights
    is_template: bool
    is_fork: bool
    parent: Saved | None  # what it was copied from, where that may be seen
    workspace: str  # its name, where it is another one than is asked for


def head_of(work: SavedWork, key: str, revision: Any = 0) -> SavedHead | None:
    """What is saved under the key of a design; None where it is an example."""
    named = saved_key(key)
    if named is None:
        return None
    return saved_head(work, named._replace(revision=revision if isinstance(revision, int) else 0))


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
        rights=rights(work.rights("scenario", saved.id)),
        is_template=saved.is_template,
        is_fork=saved.forked_from_id is not None,
        parent=_parent(work, saved),
        workspace="" if saved.workspace_id == work.workspace_id else workspace_name(work, saved),
    )


def _parent(work: SavedWork, saved: Saved) -> Saved | None:
    if saved.forked_from_id is None:
        return None
    try:
        return work.get(saved.kind, saved.forked_from_id)
    except NotSavedError:
        return None


def _save(work: SavedWork, id: str, number: int) -> Save:
    revision = work.revision("scenario", id, number)
    return Save(
        revision.created_at, revision.note, revision.catalog_revision, revision.label, revision.author
    )
