"""Evaluations at hand: computed once, never those of another catalog, within a bound on their memory."""

from __future__ import annotations

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.catalog.pinned import RecordingCatalog
from app.catalog.ready import ready_catalog
from app.scenarios.answers import Answers, at_most
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation import service
from app.scenarios.evaluation.service import (
    TRACED_KEPT,
    EvaluatedScenario,
    Evaluations,
    evaluate_scenario,
    inputs_hash,
)
from app.scenarios.load import build_scenario
from tests.support import read_example

KEY = "edge_node"


@pytest.fixture
def catalog(seeded_data_dir: Path) -> Catalog:
    return ready_catalog()


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the scenarios that were computed, not only looked up."""
    names: list[str] = []

    def counted(document: ScenarioDocument, catalog: RecordingCatalog) -> EvaluatedScenario:
        names.append(document.name)
        return evaluate_scenario(document, catalog)

    monkeypatch.setattr(service, "evaluate_scenario", counted)
    return names


def named(name: str) -> ScenarioDocument:
    return read_example(KEY).model_copy(update={"name": name})


def test_a_scenario_is_computed_once_for_all_who_ask_at_once(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, let_go = threading.Semaphore(0), threading.Event()
    made: list[EvaluatedScenario] = []

    def slow(document: ScenarioDocument, catalog: RecordingCatalog) -> EvaluatedScenario:
        begun.release()
        assert let_go.wait(20)
        made.append(evaluate_scenario(document, catalog))
        return made[-1]

    monkeypatch.setattr(service, "evaluate_scenario", slow)
    evaluations = Evaluations()
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(evaluations.of, named("same"), catalog) for _ in range(4)]
        assert begun.acquire(timeout=20)
        let_go.set()
        found = [one.result() for one in waiting]
    assert len(made) == 1
    assert {id(one.evaluation) for one in found} == {id(made[0].evaluation)}
    assert {id(one.as_json) for one in found} == {id(made[0].as_json)}  # nor is what follows from it


def test_each_has_the_document_that_they_gave(catalog: Catalog, computed: list[str]) -> None:
    """Equal values are one scenario; what a document leaves to defaults is its own."""
    short = read_example(KEY)
    whole = build_scenario(short.as_dict())
    assert short.model_fields_set != whole.model_fields_set
    evaluations = Evaluations()
    first, second = evaluations.of(short, catalog), evaluations.of(whole, catalog)
    assert len(computed) == 1
    assert first.document is short
    assert second.document is whole
    assert second.figures is first.figures


def test_a_replaced_design_shares_nothing_that_was_worked_out(catalog: Catalog) -> None:
    first = Evaluations().of(read_example(KEY), catalog)
    before = first.as_json["provenance"]["catalog_revision"]
    moved = dataclasses.replace(first.resolved, catalog_revision="another")
    assert dataclasses.replace(first, resolved=moved).as_json["provenance"]["catalog_revision"] == "another"
    assert first.as_json["provenance"]["catalog_revision"] == before


def test_catalogs_are_never_taken_for_each_other(catalog: Catalog, computed: list[str]) -> None:
    """Also where two databases call their revisions the same, as own rows of workspaces are counted in each."""
    evaluations = Evaluations()
    other = Catalog(revision=catalog.revision, reader=catalog.reader)
    first, second = evaluations.of(named("same"), catalog), evaluations.of(named("same"), other)
    assert computed == ["same", "same"]
    assert first.catalog is catalog
    assert second.catalog is other
    assert inputs_hash(first.document, catalog.revision) == inputs_hash(second.document, other.revision)


def test_what_cannot_be_evaluated_is_asked_again(catalog: Catalog, computed: list[str]) -> None:
    values = read_example(KEY).as_dict() | {"supernode": {"system": "no_such_system"}}
    wrong = build_scenario(values)
    evaluations = Evaluations()
    for _ in range(2):
        with pytest.raises(ScenarioError):
            evaluations.of(wrong, catalog)
    assert len(computed) == 2
    assert len(evaluations) == 0


def test_memory_is_bounded(catalog: Catalog, computed: list[str]) -> None:
    one = evaluate_scenario(named("size"), catalog)
    bare = one.kept_bytes()
    assert one.figures
    assert one.kept_bytes() > 10 * bare
    evaluations = Evaluations(most_bytes=int(5.5 * bare))
    kept = [evaluations.of(named(f"scenario {place}"), catalog) for place in range(6)]
    assert len(evaluations) == 5
    evaluations.of(kept[0].document, catalog)  # the one not asked for longest had to go
    assert computed == [f"scenario {place}" for place in range(6)] + ["scenario 0"]
    assert len(evaluations) == 5


def test_explanations_go_before_evaluations(catalog: Catalog, computed: list[str]) -> None:
    bare = evaluate_scenario(named("size"), catalog).kept_bytes()
    evaluations = Evaluations()
    first = evaluations.of(named("first"), catalog)
    tree = first.explain("performance.mfu")
    for place in range(TRACED_KEPT):
        evaluations.of(named(f"later {place}"), catalog)
    assert first.kept_bytes() == bare
    again = evaluations.of(named("first"), catalog)
    assert again.explain("performance.mfu") == tree
    assert computed.count("first") == 1


def test_a_single_large_evaluation_is_kept(catalog: Catalog, computed: list[str]) -> None:
    evaluations = Evaluations(most_bytes=1)
    for _ in range(2):
        evaluations.of(named("large"), catalog)
    assert computed == ["large"]


def test_answers_drop_the_ones_not_asked_for_longest() -> None:
    answers: Answers[None] = Answers(at_most(2))
    made: list[str] = []
    for key in "abacab":
        answers.of(key, partial(made.append, key))
    assert made == ["a", "b", "c", "b"]
