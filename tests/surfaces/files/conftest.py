"""Worked examples on their way out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import list_examples
from app.surfaces.files.work import Work
from tests.support import read_example, without_estimates

FLAGSHIP = "llama_3_1_405b_on_2048_dgx_h100"
WITH_UNKNOWNS = "dense_128b_on_tpu_v5p"
WITHOUT_FABRIC = "edge_node"

# Those that differ most are always tried; the others when there is time.
EXAMPLES = [
    pytest.param(
        example.key,
        marks=() if example.key in (FLAGSHIP, WITH_UNKNOWNS, WITHOUT_FABRIC) else pytest.mark.slow,
    )
    for example in list_examples()
]

WorkOf = Callable[[str], Work]


@pytest.fixture(scope="session")
def work_of_example(seeded_data_dir: Path) -> WorkOf:
    """An example as it would be exported, evaluated once for all tests."""

    def work(key: str) -> Work:
        document = without_estimates(key) if key == WITH_UNKNOWNS else read_example(key)
        found = evaluated(document, ready_catalog())
        return Work(found.document, lambda: found)

    return work


@pytest.fixture(scope="session")
def flagship(work_of_example: WorkOf) -> Work:
    return work_of_example(FLAGSHIP)
