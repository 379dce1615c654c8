"""A small design: 64 accelerators of eight servers, and a model that fits in several ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.ready import ready_catalog
from app.engine.specs import Design
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from tests.scenarios.support import scenario


@pytest.fixture(scope="session")
def design(seeded_data_dir: Path) -> Design:
    values = scenario(pod__supernodes=8, workload__global_batch_sequences=128, parallelism={"tp": 2, "pp": 1})
    return resolve(build_scenario(values), ready_catalog()).design


@pytest.fixture(scope="session")
def crowded(seeded_data_dir: Path) -> Design:
    """A model that no layout fits into one server."""
    values = scenario(pod__supernodes=1, workload__model="llama_3_1_405b")
    return resolve(build_scenario(values), ready_catalog()).design
