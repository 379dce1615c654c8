"""A job that is over, under the id which the examples name, so that requests meet one."""

from __future__ import annotations

from sqlalchemy import Engine
from sqlmodel import Session, select

from app.catalog.lookup import Catalog
from app.db.tables import PERSONAL_WORKSPACE_ID, JobBlockRow, JobRow
from app.jobs.asked import asked_sweep
from app.jobs.executor import InThread
from app.jobs.queue import JobQueue
from app.jobs.run import run_job
from app.jobs.store import Jobs
from app.saved.store import SavedWork
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import SweepDocument
from app.surfaces.rest.saved.declared import EXAMPLE_ID
from app.surfaces.rest.sweeps import EXAMPLES


def keep_job(engine: Engine, catalog: Catalog) -> None:
    """Run it once, and give it the id; where it is there already, it stays, and others that wait are cancelled."""
    jobs = Jobs(engine, PERSONAL_WORKSPACE_ID)
    for job in jobs.listed(limit=100).items:
        jobs.cancel(job.id)
    with Session(engine) as session:
        if session.get(JobRow, EXAMPLE_ID) is not None:
            return
    document = build_document(SweepDocument, EXAMPLES["prices"]["value"])
    plan, queue = asked_sweep(document, SavedWork(engine, lambda: catalog)), JobQueue(engine)
    made, _ = jobs.start(plan, worker=queue.worker)
    run_job(queue, made, plan, InThread())
    with Session(engine) as session:
        row = session.get_one(JobRow, made.id)
        blocks = session.exec(select(JobBlockRow).where(JobBlockRow.job_id == made.id)).all()
        session.add(JobRow(**(row.model_dump() | {"id": EXAMPLE_ID})))
        session.flush()
        session.add_all(JobBlockRow(**(block.model_dump() | {"job_id": EXAMPLE_ID})) for block in blocks)
        session.commit()
    jobs.remove(made.id)
