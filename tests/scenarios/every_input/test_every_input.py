"""Turn every input of a scenario: one that changes no figure is dead, unless it is listed with the reason."""

from __future__ import annotations

import copy
import functools
import json
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.document.scenario import GenericDocument, ServingDocument, TrainingDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.fabric.materials import BillOptions, fabric_bill
from app.views.rooms import VIEWS
from app.views.searching.recent import RecentSearches
from app.views.view import Resources
from tests.scenarios.every_input.designs import designs
from tests.scenarios.every_input.fields import Leaf, leaves
from tests.scenarios.every_input.nothing import NOTHING
from tests.scenarios.every_input.together import TURNS
from tests.support import part_of

NO_FIGURES = ("name", "inputs", "provenance", "estimates", "problems", "decisions")
WORKLOADS = {TrainingDocument: "training", ServingDocument: "serving", GenericDocument: "generic"}
MOST = 120  # values and designs that are tried for one input
OF_VIEWS = {
    "pod.floor": (("fabric", "floor"),),
    "pod.fabric.media": (("fabric", "networks"),),
    "pod.also.supernode.custom": (("fabric", "floor"),),
    "supernode.custom": (("fabric", "floor"), ("fabric", "bandwidth")),
    "supernode.override": (("fabric", "floor"), ("fabric", "bandwidth"), ("facility", "it")),
    "supernode.memory_pool": (("fabric", "memory-pool"),),
    "facility": (("facility", "electrical"), ("facility", "racks")),
    "facility.power_supply": (("facility", "power_supply"),),
    "economics.build_out": (("economics", "build_out"),),
    "economics.financing": (("economics", "build_out"),),
    "economics.finance": (("economics", "cash_flow"),),
    "economics.research_multiplier": (("economics", "runs"),),
    "economics.renting": (("economics", "own_or_rent"), ("economics", "decision")),
    "workload.demand": (("serving", "sizing"), ("serving", "cost")),
    "workload.service_level": (("serving", "sizing"),),
    "workload.dataset_bytes": (("operations", "storage"),),
}
"""Answers beside the evaluation in which an input may count, by the beginning of its path."""


def tried() -> list[Leaf]:
    """Inputs that must change a figure; a workload that shares a pod, and kinds beside the first, are as the first."""
    found = {
        _name(leaf): leaf
        for leaf in leaves()
        if not leaf.path.startswith(("sharing.others.", "pod.also.supernode.")) and leaf.path not in NOTHING
    }
    return [leaf for name, leaf in found.items() if name not in TURNS]


def _kind(leaf: Leaf) -> str:
    return next((WORKLOADS[part] for part in leaf.within if part in WORKLOADS), "")


def _name(leaf: Leaf) -> str:
    return f"{_kind(leaf)}:{leaf.path}".removeprefix(":")


@functools.cache
def bases() -> dict[str, tuple[dict[str, Any], str]]:
    return {name: (values, figures(values)[0]) for name, values in designs().items()}


def figures(values: dict[str, Any]) -> tuple[str, EvaluatedScenario]:
    """All figures of the evaluation of a document as one text."""
    found = evaluate_scenario(build_scenario(values), ready_catalog())
    kept = {name: part for name, part in found.as_json.items() if name not in NO_FIGURES}
    return json.dumps(kept, default=str, sort_keys=True), found


def answers(path: str, found: EvaluatedScenario) -> str:
    asked = [view for start, views in OF_VIEWS.items() if path.startswith(start) for view in views]
    resources = Resources(
        catalog=ready_catalog(),
        evaluated=lambda document: evaluate_scenario(document, ready_catalog()),
        searches=RecentSearches(),
    )
    texts = []
    for view in VIEWS:
        if (view.room, view.name) in asked:
            try:
                texts.append(repr(view.report(view.answer(found, resources, view.options()))))
            except ScenarioError as error:
                texts.append(str(error))
    if path == "pod.fabric.media":
        texts.append(repr(fabric_bill(found, ready_catalog(), BillOptions()).totals))
    return "\n".join(texts)


def at(values: Any, path: str) -> Any:
    """What stands at a path, in the first of each list; None where nothing does."""
    for name in path.split("."):
        values = values[0] if isinstance(values, list) and values else values
        values = values.get(name) if isinstance(values, dict) else None
    return values


def put(values: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A document with another value at a path."""
    found = copy.deepcopy(values)
    part: Any = found
    *above, last = path.split(".")
    for name in above:
        part = part[0] if isinstance(part, list) else part
        if not isinstance(part.get(name), dict | list):
            part[name] = {}
        part = part[name]
    part = part[0] if isinstance(part, list) else part
    part[last] = value
    return found


def changes_a_figure(leaf: Leaf) -> bool:
    kind, tries = _kind(leaf), 0
    above = leaf.path.rpartition(".")[0]
    fitting = {n: b for n, b in bases().items() if not kind or b[0]["workload"]["kind"] == kind}
    stated = [one for one in fitting.values() if at(one[0], leaf.path) is not None]
    possible = [one for one in fitting.values() if above and at(one[0], above) is not None]
    for values, before in (stated + possible + [*fitting.values()])[:12]:
        worked = 0
        for value in leaf.others(at(values, leaf.path)):
            tries += 1
            changed = put(values, leaf.path, value)
            try:
                after, found = figures(changed)
            except ScenarioError:
                continue
            worked += 1
            if after != before:
                return True
            if leaf.path.startswith(tuple(OF_VIEWS)):
                unchanged = answers(leaf.path, evaluate_scenario(build_scenario(values), ready_catalog()))
                if answers(leaf.path, found) != unchanged:
                    return True
            if worked >= 4 or tries > MOST:
                break
        if tries > MOST:
            break
    return False


@pytest.mark.parametrize("leaf", part_of(tried(), parts=8), ids=_name)
def test_an_input_changes_a_figure(leaf: Leaf) -> None:
    assert changes_a_figure(leaf), f"{leaf.path} is dead: nothing that it was set to changes a figure"


@pytest.mark.parametrize("name", TURNS)
def test_an_input_changes_a_figure_beside_others(name: str) -> None:
    path, turn = name.rpartition(":")[2], TURNS[name]
    before = designs()[turn.of]
    for place, value in turn.stated.items():
        before = put(before, place, value)
    after = put(before, path, turn.to)
    assert after != before, f"{name} is not turned"
    for place, value in turn.along.items():
        after = put(after, place, value)
    (old, found), (new, turned) = figures(before), figures(after)
    assert new != old or answers(path, turned) != answers(path, found), f"{path} is dead"


def test_what_is_listed_is_an_input() -> None:
    assert set(TURNS) <= {_name(leaf) for leaf in leaves()}
    assert set(NOTHING) <= {leaf.path for leaf in leaves()}
    assert all(reason for reason in NOTHING.values())


@pytest.mark.parametrize("path", [path for path in NOTHING if "." not in path])
def test_names_and_notes_change_nothing(path: str) -> None:
    values, before = bases()["small"]
    for leaf in leaves():
        if leaf.path == path:
            for value in leaf.others(at(values, path)):
                try:
                    assert figures(put(values, path, value))[0] == before
                except ScenarioError:
                    continue
