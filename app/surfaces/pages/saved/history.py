"""The revisions of a scenario, newest first, each with what changed in it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from app import __version__
from app.charts.format import Shown, show, show_at
from app.engine.quantities import short_label_at
from app.saved.errors import BadCursorError
from app.saved.records import Page, Reopened, Revision, Saved
from app.saved.store import SavedWork
from app.surfaces.pages.design_page import design_page
from app.surfaces.pages.designs import Designs, DesignsDep, Evaluated, evaluated
from app.surfaces.pages.saved.cards import FIGURES
from app.surfaces.pages.saved.rights import ReadDep, Rights, rights, saved_key
from app.surfaces.pages.saved.words import differences, in_brief
from app.surfaces.pages.studio.estimates import accepted
from app.surfaces.pages.studio.form import Choices, stated_values
from app.surfaces.pages.studio.page import Studio
from app.surfaces.pages.studio.panel import panel_page
from app.surfaces.pages.studio.rows import Form
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import Templates, TemplatesDep

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


class MovedValue(NamedTuple):
    """A value of the catalog then and now; `link` leads to its row."""

    label: str
    before: Shown
    after: Shown
    source: str
    link: str


class Record(NamedTuple):
    """Text of the bar above a revision, and the tables below it."""

    id: str
    name: str
    newest: int
    reopened: Reopened
    moved: tuple[MovedValue, ...]
    recomputed: tuple[MovedValue, ...]
    engine_now: str
    today: str  # the address of this scenario with today's catalog; "" where only the revision may be seen
    rights: Rights
    is_alone: bool  # whether a link shows this revision and nothing else

    @property
    def number(self) -> int:
        return self.reopened.revision.revision

    @property
    def fork(self) -> str:
        """Where it is saved as a scenario of its own, with today's catalog."""
        _, _, state = self.today.partition("?")
        return f"/designs/{self.id}/save?new=yes{'&' if state else ''}{state}"

    def computed_otherwise(self, path: str) -> str:
        """Note on an explanation whose figure differs from the saved one."""
        for change in self.reopened.engine_moved:
            if change.path == path:
                before, after = (show_at(path, value).text for value in (change.before, change.after))
                return f"The revision was saved with {before}. Today's engine computes {after} from the same values: this explains that."
        return ""


def revision_page(work: SavedWork, source: Designs, page: Templates, key: str, number: int) -> HTMLResponse:
    """The page of a revision: nothing on it can be changed."""
    record, then = reopened(work, key, number)
    values = stated_values(then.document)
    choices = source.of(f"{record.id}@{number}").choices()
    shown_then = Studio(
        key=record.id, design=design_page(then), panel=panel_page(Form(values, values, then, then, choices, {})),
        values=values, base=values, refusals=(), offers={}, suggested={}, accepted=accepted(then), deltas={}, last_change="", choices=choices, state="",
        is_new=False, saved=None,
    )  # fmt: skip
    return page.page("saved/revision.html", studio=shown_then, record=record, suffix=f"?revision={number}")


def reopened(work: SavedWork, key: str, number: int) -> tuple[Record, Evaluated]:
    """A revision with the figures that were saved with it; what explains them is computed again.

    Raises
    ------
    NotSavedError : there is no such scenario or revision
    """
    named = saved_key(key)
    if named is None:
        raise HTTPException(404, f"{key} has no revisions: it is an example.")
    actions = work.rights("scenario", named.id)  # none where a link shows this revision only
    saved = work.get("scenario", named.id) if actions else work.shown("scenario", named.id, number)
    found = work.reopened(named.id, number)
    then = evaluated(named.id, found.evaluated)._replace(as_json=work.results(named.id, number))
    newest = number == saved.revision
    record = Record(
        id=saved.id,
        name=saved.name,
        newest=saved.revision,
        reopened=found,
        moved=tuple(
            MovedValue(each.label, show(each.before, each.unit), show(each.after, each.unit), each.source,
                       f"/catalog/{each.catalog}" if each.catalog else "")
            for each in found.moved
        ),
        recomputed=tuple(
            MovedValue(each.label, show_at(each.path, each.before), show_at(each.path, each.after), "", "")
            for each in found.engine_moved
        ),
        engine_now=__version__,
        rights=rights(actions),
        is_alone=not actions,
        today="" if not actions else f"/designs/{saved.id}" + ("" if newest else f"?s={encode_state(stated_values(then.document))}"),
    )  # fmt: skip
    return record, then
