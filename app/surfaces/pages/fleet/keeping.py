"""Routes of fleets that are kept: saving one or its run, the page of a saved one, comparing, and use in a
design."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.jobs.fleets import FleetPlan, answer_of, document_of
from app.jobs.store import Jobs
from app.saved.documents import build_saved
from app.saved.errors import NotSavedError
from app.saved.records import Revision, Saved
from app.saved.store import SavedWork
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.reading.yaml_text import write_yaml
from app.service import Service
from app.surfaces.files.file_name import content_disposition
from app.surfaces.pages.designs import NEW, DesignsDep
from app.surfaces.pages.fleet.result import fleet_page
from app.surfaces.pages.fleet.routes import JobsDep, job_of
from app.surfaces.pages.saved.forms import FormDep, done
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, rights, saved_key
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep
from app.views.fleet.answer import FleetAnswer, figure_text
from app.views.fleet.asked import asked_fleet
from app.views.fleet.compared import MOST, FleetComparison, compared_fleets
from app.views.fleet.used import with_utilisation
from app.views.written import read_back, written

router = APIRouter(prefix="/fleet", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
MOST_REVISIONS = 100


@router.get("/compare")
def compare(
    request: Request, jobs: JobsDep, work: ReadDep, page: TemplatesDep, policy: str = ""
) -> HTMLResponse:
    """Two to six runs or saved fleets side by side: each a `fleet` of the address."""
    fleet = list(dict.fromkeys(request.query_params.getlist("fleet")))[: MOST + 1]
    comparison: FleetComparison | None = None
    faults: tuple[InputError, ...] = ()
    try:
        comparison = compared_fleets([_found(jobs, work, key) for key in fleet], policy)
    except ScenarioError as error:
        faults = error.errors
    runs = [job for job in jobs.listed(kind="fleet").items if job.done]
    saved = work.listed("fleet", limit=100).items if work.has_lists else ()
    kept = [one for one in saved if one.summary.get("policy")]
    rows = []
    if comparison:
        for place, figure in enumerate(comparison.fleets[0].figures):
            rows.append((figure.label, tuple(figure_text(one.figures[place]) for one in comparison.fleets)))
    return page.page(
        "fleet/compare.html",
        status=UNPROCESSABLE if faults and len(fleet) > 1 else 200,
        comparison=comparison,
        rows=rows,
        faults=[one.words for one in faults] if len(fleet) > 1 else [],
        runs=runs,
        kept=kept,
        chosen=set(fleet),
    )


@router.get("/saved/{id}")
def saved_fleet(
    id: str,
    work: ReadDep,
    page: TemplatesDep,
    revision: int = 0,
    policy: str = "",
    at: str = "",
    pod: str = "",
) -> HTMLResponse:
    """A saved fleet with the answer that is kept with it, its newest revision or an older one."""
    return _saved_page(work, page, _id(id), revision, policy, at, pod)


@router.get("/saved/{id}/export")
def export(id: str, work: ReadDep, revision: int = 0) -> Response:
    """The document as YAML."""
    saved, shown, _ = _opened(work, _id(id), revision)
    headers = {"content-disposition": content_disposition(saved.name, ".yaml")}
    return Response(write_yaml(shown.document), media_type="application/yaml", headers=headers)


@router.post("/saved/{id}/run")
def run(
    id: str, form: FormDep, jobs: JobsDep, work: ReadDep, page: TemplatesDep, request: Request
) -> Response:
    """Run the newest revision."""
    work.require_on("write", "fleet", _id(id))
    saved = work.get("fleet", id)
    jobs.require("write")
    service: Service = request.app.state.service
    try:
        document = build_saved("fleet", saved.document)
        assert isinstance(document, FleetDocument)
        whole = asked_fleet(document, service.named)
        job, _ = jobs.start(FleetPlan(whole, service.catalog()))
    except ScenarioError as error:
        return _saved_page(work, page, id, 0, faults=error.errors)
    return RedirectResponse(f"/fleet/{job.id}?of={id}", 303)


@router.post("/{id}/keep")
def keep(id: str, request: Request, form: FormDep, jobs: JobsDep, work: WriteDep) -> Response:
    """Keep a run: a new saved fleet with its answer, or the next revision of one that is named."""
    jobs.require("write")
    job = job_of(jobs, id)
    into = form.get("into", "")
    document = {**job.document, "name": form.get("name", "").strip() or job.name}
    try:
        if not job.done:
            raise refuse(
                "The run has no answer yet.", rule="no_answer", hint="Wait until a replication is done."
            )
        if into:
            saved = work.get("fleet", _id(into))
            saved = work.replace(
                "fleet", saved.id, {**document, "name": saved.name}, version=None, note="From a run"
            )
        else:
            saved = work.create("fleet", document, note="From a run")
        answer = written(answer_of(jobs, job))
        saved = work.keep_answer("fleet", saved.id, answer, version=None, note="Answer of the run kept")
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, f"It cannot be saved: {error}") from None
    return done(request, f"/fleet/saved/{saved.id}", said=f"Saved as {saved.name}")


@router.post("/{id}/use")
def use(id: str, form: FormDep, jobs: JobsDep, work: ReadDep, source: DesignsDep) -> Response:
    """A design with the utilisation of a run, opened in the studio."""
    job = job_of(jobs, id)
    design = form.get("design", "")
    try:
        answer = answer_of(jobs, job)
        scenario = with_utilisation(source.evaluated(design).document, answer.utilisation)
    except KeyError:
        raise HTTPException(404, f"There is no design {design[:80]!r}.") from None
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, str(error)) from None
    return RedirectResponse(f"/designs/{NEW}?s={encode_state(stated_values(scenario))}", 303)


def _found(jobs: Jobs, work: SavedWork, key: str) -> tuple[str, str, dict[str, Any], FleetAnswer]:
    """A saved fleet with its kept answer, or a run.

    Raises
    ------
    ScenarioError : there is no such fleet, or it has no answer
    """
    try:
        saved, shown, kept = _opened(work, key if saved_key(key) else "", 0)
    except NotSavedError:
        job = job_of(jobs, key)
        return key, job.name, document_of(job).as_dict(), answer_of(jobs, job)
    if kept is None:
        raise refuse(f"{saved.name} has no answer.", rule="no_answer", hint="Run it, and keep the run.")
    return key, saved.name, shown.document, kept


def _opened(work: SavedWork, id: str, number: int) -> tuple[Saved, Revision, FleetAnswer | None]:
    is_alone = bool(number) and not work.rights("fleet", id)  # a link shows this revision, and nothing else
    saved = work.shown("fleet", id, number) if is_alone else work.get("fleet", id)
    shown = work.revision("fleet", id, number or saved.revision)
    kept = work.kept("fleet", id, shown.revision)
    return saved, shown, None if kept is None else read_back(FleetAnswer, kept)


def _saved_page(
    work: SavedWork, page: Any, id: str, revision: int, policy: str = "", at: str = "", pod: str = "",
    faults: tuple[InputError, ...] = (),
) -> HTMLResponse:  # fmt: skip
    saved, shown, kept = _opened(work, id, revision)
    actions = work.rights("fleet", id)
    answer: HTMLResponse = page.page(
        "fleet/saved.html",
        status=UNPROCESSABLE if faults else 200,
        saved=saved,
        shown=shown,
        fleet=None if kept is None else fleet_page(kept, policy, at, pod),
        rights=rights(actions),
        is_alone=not actions,
        revisions=work.revisions("fleet", id, limit=MOST_REVISIONS).items if actions else (),
        document=write_yaml(shown.document),
        faults=[str(fault) for fault in faults],
    )
    return answer


def _id(text: str) -> str:
    if saved_key(text) is None or "@" in text:
        raise NotSavedError("fleet", text[:60])
    return text
