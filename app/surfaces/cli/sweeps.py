"""`podwright sweep` and `podwright jobs`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here

if TYPE_CHECKING:
    from app.jobs.records import Job
    from app.jobs.results import Results
    from app.jobs.store import Jobs
    from app.scenarios.sweeping.plan import SweepPlan

jobs = typer.Typer(help="Sweeps of this database: list, show, cancel, remove, results.", no_args_is_help=True)

INTERRUPTED = 130
BEST = 3

JobId = Annotated[str, typer.Argument(metavar="ID", help="A job, as `podwright jobs list` names it.")]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Where to write the results: .csv or .json."),
]
Scheduler = Annotated[
    str, typer.Option("--scheduler", metavar="TCP", help="Dask scheduler, such as tcp://127.0.0.1:8786.")
]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", min=0, help="Processes of this machine; 0 is one a core.")
]


def add_to(app: typer.Typer) -> None:
    app.command()(sweep)
    app.add_typer(jobs, name="jobs")


def sweep(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A sweep: YAML or JSON.")],
    scheduler: Scheduler = "",
    workers: Workers = 0,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate a scenario over many values of its fields, on every core or on a Dask cluster."""
    from app.jobs.asked import asked_sweep
    from app.jobs.runner import executor_of
    from app.scenarios.sweeping.chunks import read_sweep
    from app.settings import get_settings
    from app.surfaces.cli.reference import referred

    _check_out(out)
    work = saved_work_here()
    plan = asked_sweep(read_sweep(file), work, lambda ref: referred(ref, work).document)
    executor = executor_of(
        scheduler or get_settings().dask_scheduler, workers or get_settings().sweep_workers
    )
    try:
        job = _run(plan, executor)
    finally:
        executor.close()
    _tell(job, out, as_json)


@jobs.command("list")
def list_jobs(
    limit: Annotated[int, typer.Option(min=1, max=500, help="Number of entries to list.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List jobs, the newest first."""
    from app.jobs.results import job_values

    found = _jobs().listed(limit=limit).items
    if as_json:
        print_json([job_values(job) for job in found])
        return
    for job in found:
        typer.echo(f"{job.id}  {job.created_at:%Y-%m-%d %H:%M}  {_state(job):24}  {job.name}")
    if not found:
        typer.echo("No jobs.")


@jobs.command()
def show(id: JobId, as_json: AsJson = False) -> None:
    """Show one job, and its best designs."""
    _tell(_jobs().get(id), None, as_json)


@jobs.command()
def cancel(id: JobId) -> None:
    """Stop a job; what is done of it stays."""
    typer.echo(_state(_jobs().cancel(id)))


@jobs.command()
def remove(id: JobId) -> None:
    """Remove a job that is over, with its results."""
    _jobs().remove(id)


@jobs.command()
def results(id: JobId, out: Out = None, as_json: AsJson = False) -> None:
    """Write what is done of a job as CSV, or as JSON."""
    _check_out(out)
    job = _jobs().get(id)
    if job.kind == "fleet":
        raise typer.BadParameter(
            f"job {id} is a fleet: podwright jobs show {id} --json writes it", param_hint="ID"
        )
    _write(_results(job), out, as_json)


def _run(plan: SweepPlan, executor: Any) -> Job:
    """Run a plan as a job of this process, with a bar; Ctrl-C cancels it."""
    from app.jobs.queue import JobQueue
    from app.jobs.run import run_job

    queue, store = JobQueue(_engine()), _jobs()
    job, _ = store.start(plan, worker=queue.worker)
    with _interrupts() as interrupted, _bar(plan) as progress:
        run_job(queue, job, plan, executor, stopped=interrupted.is_set, progress=progress)
    if interrupted.is_set():
        store.cancel(job.id)  # it was given back
        typer.echo(f"podwright: cancelled; what is done stays: podwright jobs results {job.id}", err=True)
        raise typer.Exit(INTERRUPTED)
    return store.get(job.id)


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Set by Ctrl-C, which would otherwise raise in the midst of whatever is being done. A second one raises."""
    interrupted = threading.Event()

    def note(_number: int, _frame: object) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(plan: SweepPlan) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, so that standard output is for results; none where no one looks."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("designs", total=plan.count)
        yield lambda done: progress.update(task, completed=done)


def _tell(job: Job, out: Path | None, as_json: bool) -> None:
    from app.jobs.results import job_values, row_values
    from app.jobs.text import job_text

    if job.kind == "fleet":
        _tell_fleet(job, as_json)
        return
    found = _results(job)
    if out is not None:
        _write(found, out, as_json=False)
    if as_json:
        best = {name: [row_values(row) for row in rows] for name, rows in _best(found).items()}
        print_json(job_values(job) | {"best": best})
    else:
        typer.echo(job_text(found, _best(found)))
    if job.state == "failed":
        raise typer.Exit(1)


def _tell_fleet(job: Job, as_json: bool) -> None:
    from app.jobs.fleets import answer_of
    from app.jobs.results import job_values
    from app.views.fleet.answer import fleet_text
    from app.views.plain import report_json

    answer = answer_of(_jobs(), job)
    if as_json:
        print_json(job_values(job) | {"answer": report_json(answer)})
    else:
        typer.echo(f"{_state(job)}{': ' if job.error else ''}{job.error}\n{fleet_text(answer)}")


def _best(found: Results) -> dict[str, Any]:
    from app.jobs.results import usual_goal

    outputs = found.job.outputs
    return found.best(outputs, BEST, {name: usual_goal(name) for name in outputs})


def _write(found: Results, out: Path | None, as_json: bool) -> None:
    import sys

    from app.jobs.results import csv_parts, json_parts

    parts = json_parts if as_json or (out is not None and out.suffix == ".json") else csv_parts
    if out is None:
        for part in parts(found):
            sys.stdout.buffer.write(part)
        return
    with out.open("wb") as file:
        for part in parts(found):
            file.write(part)
    typer.echo(f"{out}: {found.job.done:,} designs, {out.stat().st_size:,} bytes", err=True)


def _check_out(out: Path | None) -> None:
    """Before anything runs: a slip in a name is no reason to lose hours of work."""
    if out is None:
        return
    if out.suffix not in (".csv", ".json"):
        raise typer.BadParameter(f"{out} ends neither in .csv nor in .json", param_hint="--out")
    if not out.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {out.absolute().parent}", param_hint="--out")


def _state(job: Job) -> str:
    return job.state if job.is_over else f"{job.state}, {job.share_done:.0%}"


def _results(job: Job) -> Results:
    from app.jobs.results import Results

    return Results(_jobs(), job)


def _jobs() -> Jobs:
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.jobs.store import Jobs

    return Jobs(_engine(), PERSONAL_WORKSPACE_ID)


def _engine() -> Any:
    from app.catalog.ready import ready_engine
    from app.settings import get_settings

    return ready_engine(get_settings())
