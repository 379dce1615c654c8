"""Routes of fleets: the list of runs, the form of a new one, and what came of each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse

from app.catalog.ready import ready_engine
from app.jobs.fleets import FleetPlan, answer_of
from app.jobs.records import Job, NoSuchJobError
from app.jobs.store import Jobs
from app.saved.errors import MergeConflictError
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.examples import list_examples
from app.scenarios.reading.yaml_text import write_yaml
from app.service import Service
from app.settings import Settings
from app.surfaces.pages.fleet.asking import MOST_FILE_BYTES, Asked, asked_of, first_asked
from app.surfaces.pages.fleet.form import Choices, form_of
from app.surfaces.pages.fleet.result import EXAMPLE, fleet_page
from app.surfaces.pages.saved.cards import SORTS, shared_cards, shelf
from app.surfaces.pages.saved.cards import Asked as Narrowed
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.saved.home import just_deleted
from app.surfaces.pages.saved.rights import ReadDep, may_keep, saved_key
from app.surfaces.pages.sweeps.form import STATES
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import Upload, read_upload
from app.teams.asking import asked
from app.views.fleet.asked import asked_fleet

router = APIRouter(prefix="/fleet", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
MOST_SHOWN = 20
MOST_FIELDS = 2000
MOST_DESIGNS = 100


def jobs_asked(request: Request, work: ReadDep) -> Jobs:
    """The jobs of the workspace that is asked for, to the caller; the database is ready by then."""
    settings: Settings = request.app.state.settings
    asking = asked()
    return Jobs(ready_engine(settings), asking.workspace_id, asking.actor)


JobsDep = Annotated[Jobs, Depends(jobs_asked)]


@router.get("")
def list_fleets(
    jobs: JobsDep, work: ReadDep, page: TemplatesDep, after: str = "", q: str = "", tag: str = "", sort: str = "",
    deleted: str = "",
) -> HTMLResponse:  # fmt: skip
    """Saved fleets, and every run of the workspace, the newest first."""
    try:
        found = jobs.listed(after=after or None, kind="fleet")
    except NoSuchJobError:
        found = jobs.listed(kind="fleet")
    return page.page(
        "fleet/list.html",
        jobs=found.items,
        next=found.next,
        after=after,
        states=STATES,
        shelf=shelf(work, "fleet", "/fleet", Narrowed(q, tag, sort, "")) if work.has_lists else None,
        shared=shared_cards(work, ("fleet",)),
        sorts=SORTS,
        gone=just_deleted(work, "fleet", deleted),
    )


@router.get("/new")
def new_fleet(
    jobs: JobsDep, work: ReadDep, page: TemplatesDep, of_run: str = "", of: str = ""
) -> HTMLResponse:
    """The form of a new fleet: an example, the fleet of a run, or a saved one to be changed."""
    jobs.require("read")
    named = saved_key(of)
    if named is not None:
        saved = work.get("fleet", named.id)
        return _form_page(page, work, first_asked(write_yaml(saved.document), f"{saved.id}@{saved.revision}"))
    text = write_yaml(job_of(jobs, of_run).document) if of_run else EXAMPLE
    return _form_page(page, work, first_asked(text))


@router.post("/new")
async def ask(request: Request, jobs: JobsDep, work: ReadDep, page: TemplatesDep) -> Response:
    """Run the fleet of the form, or the form again: with another row, a trace that was read, or what is
    wrong."""
    jobs.require("write")
    sent = await read_upload(
        request, most_bytes=MOST_FILE_BYTES, most_fields=MOST_FIELDS, most_text_bytes=2 * MOST_FILE_BYTES
    )
    return await run_in_threadpool(_asked, request, jobs, work, page, sent)


def _asked(request: Request, jobs: Jobs, work: SavedWork, page: Templates, sent: Upload) -> Response:
    found = asked_of(sent.fields, sent.content)
    if found.document is None:
        return _form_page(page, work, found)
    if found.saves:
        return _saved(work, page, found)
    try:
        service: Service = request.app.state.service
        whole = asked_fleet(found.document, service.named)
        job, _ = jobs.start(FleetPlan(whole, service.catalog()))
    except ScenarioError as error:
        return _form_page(page, work, found._replace(faults=error.errors))
    return RedirectResponse(f"/fleet/{job.id}", 303)


def _saved(work: SavedWork, page: Templates, found: Asked) -> Response:
    """The fleet of the form as a new saved one, or as the next revision of the one that it changes."""
    assert found.document is not None
    document = found.document.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    named = saved_key(found.of)
    try:
        if named is None:
            saved = work.create("fleet", document)
        else:
            saved = work.merge("fleet", named.id, document, base_revision=named.revision)
    except MergeConflictError as error:
        labels = ", ".join(conflict.label for conflict in error.merge.conflicts)
        fault = refuse(
            f"Someone else changed {labels} meanwhile. Nothing was written.", rule="conflict",
            hint="Open the fleet again, and make your change in it.",
        )  # fmt: skip
        return _form_page(page, work, found._replace(faults=fault.errors))
    except ScenarioError as error:
        return _form_page(page, work, found._replace(faults=error.errors))
    return RedirectResponse(f"/fleet/saved/{saved.id}", 303)


@router.get("/{id}")
def fleet(
    id: str,
    jobs: JobsDep,
    work: ReadDep,
    page: TemplatesDep,
    policy: str = "",
    at: str = "",
    pod: str = "",
    of: str = "",
) -> HTMLResponse:
    """How far a fleet is, and what came of it."""
    job = job_of(jobs, id)
    shown = fleet_page(answer_of(jobs, job), policy, at, pod) if job.done else None
    return page.page(
        "fleet/job.html",
        job=job,
        fleet=shown,
        states=STATES,
        document=write_yaml(job.document),
        designs=designs_of(work),
        saved=work.listed("fleet", limit=MOST_DESIGNS).items if work.has_lists else (),
        into=of,
        may_keep=may_keep(),
    )


@router.get("/{id}/progress")
def progress(id: str, jobs: JobsDep, page: TemplatesDep) -> HTMLResponse:
    """How far it is, as a part of its page."""
    return page.page("fleet/progress.html", job=job_of(jobs, id), states=STATES)


@router.post("/{id}/cancel")
def cancel(id: str, form: FormDep, jobs: JobsDep) -> Response:
    """Stop it; what is done stays."""
    job_of(jobs, id)
    jobs.cancel(id)
    return RedirectResponse(f"/fleet/{id}", 303)


@router.post("/{id}/remove")
def remove(id: str, form: FormDep, jobs: JobsDep) -> Response:
    """Remove it with its results."""
    job_of(jobs, id)
    try:
        jobs.remove(id)
    except ScenarioError as error:
        raise HTTPException(409, str(error.errors[0].message)) from None
    return RedirectResponse("/fleet", 303)


def job_of(jobs: Jobs, id: str) -> Job:
    """A run of a fleet; 404 where there is none."""
    try:
        job = jobs.get(id)
    except NoSuchJobError as error:
        raise HTTPException(404, str(error)) from None
    if job.kind != "fleet":
        raise HTTPException(404, f"There is no fleet {id}.")
    return job


def designs_of(work: SavedWork) -> Choices:
    """Designs that a pod may be: worked examples, and scenarios of the workspace."""
    examples = [(one.key, one.read().name) for one in list_examples()]
    saved = work.listed("scenario", limit=MOST_DESIGNS).items if work.has_lists else ()
    own = [(one.id, one.name) for one in saved]
    return [("Saved designs", own), ("Examples", examples)] if own else [("Examples", examples)]


def _form_page(page: Templates, work: SavedWork, found: Asked) -> HTMLResponse:
    designs = designs_of(work)
    of_trace = [fault.words for fault in found.faults if fault.path.startswith("trace")]
    others = [fault for fault in found.faults if not fault.path.startswith("trace")]
    form = form_of(found.typed, () if found.by_yaml else others, designs)
    above = [str(fault) for fault in others] if found.by_yaml else list(form.faults)
    answer: HTMLResponse = page.page(
        "fleet/form.html",
        status=UNPROCESSABLE if found.faults else 200,
        form=form,
        asked=found,
        faults=above[:MOST_SHOWN],
        more=max(len(above) - MOST_SHOWN, 0),
        trace_faults=of_trace[:MOST_SHOWN],
        trace_more=max(len(of_trace) - MOST_SHOWN, 0),
        designs_shown={key for _, options in designs for key, _ in options},
        refused=bool(found.faults),
    )
    return answer
