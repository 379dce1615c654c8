"""Scenarios in, figures out."""

from __future__ import annotations

import orjson
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation import service
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from tests.surfaces.rest.conftest import EVALUATIONS, assert_problem, flagship_text

pytestmark = pytest.mark.slow

EXPLANATIONS = "/api/v1/explanations"


@pytest.mark.parametrize("key", [one.key for one in list_examples()])
def test_every_example_can_be_posted_as_it_is_read(asgi_client, key):
    document = asgi_client.get(f"/api/v1/examples/{key}").json()
    answer = asgi_client.post(EVALUATIONS, json=document)
    assert answer.status_code == 200
    expected = evaluate_scenario(build_scenario(document), ready_catalog()).as_json
    content = answer.json()
    assert all(
        one["low"] <= one["value"] <= one["high"] for one in content.pop("suggested_estimates", {}).values()
    )
    assert content == orjson.loads(orjson.dumps(expected))


def test_yaml_and_json_give_the_same(asgi_client, post_text, scenario):
    as_yaml = post_text(flagship_text(), "application/yaml; charset=utf-8")
    as_json = asgi_client.post(EVALUATIONS, json=scenario)
    assert as_yaml.status_code == 200
    assert as_yaml.content == as_json.content
    assert as_yaml.headers["etag"] == as_json.headers["etag"]


def test_the_tag_is_of_the_inputs(asgi_client, scenario):
    first = asgi_client.post(EVALUATIONS, json=scenario)
    scenario["economics"]["wacc"] = 0.123
    other = asgi_client.post(EVALUATIONS, json=scenario)
    assert first.headers["etag"] != other.headers["etag"]
    assert first.headers["etag"].startswith('"')
    assert other.json()["cost"]["tco_usd"] != first.json()["cost"]["tco_usd"]


def test_an_infeasible_design_has_its_figures(asgi_client, scenario):
    scenario["parallelism"] = {"tp": 8, "pp": 1, "cp": 1, "ep": 1, "vpp": 1, "micro_batch": 1}
    content = asgi_client.post(EVALUATIONS, json=scenario).json()
    assert content["feasible"] is False
    assert any(problem["missed_by"] for problem in content["problems"])
    assert content["performance"]["step_time_s"] > 0


def test_an_answer_is_small(asgi_client, scenario):
    answer = asgi_client.request("POST", EVALUATIONS, json=scenario, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) <= 60_000


@pytest.mark.parametrize("quantity", ["performance.mfu", "fabric.tiers[0].switches", "cost.tco_usd"])
def test_a_figure_is_explained_down_to_its_sources(asgi_client, scenario, quantity):
    answer = asgi_client.post(EXPLANATIONS, json={"scenario": scenario, "quantity": quantity})
    assert answer.status_code == 200
    tree = answer.json()
    assert tree["path"] == quantity
    kinds, pending = set(), [tree]
    while pending:
        node = pending.pop()
        pending += node.get("inputs", [])
        if node["kind"] == "input" and "see" not in node:
            kinds.add(node["origin"]["kind"])
    assert "scenario" in kinds
    assert kinds <= {"scenario", "vendor", "measured", "third_party", "derived", "assumption", "unknown"}


def test_an_explanation_agrees_with_the_evaluation(asgi_client, scenario):
    evaluation = asgi_client.post(EVALUATIONS, json=scenario).json()
    tree = asgi_client.post(EXPLANATIONS, json={"scenario": scenario, "quantity": "cost.tco_usd"}).json()
    assert tree["value"] == evaluation["cost"]["tco_usd"]


def test_an_unknown_figure_names_the_nearest(asgi_client, scenario):
    answer = asgi_client.post(EXPLANATIONS, json={"scenario": scenario, "quantity": "performance.mfuu"})
    content = assert_problem(answer, 422, "invalid-scenario")
    assert content["errors"][0]["pointer"] == "#/quantity"
    assert "performance.mfu" in content["errors"][0]["hint"]


def test_a_fault_of_the_scenario_in_an_explanation_is_found(post_text):
    text = "scenario:\n  workload: {kind: training}\n  supernode: {system: dgx_h100}\nquantity: performance.mfu\n"
    content = assert_problem(post_text(text, path=EXPLANATIONS), 422)
    assert {error["pointer"] for error in content["errors"]} >= {"#/scenario/workload/model"}
    assert content["errors"][0]["line"] == 2


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ([], ["#"]),
        ({}, ["#/scenario", "#/quantity"]),
        ({"scenario": {}, "quantity": 3}, ["#/quantity"]),
        ({"scenario": {}, "quantity": "x", "quantty": 1}, ["#/quantty"]),
        ({"scenario": [], "quantity": "x"}, ["#/scenario"]),
        ({"scenario": "x", "quantity": "x"}, ["#/scenario"]),
    ],
)
def test_a_bad_body_of_an_explanation(asgi_client, body, pointers):
    content = assert_problem(asgi_client.post(EXPLANATIONS, json=body), 422, "invalid-scenario")
    assert [error["pointer"] for error in content["errors"]] == pointers


def test_pages_and_rest_share_one_evaluation(asgi_client, monkeypatch):
    """Also where one leaves to defaults what the other states."""
    computed = []
    once = service.evaluate_scenario

    def counted(document, catalog):
        computed.append(document.name)
        return once(document, catalog)

    monkeypatch.setattr(service, "evaluate_scenario", counted)
    stated = example("edge_node").read().model_copy(update={"name": "Asked on every surface"})
    explained = {"scenario": stated.as_dict(), "quantity": "performance.mfu"}
    assert asgi_client.post("/api/v1/explanations", json=explained).status_code == 200
    state = encode_state(stated_values(stated))
    assert asgi_client.get(f"/designs/new/explain/performance.mfu?s={state}").status_code == 200
    assert asgi_client.post("/api/v1/evaluations", json=stated.as_dict()).status_code == 200
    assert asgi_client.post("/api/v1/scenarios", json=stated.as_dict()).status_code == 201
    assert computed.count("Asked on every surface") == 1


def test_an_answer_is_the_same_compressed_or_not(asgi_client):
    document = example("edge_node").read().as_dict()
    whole, zipped = (
        asgi_client.post("/api/v1/evaluations", json=document, headers={"accept-encoding": encoding})
        for encoding in ("identity", "gzip")
    )
    assert zipped.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in whole.headers
    assert zipped.headers["vary"] == whole.headers["vary"] == "Accept-Encoding"
    assert zipped.headers["etag"] == whole.headers["etag"]
    assert zipped.json() == whole.json()
