"""Serving scenarios, by what is changed of them."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.specs.serving import ServingWorkload
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.resolve import Resolved, resolve

WORKLOAD: dict[str, Any] = {"kind": "serving", "model": "deepseek_v3"}


def values(system: str = "dgx_h200", supernodes: int = 1, **workload: Any) -> dict[str, Any]:
    """A scenario that serves DeepSeek-R1 on so many SuperNodes, with these fields of the workload."""
    return {
        "workload": WORKLOAD | workload,
        "supernode": {"system": system},
        "pod": {"supernodes": supernodes},
    }


def resolved(system: str = "dgx_h200", supernodes: int = 1, **workload: Any) -> Resolved:
    return resolve(build_scenario(values(system, supernodes, **workload)), ready_catalog())


def served(system: str = "dgx_h200", supernodes: int = 1, **workload: Any) -> ServingWorkload:
    found = resolved(system, supernodes, **workload).design.workload
    assert isinstance(found, ServingWorkload)
    return found


def faults(system: str = "dgx_h200", supernodes: int = 1, **workload: Any) -> list[str]:
    """What is said of a scenario that is refused."""
    with pytest.raises(ScenarioError) as caught:
        resolved(system, supernodes, **workload)
    return [str(error) for error in caught.value.errors]
