"""Jobs that are over, under the ids which the examples name, so that requests meet one."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine
from sqlmodel import Session, select

from app.catalog.lookup import Catalog
from app.db.tables import PERSONAL_WORKSPACE_ID, JobBlockRow, JobRow
from app.jobs.asked import asked_sweep
from app.jobs.executor import InThread
from app.jobs.fleets import FleetPlan
from app.jobs.queue import JobQueue
from app.jobs.records import Plan
from app.jobs.run import run_job
from app.jobs.store import Jobs
from app.saved.store import SavedWork
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import SweepDocument
from app.surfaces.rest.fleets import EXAMPLE_FLEET, EXAMPLE_OTHER
from app.surfaces.rest.fleets import EXAMPLES as FLEETS
from app.surfaces.rest.saved.declared import EXAMPLE_ID
from app.surfaces.rest.sweeps import EXAMPLES


def keep_job(engine: Engine, catalog: Catalog) -> None:
    """Run a sweep and a fleet once, and give them the ids; where they are there already, they stay, and others that wait
    are cancelled."""
    jobs = Jobs(engine, PERSONAL_WORKSPACE_ID)
    for job in jobs.listed(limit=100).items:
        jobs.cancel(job.id)
    work = SavedWork(engine, lambda: catalog)
    _keep(
        engine,
        EXAMPLE_ID,
        lambda: asked_sweep(build_document(SweepDocument, EXAMPLES["prices"]["value"]), work),
    )
    fleet = build_document(FleetDocument, FLEETS["trace"]["value"])
    for id in (EXAMPLE_FLEET, EXAMPLE_OTHER):
        _keep(engine, id, lambda: FleetPlan(fleet, catalog))


def _keep(engine: Engine, id: str, asked: Callable[[], Plan]) -> None:
    with Session(engine) as session:
        if session.get(JobRow, id) is not None:
            return
    jobs, queue, plan = Jobs(engine, PERSONAL_WORKSPACE_ID), JobQueue(engine), asked()
    made, _ = jobs.start(plan, worker=queue.worker)
    run_job(queue, made, plan, InThread())
    with Session(engine) as session:
        row = session.get_one(JobRow, made.id)
        blocks = session.exec(select(JobBlockRow).where(JobBlockRow.job_id == made.id)).all()
        session.add(JobRow(**(row.model_dump() | {"id": id})))
        session.flush()
        session.add_all(JobBlockRow(**(block.model_dump() | {"job_id": id})) for block in blocks)
        session.commit()
    jobs.remove(made.id)
