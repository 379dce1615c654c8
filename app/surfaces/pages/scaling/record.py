"""A saved projection: the figures of one of its revisions as they were saved, and its other revisions."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.diff import input_changes
from app.saved.errors import ChangedMeanwhileError
from app.saved.records import Change, Revision, Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError, refuse
from app.surfaces.pages.designs import NEW, Designs, DesignsDep
from app.surfaces.pages.saved.forms import FormDep, asked_again, done, tags_of, version_of
from app.surfaces.pages.saved.rights import ReadDep, Rights, WriteDep, may_keep, rights, saved_key
from app.surfaces.pages.scaling.answer import ScalingAnswer, scaling_answer
from app.surfaces.pages.scaling.compare import given_text
from app.surfaces.pages.scaling.form import ScalingForm, form_of, scaling_form
from app.surfaces.pages.scaling.page import NO_DESIGN, named_or_written
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep

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
    return ", ".join(_words(change) for change in changes) or "No input"


def _words(change: Change) -> str:
    if not all(isinstance(value, str | int | float | None) for value in (change.before, change.after)):
        return f"{change.label} changed"
    before, after = (
        "not given" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for value in (change.before, change.after)
    )
    return f"{change.label} {before} to {after}"


router = APIRouter(prefix="/scaling", include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/save")
def save_form(request: Request, work: ReadDep, page: TemplatesDep, new: bool = False) -> HTMLResponse:
    """Asks for a name, or for a note where a saved projection goes on."""
    form = scaling_form(request.query_params)
    named = saved_key(form.text("projection"))
    may_write = named is not None and "write" in work.rights("projection", named.id)
    if not may_write and not may_keep():
        return page.page("saved/no_save.html", back=form.address(), looking=named is not None)
    saved = work.get("projection", named.id) if named and may_write and not new else None
    return page.page("scaling/save.html", **_context(form, saved, {}))


@router.post("/save")
def save(
    request: Request, typed: FormDep, work: WriteDep, source: DesignsDep, page: TemplatesDep
) -> Response:
    """Saves the projection that the form was opened with, whose address stands in `query`."""
    form = scaling_form(dict(parse_qsl(typed.get("query", ""), keep_blank_values=True)))
    named = saved_key(form.text("projection"))
    goes_on = named is not None and not typed.get("new")
    note = typed.get("note", "").strip()
    try:
        if named is not None and goes_on:
            before = work.get("projection", named.id)
            document = _document(form, source, before.name, before.document)
            saved = work.replace(
                "projection", named.id, document, version=version_of(typed) or before.version, note=note
            )
        else:
            document = _document(form, source, typed.get("name", "").strip())
            saved = work.create(
                "projection",
                document,
                note=note,
                tags=tags_of(typed.get("tags", "")),
                forked_from_id=named.id if named else None,
            )
    except ScenarioError as error:
        kept = work.get("projection", named.id) if named and goes_on else None
        again = _context(form, kept, typed, faults=error.errors)
        return asked_again(request, page, "scaling/save.html", **again)
    except ChangedMeanwhileError as error:
        again = _context(form, error.current, {**typed, "version": str(error.current.version)}, moved=True)
        return asked_again(request, page, "scaling/save.html", status=409, **again)
    said = f"Saved as revision {saved.revision}" if goes_on else f"Saved as {saved.name}"
    return done(request, f"/scaling/{saved.id}", said=said, saved={"id": saved.id, "name": saved.name})


def _document(
    form: ScalingForm, designs: Designs, name: str, before: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Document of a projection to be saved: the options as typed, a name, and the design by name or written
    out.

    Raises
    ------
    ScenarioError : there is no such design
    """
    document: dict[str, Any] = {"name": name, **form.stated}
    if before and before.get("description"):
        document["description"] = before["description"]
    if form.design:
        try:
            document["scenario"] = named_or_written(form, designs)
        except KeyError:
            raise refuse(NO_DESIGN, rule="unknown_scenario", path="scenario", value=form.design) from None
    return document


def _context(
    form: ScalingForm, saved: Saved | None, typed: dict[str, str], *, faults: tuple[Any, ...] = (), moved: bool = False,
) -> dict[str, Any]:  # fmt: skip
    return {
        "query": urlencode(form.fields),
        "back": form.address(),
        "saved": saved,
        "version": typed.get("version") or (saved.version if saved else ""),
        "typed": {name: typed.get(name, "") for name in ("name", "note", "tags")},
        "faults": faults,
        "moved": moved,
    }
