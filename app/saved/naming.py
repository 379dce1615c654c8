"""Naming revisions, such as "As ordered", so that they are found again."""

from __future__ import annotations

from app.saved import names
from app.saved.change_log import log_change
from app.saved.reading import SavedReading
from app.saved.records import Kind, Revision


def name_revision(
    work: SavedReading, kind: Kind, id: str, number: int, name: str, note: str = ""
) -> Revision:
    """Call a revision something, in place of what it was called.

    Raises
    ------
    ScenarioError : it cannot have this name, or another revision has it
    NotSavedError : there is no such revision
    """
    wanted = names.clean_name(name, note)
    _change(work, kind, id, number, wanted)
    return work.revision(kind, id, number)


def unname_revision(work: SavedReading, kind: Kind, id: str, number: int) -> None:
    """Remove the name of a revision; one without a name stays as it is.

    Raises
    ------
    NotSavedError : there is no such revision
    """
    _change(work, kind, id, number, None)


def _change(work: SavedReading, kind: Kind, id: str, number: int, wanted: names.RevisionName | None) -> None:
    work.revision(kind, id, number)  # it is there
    with work.sessions.changing(kind, id, None) as (session, head):
        if wanted is not None:
            names.put_name(session, kind, id, number, wanted, work.actor.account_id)
        elif not names.take_name(session, id, number):
            return
        log_change(
            session,
            work.actor,
            "named",
            kind=kind,
            saved_id=id,
            workspace_id=head.workspace_id,
            revision=number,
            version=head.version,
            detail={"name": wanted.name if wanted else ""},
        )
