"""Searches and domain studies over HTTP: what the scenario room gives, and every member checked."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from app.views.searching import recent
from app.views.searching.layouts import search_scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

SEARCHES = "/api/v1/searches"
DOMAINS = "/api/v1/domain-studies"
ROUTES = pytest.mark.parametrize("path", [SEARCHES, DOMAINS])


@pytest.fixture
def small(asgi_client):
    return asgi_client.get("/api/v1/examples/edge_node").json()


def test_a_search_finds_the_best_and_says_why_the_rest_fail(asgi_client, small):
    answer = asgi_client.post(SEARCHES, json={"scenario": small, "top": 3})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) <= set(named_schemas()["Search"]["properties"])
    assert found["feasible_strategies"] + sum(found["rejected"].values()) == found["strategies"]
    assert [row["rank"] for row in found["best"]] == [1, 2, 3]
    assert found["search_time_s"] > 0
    # adopted, the best is as fast as it was said to be
    small["parallelism"] = found["best"][0]["parallelism"]
    evaluation = asgi_client.post("/api/v1/evaluations", json=small).json()
    assert evaluation["performance"]["step_time_s"] == found["best"][0]["step_time_s"]


def test_options_narrow_the_space(asgi_client, small):
    whole = asgi_client.post(SEARCHES, json={"scenario": small}).json()
    held = asgi_client.post(SEARCHES, json={"scenario": small, "hold": {"micro_batch": [1]}}).json()
    usual = asgi_client.post(SEARCHES, json={"scenario": small, "space": "usual"}).json()
    assert held["strategies"] < whole["strategies"]
    assert usual["strategies"] < whole["strategies"]
    assert {row["parallelism"]["micro_batch"] for row in held["best"]} == {1}


@pytest.mark.parametrize(
    ("objective", "figure"), [("cost", "usd_per_million_tokens"), ("energy", "energy_j_per_token")]
)
def test_sizes_are_ranked_by_the_objective(asgi_client, small, objective, figure):
    found = asgi_client.post(SEARCHES, json={"scenario": small, "objective": objective}).json()
    values = [row[figure] for row in found["best"]]
    assert values == sorted(values)
    assert {row["supernodes"] for row in found["best"]} <= {row["supernodes"] for row in found["sizes"]}


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("objective", "speed", "step_time"),
        ("objective", 3, "step_time"),
        ("space", "half", "usual"),
        ("top", 0, "at least 1"),
        ("top", 101, "at most 100"),
        ("top", "ten", "whole number"),
        ("deadline_days", 0, "above 0"),
        ("deadline_days", "soon", "number"),
        ("hold", [], "mapping"),
        ("hold", {"tpp": [1]}, "Axes are tp, pp"),
        ("hold", {"tp": []}, "1 to 100"),
        ("hold", {"tp": 4}, "list"),
        ("hold", {"tp": [0]}, "whole numbers from 1"),
        ("hold", {"tp": [1.5]}, "whole numbers"),
        ("hold", {"zero_stage": [-1]}, "from 0"),
        ("hold", {"tensor_overlap": ["yes"]}, "true or false"),
        ("hold", {"schedule": ["gpipe"]}, "zb_h1"),
        ("objectiv", "cost", "objective"),
    ],
)
def test_every_member_is_checked(asgi_client, small, member, value, said):
    answer = asgi_client.post(SEARCHES, json={"scenario": small, member: value})
    (error,) = assert_problem(answer, 422, "invalid-scenario")["errors"]
    assert error["pointer"].startswith(f"#/{member}")
    assert said in f"{error['message']} {error['hint']}"


def test_a_deadline_is_needed_for_the_fewest_accelerators(asgi_client, small):
    body = {"scenario": small, "objective": "accelerators"}
    content = assert_problem(asgi_client.post(SEARCHES, json=body), 422)
    assert content["errors"][0]["pointer"] == "#/deadline_days"
    assert asgi_client.post(SEARCHES, json=body | {"deadline_days": 3}).status_code == 200


@ROUTES
@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ([], ["#"]),
        ({}, ["#/scenario"]),
        ({"scenario": 3}, ["#/scenario"]),
        ({"scenario": {"workload": 3}}, ["#/scenario/workload", "#/scenario/supernode"]),
        ({"quantity": "x"}, ["#/scenario", "#/quantity"]),
    ],
)
def test_a_bad_body(asgi_client, path, body, pointers):
    content = assert_problem(asgi_client.post(path, json=body), 422, "invalid-scenario")
    assert [error["pointer"] for error in content["errors"]] == pointers


@ROUTES
def test_a_fault_has_its_line(post_text, path):
    text = "scenario:\n  workload: {kind: training}\n  supernode: {system: dgx_h100}\n"
    content = assert_problem(post_text(text, path=path), 422)
    assert content["errors"][0]["pointer"] == "#/scenario/workload/model"
    assert content["errors"][0]["line"] == 2


def test_a_space_that_is_too_large_is_refused(asgi_client, scenario, monkeypatch):
    monkeypatch.setattr("app.views.searching.layouts.MOST_LAYOUTS", 1000)
    content = assert_problem(asgi_client.post(SEARCHES, json={"scenario": scenario}), 422)
    assert content["errors"][0]["pointer"] == "#/hold"
    assert "usual" in content["errors"][0]["hint"]


def test_a_domain_study_has_every_size_at_three_bandwidths(asgi_client, small):
    answer = asgi_client.post(DOMAINS, json={"scenario": small})
    assert answer.status_code == 200
    study = answer.json()
    places = [(row["bandwidth_factor"], row["domain_accelerators"]) for row in study["sizes"]]
    assert places == [(factor, size) for factor in (0.5, 1.0, 2.0) for size in (1, 2)]
    assert study["domain_accelerators"] == 2
    assert {name for row in study["sizes"] for name in row} == set(
        named_schemas()["DomainStudy"]["properties"]["sizes"]["items"]["properties"]
    )


def test_an_equal_request_is_searched_once(asgi_client, small, monkeypatch):
    made = []

    def counted(scenario, options):
        made.append(options.top)
        return search_scenario(scenario, options)

    monkeypatch.setattr(recent, "search_scenario", counted)
    body = {"scenario": small, "top": 7, "hold": {"micro_batch": [1]}}
    first, second = (asgi_client.post(SEARCHES, json=body) for _ in range(2))
    assert made == [7]
    assert first.content == second.content
    asgi_client.post(SEARCHES, json=body | {"top": 8})
    small["workload"]["tokens"] *= 2
    asgi_client.post(SEARCHES, json=body)
    assert made == [7, 8, 7]
