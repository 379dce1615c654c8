"""Served models that the views are tried on, evaluated once."""

from __future__ import annotations

import functools
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.serving.served import Served, served
from tests.support import read_example

ONE_SERVER = "deepseek_r1_on_8_h200"
RACK = "deepseek_r1_on_gb200_nvl72"


def catalog() -> Catalog:
    return ready_catalog()


@functools.cache
def example(key: str = ONE_SERVER) -> EvaluatedScenario:
    return evaluated(read_example(key))


def evaluated(document: ScenarioDocument) -> EvaluatedScenario:
    return evaluate_scenario(document, catalog())


def changed(key: str = ONE_SERVER, **workload: Any) -> EvaluatedScenario:
    """An example with fields of its workload in place of its own; None takes one out."""
    values = read_example(key).as_dict()
    both = values["workload"] | workload
    values["workload"] = {name: value for name, value in both.items() if value is not None}
    return evaluated(build_scenario(values))


def shown(key: str = ONE_SERVER) -> Served:
    return served(example(key), "A test")
