"""Jobs over a database of their own, with the catalog of the seeded one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.db.migrate import migrate
from app.jobs.queue import JobQueue
from app.jobs.store import Jobs
from app.scenarios.load import build_document, build_scenario
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import SweepPlan, plan_sweep
from tests.databases import engine_in, freeze
from tests.scenarios.support import scenario

OWN_WORKSPACE = 1
FIELD = "assumptions.facility.cdu_approach_k"
"""A field that each of its values needs an evaluation of its own for: eight of them are a chunk."""

Plan = Callable[..., SweepPlan]


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path) -> Catalog:
    return Catalog.open(engine_in(seeded_data_dir))


@pytest.fixture(scope="session")
def empty_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("no_jobs")
    engine = engine_in(data_dir)
    migrate(engine)
    engine.dispose()
    freeze(data_dir)
    return data_dir


@pytest.fixture
def engine(empty_data_dir: Path, tmp_path: Path) -> Iterator[Engine]:
    opened = engine_in(Path(shutil.copytree(empty_data_dir, tmp_path / "data")))
    yield opened
    opened.dispose()


@pytest.fixture
def jobs(engine: Engine) -> Jobs:
    return Jobs(engine, OWN_WORKSPACE)


@pytest.fixture
def queue(engine: Engine) -> JobQueue:
    return JobQueue(engine)


@pytest.fixture(scope="session")
def plan(catalog: Catalog) -> Plan:
    """`plan(chunks)`: a sweep that is cut into so many chunks of eight designs."""
    values = scenario(pod__supernodes=8, workload__global_batch_sequences=128, parallelism={"tp": 2})

    def make(chunks: int = 2, *axes: dict[str, Any], name: str = "Approach") -> SweepPlan:
        approach = {"field": FIELD, "from": 2, "to": 6, "steps": 8 * chunks}
        outputs = ["cooling.pue", "cost.tco_usd"]
        stated = {"name": name, "scenario": values, "axes": list(axes) or [approach], "outputs": outputs}
        return plan_sweep(build_document(SweepDocument, stated), build_scenario(values), catalog)

    return make
