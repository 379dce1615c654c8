"""The revisions of a scenario, newest first, each with what changed in it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from app.charts.format import Shown, show_at
from app.engine.quantities import short_label_at
from app.saved.errors import BadCursorError
from app.saved.records import Page, Revision, Saved
from app.saved.store import SavedWork
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.cards import FIGURES
from app.surfaces.pages.saved.keys import saved_key
from app.surfaces.pages.saved.ready import ReadDep
from app.surfaces.pages.saved.rights import Rights, rights
from app.surfaces.pages.saved.words import differences, in_brief
from app.surfaces.pages.studio.form import Choices
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

AT_ONCE = 25
UNDONE = re.compile(r"Undid revision (\d+)")


class Entry(NamedTuple):
    """A revision as a line of the history; `changed` counts fields against the one before it."""

    number: int
    label: str
    label_note: str
    note: str
    author: str
    saved_at: datetime
    changed: int | None  # None for the first
    brief: str
    feasible: bool | None
    figures: tuple[tuple[str, Shown], ...]


class History(NamedTuple):
    """`more` is the token of the older revisions that follow."""

    saved: Saved
    entries: tuple[Entry, ...]
    more: str
    is_first_page: bool
    rights: Rights

    @property
    def undoes(self) -> int:
        """The save that the newest one undid, 0 where it is another: to undo that is to do it again."""
        found = UNDONE.match(self.entries[0].note)
        return int(found[1]) if found and int(found[1]) == self.entries[0].number - 1 else 0


@router.get("/designs/{key}/history")
def history(key: str, work: ReadDep, source: DesignsDep, page: TemplatesDep, after: str = "") -> HTMLResponse:
    named = saved_key(key)
    if named is None:
        raise HTTPException(404, f"{key} has no history: it is an example.")
    saved = work.get("scenario", named.id)
    try:
        revisions = work.revisions("scenario", saved.id, limit=AT_ONCE, after=after or None)
    except BadCursorError as error:
        raise HTTPException(422, str(error)) from error
    found = History(
        saved,
        _entries(work, revisions, source.of(key).choices()),
        revisions.next or "",
        not after,
        rights(work.rights("scenario", saved.id)),
    )
    return page.page("saved/history.html", history=found)


def _entries(work: SavedWork, page: Page[Revision], choices: Choices) -> tuple[Entry, ...]:
    earlier: list[Revision | None] = [*page.items[1:]]
    last = page.items[-1]
    earlier.append(work.revision("scenario", last.id, last.revision - 1) if last.revision > 1 else None)
    return tuple(_entry(one, before, choices) for one, before in zip(page.items, earlier, strict=True))


def _entry(revision: Revision, before: Revision | None, choices: Choices) -> Entry:
    found = differences(before.document, revision.document, choices) if before else ()
    return Entry(
        number=revision.revision,
        label=revision.label,
        label_note=revision.label_note,
        note=revision.note,
        author=revision.author,
        saved_at=revision.created_at,
        changed=len(found) if before else None,
        brief=in_brief(found) if found else "",
        feasible=revision.summary.get("feasible"),
        figures=tuple(
            (short_label_at(path), show_at(path, revision.summary.get(name)))
            for path, name in FIGURES.items()
        ),
    )
