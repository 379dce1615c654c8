"""Routes of studies: the list, the page of one, its search, its changes, and its review."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from app.saved.access import ForbiddenError
from app.saved.documents import build_saved
from app.saved.errors import ChangedMeanwhileError, MergeConflictError, NotSavedError
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.reading.yaml_text import write_yaml
from app.scenarios.study.document import StudyDocument
from app.surfaces.files.file_name import content_disposition
from app.surfaces.pages.designs import NEW, Designs, DesignsDep
from app.surfaces.pages.saved.cards import SORTS, Asked, shared_cards, shelf
from app.surfaces.pages.saved.compare.asked import Compared
from app.surfaces.pages.saved.compare.sides import NoSideError
from app.surfaces.pages.saved.forms import FormDep, asked_again, done, tags_of
from app.surfaces.pages.saved.home import just_deleted
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, may_keep, saved_key
from app.surfaces.pages.studies.adopting import candidate_words, scenario_of
from app.surfaces.pages.studies.answering import events_of
from app.surfaces.pages.studies.asking import UTILISATION, first_values, inputs_of, with_typed
from app.surfaces.pages.studies.board import board_of, found_rows, name_of
from app.surfaces.pages.studies.changes import changed
from app.surfaces.pages.studies.columns import with_columns
from app.surfaces.pages.studies.made_of import study_of
from app.surfaces.pages.studies.of_fleet import FleetUsed, fleet_used
from app.surfaces.pages.studies.opened import OpenedStudy, checked, opened, unsaved
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams.asking import asked
from app.teams.reviews import Move, Reviews
from app.views.study.report import StudyAnswer, StudyRow
from app.views.written import written

router = APIRouter(prefix="/studies", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE, CONFLICT = 422, 409
LONGEST_STATE = 8_000
MOST_NOTE = 500
EVENTS = "text/event-stream"
PAGES = {"search": "explore", "sweep": "sweep"}
"""Pages that begin with a candidate, by what its form asks for; the studio for anything else."""


@router.get("")
def list_studies(
    work: ReadDep,
    page: TemplatesDep,
    q: str = "",
    tag: str = "",
    sort: str = "",
    after: str = "",
    deleted: str = "",
) -> HTMLResponse:
    """Studies of the workspace, and those that others share."""
    return page.page(
        "studies/list.html",
        shelf=shelf(work, "study", "/studies", Asked(q, tag, sort, after)) if work.has_lists else None,
        shared=shared_cards(work, ("study",)),
        sorts=SORTS,
        gone=just_deleted(work, "study", deleted),
    )


@router.get("/new")
def new_study(
    request: Request, work: ReadDep, source: DesignsDep, page: TemplatesDep, s: str = "", fleet: str = ""
) -> HTMLResponse:
    """A study that is not saved: that of the address, or what the form of the home page asks. It begins
    with the utilisation of a saved fleet where the address names one."""
    values: dict[str, Any] | None = first_values()
    if s:
        values = decode_state(s)
    if values is None:
        raise HTTPException(404, "The address holds no study that can be read. It may have been cut off.")
    values = with_typed(values, dict(request.query_params))
    if not fleet:
        return _page(page, source, unsaved(values))
    try:
        used = fleet_used(work, fleet)
    except ScenarioError as error:
        return _page(page, source, unsaved(values), faults=error.errors, status=UNPROCESSABLE)
    except NotSavedError:
        if not s:
            raise
        return _page(page, source, unsaved(values))  # removed or not shared: the study has the number
    if not s and UTILISATION.name not in request.query_params:
        values = used.into(values)
    return _page(page, source, unsaved(values), used=used if used.is_in(values) else None)


@router.post("/answer")
def answer(
    request: Request, form: FormDep, work: ReadDep, source: DesignsDep, page: TemplatesDep
) -> Response:
    """The search of a study, as events to a script; without one, the page with the answer."""
    study = _carried(work, form)
    if study.document is None:
        return _page(page, source, study, status=UNPROCESSABLE)
    designs = source.held_by(study.saved) if study.saved else source
    if EVENTS not in request.headers.get("accept", ""):
        try:
            return _page(page, source, study, _answered(study.document, designs))
        except ScenarioError as error:
            return _page(page, source, study, faults=error.errors, status=UNPROCESSABLE)
    document = study.document

    def rows(found: tuple[StudyRow, ...]) -> str:
        return page.text("studies/rows.html", rows=found_rows(found, document))

    def board(found: StudyAnswer) -> str:
        return page.text("studies/board.html", **_board(study, with_columns(found, document, designs)))

    def told() -> Iterator[str]:
        catalog = designs.catalog()
        steps = designs.studies.steps(document, catalog)
        yield from events_of(
            steps, rows, board, lambda found: designs.studies.remember(document, catalog, found)
        )

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(told(), media_type=EVENTS, headers=headers)


@router.post("/change")
def change(request: Request, form: FormDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """A change of a study that is not saved: its address is another one."""
    values = decode_state(form.get("s", ""))
    if values is None:
        raise HTTPException(400, "The form holds no study.")
    try:
        values, _ = changed(values, form)
    except ScenarioError as error:
        return _page(page, source, unsaved(values), faults=error.errors, status=UNPROCESSABLE)
    study = unsaved(values)
    if len(study.state) <= LONGEST_STATE and study.document is not None:
        return done(request, study.address)
    return _page(page, source, study, status=200 if study.document else UNPROCESSABLE)


@router.post("/adopt")
def adopt(form: FormDep, work: ReadDep, source: DesignsDep) -> Response:
    """A candidate as a design: in the studio, as the start of a search or a sweep, or beside the base
    case."""
    study = _carried(work, form)
    if study.document is None:
        raise HTTPException(UNPROCESSABLE, f"The study cannot be used: {study.errors[0].words}")
    try:
        state = _state(study.document, form.get("key", ""), form.get("candidate", ""), source)
        if form.get("to") == "compare":
            base = _state(study.document, form.get("base", ""), form.get("base_candidate", ""), source)
            return RedirectResponse(Compared(a=NEW, b=NEW, s=state, t=base).address(), 303)
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, f"It cannot be a design: {error}") from None
    return RedirectResponse(f"/{PAGES.get(form.get('to', ''), 'designs')}/{NEW}?s={state}", 303)


@router.get("/from")
def from_designs(
    work: ReadDep, source: DesignsDep, page: TemplatesDep, a: str = "", b: str = "", s: str = "", t: str = ""
) -> HTMLResponse:
    """A study whose columns are the sides of a comparison, or the design of a search. Nothing is saved."""
    try:
        return _page(page, source, unsaved(study_of(Compared(a=a, b=b, s=s, t=t), source, work)))
    except NoSideError as error:
        raise HTTPException(404, str(error)) from None


@router.get("/import")
def import_form(page: TemplatesDep) -> HTMLResponse:
    return page.page("studies/import.html", text="", faults=())


@router.post("/import")
def import_study(request: Request, form: FormDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """A study as YAML or JSON, opened unsaved."""
    try:
        values, _ = changed({}, {**form, "do": "yaml"})
        _, errors = checked(values)
        if errors:
            raise ScenarioError(errors)
    except ScenarioError as error:
        return asked_again(
            request, page, "studies/import.html", text=form.get("text", ""), faults=error.errors
        )
    study = unsaved(values)
    if len(study.state) <= LONGEST_STATE:
        return done(request, study.address)
    return _page(page, source, study)


@router.get("/save")
def save_form(page: TemplatesDep, s: str = "", note: str = "") -> HTMLResponse:
    """Asks for a name; the address may begin the note."""
    if not may_keep():
        return page.page("saved/no_save.html", back=f"/studies/new?s={s}", looking=False)
    values = decode_state(s) or {}
    typed = {"name": _given_name(values), "note": note[:MOST_NOTE]}
    return page.page("studies/save.html", s=s, typed=typed, faults=())


@router.post("/save")
def save(request: Request, form: FormDep, work: WriteDep, page: TemplatesDep) -> Response:
    """A new study, under its name."""
    values = decode_state(form.get("s", "")) or {}
    typed = {name: form.get(name, "").strip() for name in ("name", "note", "tags")}
    try:
        document = {**values, "name": typed["name"]}
        build_saved("study", document)
        saved = work.create("study", document, note=typed["note"], tags=tags_of(typed["tags"]))
    except ScenarioError as error:
        return asked_again(
            request, page, "studies/save.html", s=form.get("s", ""), typed=typed, faults=error.errors
        )
    return done(request, f"/studies/{saved.id}", said=f"Saved as {saved.name}")


@router.get("/{id}")
def study(id: str, work: ReadDep, source: DesignsDep, page: TemplatesDep, revision: int = 0) -> HTMLResponse:
    """A saved study, its newest revision or an older one."""
    found = opened(work, _id(id), revision)
    return _page(page, source, found, found.kept)


@router.post("/{id}/change")
def change_saved(
    id: str, request: Request, form: FormDep, work: WriteDep, source: DesignsDep, page: TemplatesDep
) -> Response:
    """A change of a saved study: its next revision, merged with what others saved meanwhile."""
    found = opened(work, _id(id), 0)
    base = _number(form.get("revision", "")) or (found.saved.revision if found.saved else 0)
    try:
        before = work.revision("study", id, base).document
        values, note = changed(before, form)
        saved = work.merge("study", id, values, base_revision=base, note=form.get("note", "").strip() or note)
    except MergeConflictError as error:
        labels = ", ".join(conflict.label for conflict in error.merge.conflicts)
        fault = refuse(
            f"Someone else changed {labels} meanwhile. Nothing was written.", rule="conflict",
            hint="Their version is shown; make your change again.",
        )  # fmt: skip
        return _page(page, source, opened(work, id, 0), faults=fault.errors, status=CONFLICT)
    except ScenarioError as error:
        return _page(page, source, found, faults=error.errors, status=UNPROCESSABLE)
    return done(request, f"/studies/{saved.id}", said=f"Saved as revision {saved.revision}")


@router.post("/{id}/review")
def review(
    id: str, request: Request, form: FormDep, work: WriteDep, source: DesignsDep, page: TemplatesDep
) -> Response:
    """Another state.

    What is sent for review is kept with its answer, so that what is approved stays as it was seen.
    """
    found = opened(work, _id(id), 0)
    version = _number(form.get("version", ""))
    moves = {move: move for move in get_args(Move)}
    move: Move | None = moves.get(form.get("move", ""))
    try:
        if move is None or found.saved is None:
            raise refuse("The form asks for no step.", rule="one_of", path="move")
        if move == "send" and found.kept is None:
            work.require_on("write", "study", id)
            version = _with_answer(work, source, found, version)
        Reviews(work, asked()).move("study", id, move, version=version, note=form.get("note", ""))
    except ScenarioError as error:
        return _page(page, source, found, found.kept, faults=error.errors, status=UNPROCESSABLE)
    except ChangedMeanwhileError:
        fault = refuse("It was changed meanwhile. Nothing was done; look at it again.", rule="changed")
        newest = opened(work, id, 0)
        return _page(page, source, newest, newest.kept, faults=fault.errors, status=CONFLICT)
    except ForbiddenError as error:
        raise HTTPException(403, str(error)) from None
    return done(request, f"/studies/{id}")


@router.get("/{id}/export")
def export(id: str, work: ReadDep, revision: int = 0) -> Response:
    """The document as YAML."""
    found = opened(work, _id(id), revision)
    headers = {"content-disposition": content_disposition(found.name, ".yaml")}
    return Response(write_yaml(found.values), media_type="application/yaml", headers=headers)


def _state(document: StudyDocument, key: str, candidate: str, source: Designs) -> str:
    return encode_state(stated_values(scenario_of(document, key, candidate, source)))


def _with_answer(work: WriteDep, source: Designs, found: OpenedStudy, version: int | None) -> int:
    """Keep the answer with a revision of its own; its version."""
    assert found.saved is not None
    if found.document is None:
        raise ScenarioError(found.errors)
    answer = _answered(found.document, source.held_by(found.saved))
    kept = work.keep_answer(
        "study", found.saved.id, written(answer), version=version, note="Answer kept for review"
    )
    return kept.version


def _answered(document: StudyDocument, designs: Designs) -> StudyAnswer:
    return with_columns(designs.studies.answer(document, designs.catalog()), document, designs)


def _page(
    page: Templates,
    source: Designs,
    study: OpenedStudy,
    answer: StudyAnswer | None = None,
    *,
    faults: tuple[InputError, ...] = (),
    status: int | None = None,
    used: FleetUsed | None = None,
) -> HTMLResponse:
    errors = (*study.errors, *faults)
    inputs, rest = inputs_of(study.values, source.catalog(), source.choices(), errors)
    context: dict[str, Any] = {"board": None, **(_board(study, answer) if answer and study.document else {})}
    return page.page(
        "studies/page.html",
        status=status or (200 if study.document else UNPROCESSABLE),
        **{
            "study": study,
            "inputs": inputs,
            "refusals": rest,
            "used": used,
            "yaml": write_yaml(study.values),
            **context,
        },
    )


def _board(study: OpenedStudy, answer: StudyAnswer) -> dict[str, Any]:
    assert study.document is not None
    board = board_of(answer, study.document, study.comments)
    names = {row.key: f"{name_of(row, study.document)}, {row.site_name or row.site}" for row in answer.rows}
    return {"study": study, "board": board, "candidate_words": candidate_words, "names_of": names}


def _carried(work: ReadDep, form: dict[str, str]) -> OpenedStudy:
    """The study that a form is about: a revision of a saved one, or the one that it holds."""
    named = saved_key(form.get("of", ""))
    if named is not None:
        return opened(work, named.id, named.revision)
    values = decode_state(form.get("s", ""))
    if values is None:
        raise HTTPException(400, "The form holds no study.")
    return unsaved(values)


def _given_name(values: dict[str, Any]) -> str:
    name = str(values.get("name") or "")
    return "" if name == StudyDocument.model_fields["name"].default else name


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _id(text: str) -> str:
    if saved_key(text) is None or "@" in text:
        raise NotSavedError("study", text[:60])
    return text
