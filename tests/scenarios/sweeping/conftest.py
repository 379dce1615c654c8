"""Plans of small sweeps over the catalog of the seeded database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.scenarios.load import build_document, build_scenario
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import SweepPlan, plan_sweep
from tests.databases import engine_in
from tests.scenarios.support import scenario

Plan = Callable[..., SweepPlan]


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path) -> Catalog:
    return Catalog.open(engine_in(seeded_data_dir))


@pytest.fixture(scope="session")
def plan(catalog: Catalog) -> Plan:
    """`plan(axis, axis, sample=..., outputs=..., scenario=...)` of 64 accelerators with a stated layout."""
    stated = scenario(pod__supernodes=8, workload__global_batch_sequences=128, parallelism={"tp": 2, "pp": 1})

    def make(*axes: dict[str, Any], scenario: dict[str, Any] | None = None, **more: Any) -> SweepPlan:
        values = stated if scenario is None else scenario
        document = build_document(SweepDocument, {"scenario": values, "axes": list(axes), **more})
        return plan_sweep(document, build_scenario(values), catalog)

    return make
