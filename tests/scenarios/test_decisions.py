"""What auto chose, and that every surface tells it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.trace import first_of
from app.scenarios.evaluation.service import evaluate_scenario
from app.surfaces.files.text import evaluation_text
from tests.scenarios.support import document
from tests.support import part_of

FOUR = {"pod__supernodes": 4, "supernode": {"system": "dgx_h100"}, "parallelism": "auto"}


def told(**changes: Any) -> dict[str, Any]:
    evaluated = evaluate_scenario(document(**(copy.deepcopy(FOUR) | changes)), ready_catalog())
    return {decision["field"]: decision for decision in evaluated.as_json["decisions"]}


def test_spares_are_told_with_what_they_add() -> None:
    spares = told()["operations.spares"]
    assert spares["message"].startswith("1 spare SuperNode bought: +25 % of the SuperNodes, 0.33 M USD")
    assert (spares["value"], spares["fix"]["value"]) == (1, 0)


def test_what_is_stated_is_no_decision() -> None:
    stated = {
        "operations__spares": 1,
        "pod__fabric": {"topology": "fat_tree", "switch": "qm9700"},
        "facility__cooling": "air",
        "parallelism": {"tp": 8},
        "workload__software": {"framework": "megatron"},
    }
    assert told(**stated) == {}
    assert set(told()) == {
        "operations.spares", "parallelism", "workload.software.framework", "pod.fabric.topology",
        "pod.fabric.switch", "facility.cooling",
    }  # fmt: skip


@pytest.mark.parametrize("seed", part_of(range(40)))
def test_spares_that_are_bought_are_told_and_no_others(seed: int) -> None:
    draw = np.random.default_rng(seed)
    changes = {
        "supernode": {"system": str(draw.choice(["dgx_h100", "dgx_b200", "gb200_nvl72"]))},
        "pod__supernodes": int(draw.integers(1, 200)),
        "pod__accelerators_used": 1 << int(draw.integers(0, 4)),
        "parallelism": {"tp": 1},
    }
    free = evaluate_scenario(document(**changes), ready_catalog())
    none = evaluate_scenario(document(**changes, operations__spares=0), ready_catalog())
    bought = first_of(free.evaluation.sections.reliability.spare_supernodes)
    found = [decision for decision in free.decisions if decision.field == "operations.spares"]
    assert [decision.value for decision in found] == ([bought] if bought else [])
    assert not [decision for decision in none.decisions if decision.field == "operations.spares"]
    dearer = first_of(free.evaluation.sections.cost.capex_usd - none.evaluation.sections.cost.capex_usd)
    assert dearer == 0 or found, "capital rises by what is told"


def test_text_tells_them() -> None:
    evaluated = evaluate_scenario(document(**FOUR), ready_catalog())
    text = evaluation_text(evaluated.as_json)
    for decision in evaluated.decisions:
        assert f"{decision.message} [{decision.field}]" in text
