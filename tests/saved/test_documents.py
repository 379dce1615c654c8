"""What can be saved: a document with a name, and designs that stand alone."""

from __future__ import annotations

from typing import Any

import pytest

from app.saved.documents import build_saved, canonical
from app.saved.records import Kind
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.saved.support import UNKNOWN_ID, document, pod_design, projection, study, supernode_design
from tests.scenarios.support import scenario

KINDS: dict[Kind, Any] = {"scenario": document, "supernode": supernode_design, "pod": pod_design,
                          "projection": projection, "study": study}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "rule"),
    [("", "not_empty"), ("n" * 201, "at_most"), (" a", "plain_text"), ("a\nb", "plain_text"), (7, "text")],
)
def test_a_name_is_one_line_of_up_to_200_characters(kind: Kind, name: Any, rule: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_saved(kind, KINDS[kind](name))
    (error,) = caught.value.errors
    assert (error.path, error.rule) == ("name", rule)
    assert build_saved(kind, KINDS[kind]("n" * 200)).name == "n" * 200


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_is_required(kind: Kind) -> None:
    values = {name: value for name, value in KINDS[kind]().items() if name != "name"}
    with pytest.raises(ScenarioError) as caught:
        build_saved(kind, values)
    (error,) = caught.value.errors
    assert (error.path, error.rule) == ("name", "required")
    assert error.hint


def test_a_scenario_that_is_not_saved_needs_no_name() -> None:
    assert canonical(scenario())["name"] == "Untitled scenario"


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("supernode", {"name": "a", "supernode": {}}, "a saved design"),
        ("supernode", {"name": "a", "supernode": {"design": UNKNOWN_ID}}, "cannot be made of another one"),
        ("pod", {"name": "a", "pod": {"design": UNKNOWN_ID}}, "cannot be made of another one"),
        ("pod", {"name": "a", "pod": {"supernodes": 0}}, "at least 1"),
        ("pod", {"name": "a", "pods": {}}, "did you mean pod"),
        ("supernode", {"name": "a", "supernode": {"systems": "dgx_h100"}}, "did you mean system"),
        ("pod", {"name": "a", "pod": {}, "schema_version": 2}, "version"),
        ("pod", {"name": "a", "pod": {"fabric": {"oversubscription": float("nan")}}}, "finite"),
        ("pod", [], "mapping of fields"),
    ],
)
def test_faults_of_designs_are_said_as_those_of_scenarios(kind: Kind, values: Any, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_saved(kind, values)
    assert words.lower() in str(caught.value).lower()


def test_parts_of_a_design_are_looked_up(work: SavedWork) -> None:
    custom = {"name": "Mine", "accelerator": "nvidia_h1000", "accelerators": 8}
    for kind, values, path in (
        ("supernode", supernode_design(system="dgx_h1000"), "supernode.system"),
        ("supernode", supernode_design(custom=custom), "supernode.custom.accelerator"),
        ("pod", pod_design(fabric={"switch": "qm97000"}), "pod.fabric.switch"),
    ):
        with pytest.raises(ScenarioError, match="Nearest") as caught:
            work.create(kind, values)  # type: ignore[arg-type]
        assert caught.value.errors[0].path == path
