"""Routes of sweeps: the list, the form of a new one, and what came of each."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_engine
from app.jobs.asked import asked_sweep
from app.jobs.records import Job, NoSuchJobError
from app.jobs.results import Results, csv_parts
from app.jobs.store import Jobs
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.yaml_text import write_yaml
from app.settings import Settings
from app.surfaces.pages.catalog.tabs import catalog
from app.surfaces.pages.designs import Designs, DesignsDep, begun
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.saved.rights import ReadDep, WriteDep
from app.surfaces.pages.studio.carried import Carried, carried
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.sweeps.form import SCALES, STATES, STEPS, SweepForm, refused, sweep_form
from app.surfaces.pages.sweeps.result import sweep_page
from app.surfaces.pages.templating import TemplatesDep
from app.teams.asking import asked

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422


def jobs_asked(request: Request, work: ReadDep) -> Jobs:
    """The jobs of the workspace that is asked for, to the caller; the database is ready by then."""
    settings: Settings = request.app.state.settings
    asking = asked()
    return Jobs(ready_engine(settings), asking.workspace_id, asking.actor)


JobsDep = Annotated[Jobs, Depends(jobs_asked)]
CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("/sweeps")
def list_sweeps(jobs: JobsDep, page: TemplatesDep, after: str = "") -> HTMLResponse:
    """Every sweep of the workspace, the newest first."""
    return page.page("sweeps/list.html", **_listed(jobs, after))


@router.get("/sweeps/progress")
def progress_of_all(jobs: JobsDep, page: TemplatesDep, after: str = "") -> HTMLResponse:
    """The table alone, which the page asks for while something runs."""
    return page.page("sweeps/table.html", **_listed(jobs, after))


@router.get("/sweeps/{id}")
def sweep(id: str, request: Request, jobs: JobsDep, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """How far a sweep is, and what came of it."""
    shown = sweep_page(Results(jobs, _job(jobs, id)), request.query_params, found)
    document = write_yaml(shown.job.document)
    return page.page("sweeps/job.html", sweep=shown, job=shown.job, states=STATES, document=document)


@router.get("/sweeps/{id}/progress")
def progress(id: str, jobs: JobsDep, page: TemplatesDep) -> HTMLResponse:
    """How far it is, as a part of its page."""
    return page.page("sweeps/progress.html", job=_job(jobs, id), states=STATES)


@router.get("/sweeps/{id}/results.csv")
def results(id: str, jobs: JobsDep) -> Response:
    """Every design that is stored, a row each."""
    job = _job(jobs, id)
    headers = {"content-disposition": f'attachment; filename="sweep-{job.id[:8]}.csv"'}
    return StreamingResponse(
        csv_parts(Results(jobs, job)), media_type="text/csv; charset=utf-8", headers=headers
    )


@router.get("/sweeps/{id}/designs/{index}")
def open_design(id: str, index: int, jobs: JobsDep) -> Response:
    """One design of a sweep, in the studio."""
    job = _job(jobs, id)
    if not 0 <= index < job.total:
        raise HTTPException(404, f"The sweep has designs 0 to {job.total - 1:,}.")
    try:
        values = stated_values(Results(jobs, job).points.scenario_at(index))
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, f"Design {index:,} cannot be: {error}") from None
    return RedirectResponse(f"/designs/{begun(values)}", 303)


@router.post("/sweeps/{id}/cancel")
def cancel(id: str, form: FormDep, jobs: JobsDep) -> Response:
    """Stop it; what is done stays."""
    _job(jobs, id)
    jobs.cancel(id)
    return RedirectResponse(f"/sweeps/{id}", 303)


@router.post("/sweeps/{id}/remove")
def remove(id: str, form: FormDep, jobs: JobsDep) -> Response:
    """Remove it with its results."""
    _job(jobs, id)
    try:
        jobs.remove(id)
    except ScenarioError as error:
        raise HTTPException(409, str(error.errors[0].message)) from None
    return RedirectResponse("/sweeps", 303)


@router.get("/sweep/{key}")
def sweep_of_design(
    key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, s: str = ""
) -> HTMLResponse:
    """The form of a sweep of a design, with the scenario that the address carries in place of its own."""
    shown = _carried(source, key, s)
    return _form_page(page, shown, _form(source, shown, None), 200 if shown.scenario else UNPROCESSABLE)


@router.post("/sweep/{key}")
def start_sweep(
    key: str, form: FormDep, source: DesignsDep, work: WriteDep, jobs: JobsDep, page: TemplatesDep
) -> Response:
    """Start the sweep that the form asks for."""
    jobs.require("write")
    shown = _carried(source, key, form.get("s", ""))
    typed = _form(source, shown, form)
    if typed is None or typed.document is None:
        return _form_page(page, shown, typed, UNPROCESSABLE)
    try:
        job, _ = jobs.start(asked_sweep(typed.document, work))
    except ScenarioError as error:
        return _form_page(page, shown, refused(typed, error.errors), UNPROCESSABLE)
    return RedirectResponse(f"/sweeps/{job.id}", 303)


def _listed(jobs: Jobs, after: str) -> dict[str, Any]:
    try:
        found = jobs.listed(after=after or None, kind="sweep")
    except NoSuchJobError:
        found = jobs.listed(kind="sweep")
    return {"jobs": found.items, "next": found.next, "after": after, "states": STATES}


def _job(jobs: Jobs, id: str) -> Job:
    try:
        job = jobs.get(id)
    except NoSuchJobError as error:
        raise HTTPException(404, str(error)) from None
    if job.kind != "sweep":
        raise HTTPException(404, f"There is no sweep {id}.")
    return job


def _carried(source: Designs, key: str, state: str) -> Carried:
    try:
        return carried(source, key, state)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error


def _form(source: Designs, shown: Carried, typed: dict[str, str] | None) -> SweepForm | None:
    if shown.scenario is None:
        return None
    return sweep_form(source.evaluate(shown.key, shown.scenario), shown.scenario, typed)


def _form_page(page: TemplatesDep, shown: Carried, form: SweepForm | None, status: int) -> HTMLResponse:
    return page.page("sweeps/new.html", status=status, carried=shown, form=form, scales=SCALES, steps=STEPS)
