"""Fleets as jobs: a chunk is a replication of a policy or a finding, and its block is the result as JSON."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from app.catalog.view import CatalogView
from app.jobs.blocks import Block, FleetChunk
from app.jobs.records import Job
from app.jobs.store import Jobs
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.views.fleet.answer import FleetAnswer, fleet_answer
from app.views.fleet.tasks import Task, computed_task, tasks_of

QUICK = 1


@dataclass(frozen=True)
class FleetPlan:
    """A fleet in numbers, as the queue takes it; results do not depend on the catalog."""

    document: FleetDocument
    catalog: CatalogView
    kind: str = "fleet"
    outputs: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Tasks of the fleet."""
        return len(tasks_of(self.document))

    @property
    def written_out(self) -> FleetDocument:
        """The fleet, which names no design any more."""
        return self.document

    @property
    def cuts(self) -> list[tuple[int, int]]:
        """Start and end of every chunk: each task is one."""
        return [(place, place + 1) for place in range(self.count)]

    def chunk(self, number: int) -> FleetChunk:
        """A task with all that computing it needs."""
        return FleetChunk(number=number, document=self.document.as_dict())


def fleet_block(chunk: FleetChunk) -> Block:
    """Compute a chunk, in a worker: the result depends on the chunk alone."""
    document = build_document(FleetDocument, chunk.document)
    result = computed_task(document, tasks_of(document)[chunk.number])
    return Block(
        number=chunk.number,
        start=chunk.number,
        count=1,
        feasible=1,
        figures=zlib.compress(orjson.dumps(result), QUICK),
        limits=b"",
    )


def document_of(job: Job) -> FleetDocument:
    """The fleet of a job."""
    return build_document(FleetDocument, job.document)


def answer_of(jobs: Jobs, job: Job) -> FleetAnswer:
    """The answer of what is stored of a job."""
    document = document_of(job)
    return fleet_answer(document, list(_results(jobs, job, tasks_of(document))))


def _results(jobs: Jobs, job: Job, tasks: list[Task]) -> Iterator[tuple[Task, dict[str, object]]]:
    for block in jobs.blocks(job.id):
        yield tasks[block.number], orjson.loads(zlib.decompress(block.figures))
