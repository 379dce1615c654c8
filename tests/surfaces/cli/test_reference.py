"""What REF stands for, and what is said when it stands for nothing, or for several."""

from __future__ import annotations

import json

import pytest

from app.saved.imports import import_file
from app.scenarios.errors import ScenarioError
from app.scenarios.examples import example
from app.surfaces.cli.common import saved_work_here
from app.surfaces.cli.reference import referred
from tests.surfaces.cli.conftest import EDGE_NODE


@pytest.fixture(scope="module")
def saved():
    return saved_work_here()


def named(name: str) -> dict:
    return import_file(EDGE_NODE).as_dict() | {"name": name}


def test_a_file_comes_first(saved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "edge_node").write_text(EDGE_NODE.read_text("utf-8").replace("name: ", "name: file, "))
    saved.create("scenario", named("edge_node"))
    assert referred("edge_node", saved).written.name.startswith("file, ")


def test_then_an_id_then_a_name_then_an_example(saved):
    found = saved.create("scenario", named("gpt_3_175b_on_128_dgx_a100"))
    assert referred(found.id, saved).written.name == found.name
    assert referred(found.name, saved).revision == 1
    other = example("deepseek_v3_on_256_hgx_h800")
    assert referred(other.key, saved).written == other.read()


def test_a_name_that_several_have_names_their_ids(saved):
    twins = [saved.create("scenario", named("Twin")).id for _ in range(2)]
    with pytest.raises(ScenarioError) as caught:
        referred("Twin", saved)
    assert "2 saved scenarios are called 'Twin'." in str(caught.value)
    assert all(id in str(caught.value) for id in twins)


def test_a_name_is_taken_whole_and_with_its_capitals(saved):
    saved.create("scenario", named("Lonely pod"))
    assert referred("Lonely pod", saved).written.name == "Lonely pod"
    for ref in ("lonely pod", "Lonely", "Lonely pod "):
        with pytest.raises(ScenarioError, match="Nearest: Lonely pod"):
            referred(ref, saved)


def test_a_deleted_scenario_is_not_there(saved):
    gone = saved.create("scenario", named("Gone for good"))
    saved.delete("scenario", gone.id, version=None)
    for ref in (gone.id, gone.name):
        with pytest.raises(ScenarioError, match="is neither a file"):
            referred(ref, saved)


def test_what_looks_like_a_file_is_told_as_one(saved):
    for ref in ("pod.yaml", "designs/pod", "pod.XLSX"):
        with pytest.raises(ScenarioError, match="does not exist"):
            referred(ref, saved)


def test_a_file_may_name_a_saved_design(saved, tmp_path):
    scenario = named("With a design")
    design = saved.create("supernode", {"name": "Shared", "supernode": scenario["supernode"]})
    text = import_file(EDGE_NODE).as_json()
    plain = referred(str(EDGE_NODE), saved).evaluated.as_json
    path = tmp_path / "shared.json"
    values = json.loads(text) | {"supernode": {"design": design.id}}
    path.write_text(json.dumps(values), encoding="utf-8")
    work = referred(str(path), saved)
    assert work.evaluated.as_json["cost"] == plain["cost"]
    assert work.written.supernode.design == design.id
    assert work.document.supernode.design is None, "an export can be read elsewhere"
