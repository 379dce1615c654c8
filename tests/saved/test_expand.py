"""Saved designs in scenarios: what is shown next to one overrides it, and what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.saved.expand import DesignUse, expanded
from app.saved.store import SavedWork
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario, parse_scenario
from tests.saved.support import UNKNOWN_ID, document, pod_design, supernode_design


def test_a_design_stands_for_its_values(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design(system="dgx_h100", override={"racks": 0.5}))
    pod = work.create("pod", pod_design(supernodes=16, fabric={"oversubscription": 2}))
    named = document(supernode={"design": node.id}, pod={"design": pod.id})
    inline = document(
        supernode={"system": "dgx_h100", "override": {"racks": 0.5}},
        pod={"supernodes": 16, "fabric": {"oversubscription": 2}},
    )
    assert expanded(named, work.finder()).document == inline
    assert work.evaluated(named).as_json == work.evaluated(inline).as_json
    saved = work.create("scenario", named)
    assert saved.document == named
    assert work.results(saved.id, 1)["performance"] == work.evaluated(inline).as_json["performance"]


def test_what_stands_beside_a_design_overrides_it(work: SavedWork) -> None:
    override = {"racks": 0.5, "accelerator": {"tdp_w": 600.0, "idle_w": 70.0}}
    node = work.create("supernode", supernode_design(system="dgx_h100", override=override))
    pod = work.create("pod", pod_design(supernodes=16, fabric={"oversubscription": 2, "planes": 1}))
    named = document(
        supernode={"design": node.id, "override": {"accelerator": {"tdp_w": 500.0}, "nodes": None}},
        pod={"design": pod.id, "supernodes": 8, "fabric": {"oversubscription": 1}, "accelerators_used": 32},
    )
    found = expanded(named, work.finder())
    assert found.document["supernode"] == {
        "system": "dgx_h100",
        "override": {"racks": 0.5, "accelerator": {"tdp_w": 500.0, "idle_w": 70.0}},
    }
    assert found.document["pod"] == {
        "supernodes": 8,
        "fabric": {"oversubscription": 1, "planes": 1},
        "accelerators_used": 32,
    }
    assert found.uses == (
        DesignUse(field="supernode", id=node.id, revision=1),
        DesignUse(field="pod", id=pod.id, revision=1),
    )
    # nothing that was given is changed
    assert named["pod"]["design"] == pod.id
    assert work.get("pod", pod.id).document == pod.document


def test_a_scenario_follows_its_design_with_its_next_save(work: SavedWork) -> None:
    pod = work.create("pod", pod_design(supernodes=2))
    named = document(pod={"design": pod.id})
    saved = work.create("scenario", named)
    work.replace("pod", pod.id, pod_design(supernodes=4), version=1)
    assert work.get("scenario", saved.id).summary["accelerators"] == 16
    assert work.evaluated(named).as_json["inputs"]["pod"]["supernodes"] == 4
    assert work.replace("scenario", saved.id, named, version=1).summary["accelerators"] == 32


def test_a_deleted_design_is_named_with_both_ways_out(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design("Our node"))
    work.replace("supernode", node.id, supernode_design("Our node"), version=1)
    saved = work.create("scenario", document(supernode={"design": node.id}))
    work.delete("supernode", node.id, version=2)
    with pytest.raises(ScenarioError) as caught:
        work.evaluated(saved.document)
    (error,) = caught.value.errors
    assert (error.path, error.rule) == ("supernode.design", "deleted_design")
    assert "'Our node' was deleted" in error.message
    assert "Restore it" in error.hint
    assert "revision 2" in error.hint
    with pytest.raises(ScenarioError):
        work.replace("scenario", saved.id, saved.document, version=1)
    assert work.results(saved.id, 1)["name"] == saved.name  # what was saved stays
    work.restore("supernode", node.id)
    assert work.evaluated(saved.document).as_json["feasible"] is not None


def test_an_unknown_design_is_named(work: SavedWork) -> None:
    pod = work.create("pod", pod_design())
    for part in ({"design": UNKNOWN_ID}, {"design": pod.id}):  # a pod is no SuperNode
        with pytest.raises(ScenarioError, match="no saved SuperNode design") as caught:
            work.create("scenario", document(supernode=part))
        assert caught.value.errors[0].path == "supernode.design"


def test_what_a_design_lacks_is_said_of_the_scenario(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design())
    with pytest.raises(ScenarioError, match=r"override\.racks"):
        work.create("scenario", document(supernode={"design": node.id, "override": {"racks": -1}}))


def test_scenarios_that_use_a_design(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design())
    named = document("b uses it", supernode={"design": node.id})
    second = work.create("scenario", named)
    first = work.create("scenario", {**named, "name": "A uses it too"})
    gone = work.create("scenario", {**named, "name": "deleted"})
    left = work.create("scenario", {**named, "name": "used it"})
    work.delete("scenario", gone.id, version=1)
    work.replace("scenario", left.id, document(), version=1)
    assert work.used_by("supernode", node.id) == (first, second)
    assert work.used_by("scenario", first.id) == ()
    renamed = work.update("scenario", second.id, version=1, name="Still uses it")
    assert work.used_by("supernode", node.id) == (first, renamed)
    copied = work.duplicate("scenario", first.id)
    assert copied in work.used_by("supernode", node.id)


def test_without_saved_work_at_hand_the_error_says_so(catalog: Catalog) -> None:
    for part in ({"supernode": {"design": UNKNOWN_ID}}, {"pod": {"design": UNKNOWN_ID}}):
        with pytest.raises(ScenarioError, match="saved work is not at hand") as caught:
            evaluate_scenario(build_scenario(document(**part)), catalog)
        assert caught.value.errors[0].path == f"{next(iter(part))}.design"


def test_an_id_has_a_form() -> None:
    with pytest.raises(ScenarioError, match="not the id of a saved design"):
        build_scenario(document(supernode={"design": "dgx_h100"}))
    with pytest.raises(ScenarioError, match="has both system and design"):
        build_scenario(document(supernode={"design": UNKNOWN_ID, "system": "dgx_h100"}))


def test_the_written_form_does_not_override_the_design(tmp_path: Path) -> None:
    """Defaults that are written out beside a design would stand in its place."""
    taken = build_scenario(document(pod={"design": UNKNOWN_ID, "fabric": {"planes": 2}}))
    assert taken.as_dict()["pod"] == {"design": UNKNOWN_ID, "fabric": {"planes": 2}}
    for again in (parse_scenario(taken.as_yaml()), parse_scenario(taken.as_json(), format="json")):
        assert isinstance(again, ScenarioDocument)
        assert again.pod.model_fields_set == {"design", "fabric"}
        assert again.as_dict() == taken.as_dict()
