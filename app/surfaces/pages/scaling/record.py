"""A saved projection: the figures of one of its revisions as they were saved, and its other revisions."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.saved.diff import input_changes
from app.saved.records import Change, Revision, Saved
from app.saved.store import SavedWork
from app.surfaces.pages.designs import NEW
from app.surfaces.pages.saved.rights import Rights, rights
from app.surfaces.pages.scaling.answer import ScalingAnswer, scaling_answer
from app.surfaces.pages.scaling.compare import given_text
from app.surfaces.pages.scaling.form import ScalingForm, form_of
from app.surfaces.pages.studio.state import encode_state

MOST = 200  # revisions that are listed


class Entry(NamedTuple):
    """A revision as a line; `changed` are the fields that differ from the one before it."""

    revision: Revision
    figures: ScalingAnswer
    changed: str


class Record(NamedTuple):
    saved: Saved
    shown: Revision
    answer: ScalingAnswer
    given: str
    entries: tuple[Entry, ...]
    open: str  # the address of the form with what this revision asks
    rights: Rights
    is_alone: bool  # whether a link shows this revision and nothing else


def record_page(work: SavedWork, id: str, number: int) -> Record:
    """A saved projection with a revision of it, the newest where `number` is 0.

    Raises
    ------
    NotSavedError : there is no such projection or revision
    """
    actions = work.rights("projection", id)
    if not actions and number:  # a link shows this revision, and nothing else
        saved, is_alone = work.shown("projection", id, number), True
    else:
        saved, is_alone = work.get("projection", id), False
    shown = work.revision("projection", id, number or saved.revision)
    revisions = (shown,) if is_alone else work.revisions("projection", id, limit=MOST).items
    answer = work.projection(id, shown.revision)
    return Record(
        saved=saved,
        shown=shown,
        answer=_figures(answer),
        given=given_text(answer),
        entries=tuple(
            Entry(one, _figures(work.projection(id, one.revision)), _changed(before, one))
            for one, before in zip(revisions, [*revisions[1:], None], strict=True)
        ),
        open=opened(shown.document, **({} if is_alone else {"projection": id})).address(),
        rights=rights(actions),
        is_alone=is_alone,
    )


def opened(document: dict[str, Any], **more: str) -> ScalingForm:
    """The form of a saved projection; a scenario that is written out is carried by its address."""
    scenario = document.get("scenario")
    if isinstance(scenario, dict):
        return form_of(document, design=NEW, of=NEW, s=encode_state(scenario), **more)
    return form_of(document, design=scenario or "", **more)


def _figures(answer: dict[str, Any]) -> ScalingAnswer:
    """Figures without charts, which are of the model asked about and of today's laws."""
    return scaling_answer(answer, None)


def _changed(before: Revision | None, after: Revision) -> str:
    if before is None:
        return "The first"
    changes = input_changes(before.document, after.document)
    return ", ".join(_words(change) for change in changes) or "Nothing that it asks"


def _words(change: Change) -> str:
    if not all(isinstance(value, str | int | float | None) for value in (change.before, change.after)):
        return f"{change.label} changed"
    before, after = (
        "not given" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for value in (change.before, change.after)
    )
    return f"{change.label} {before} to {after}"
