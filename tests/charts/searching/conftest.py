"""A search, a search over sizes and a domain study of a small job, made once."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document, build_scenario
from app.views.searching.domains import domain_study
from app.views.searching.layouts import search_scenario
from app.views.searching.options import SearchOptions
from tests.scenarios.support import scenario

STATED = {"tp": 2, "pp": 1, "cp": 1, "ep": 1, "vpp": 1, "micro_batch": 1}


@pytest.fixture(scope="package")
def evaluated(seeded_data_dir: object) -> EvaluatedScenario:
    values = scenario(workload__global_batch_sequences=128, pod__supernodes=8, parallelism=STATED)
    return evaluate_scenario(build_scenario(values), ready_catalog())


@pytest.fixture(scope="package")
def answer(evaluated: EvaluatedScenario) -> dict[str, Any]:
    return search_scenario(evaluated, build_document(SearchOptions, {}))


@pytest.fixture(scope="package")
def over_sizes(evaluated: EvaluatedScenario) -> dict[str, Any]:
    return search_scenario(evaluated, build_document(SearchOptions, {"objective": "cost"}))


@pytest.fixture(scope="package")
def study(evaluated: EvaluatedScenario) -> dict[str, Any]:
    return domain_study(evaluated, ready_catalog())
