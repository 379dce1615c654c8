"""Revisions: every save stays readable as it was, and can be compared with any other."""

from __future__ import annotations

import pytest

from app import __version__
from tests.surfaces.rest.conftest import EVALUATIONS, assert_problem
from tests.surfaces.rest.saved.conftest import changed, said

pytestmark = pytest.mark.slow

CHANGED = (
    "economics.wacc",
    "supernode.override.max_power_w",
    "pod.supernodes",
    "deadline_days",
    "objective",
    "days",
)


@pytest.fixture
def saved_twice(asgi_client, kept):
    """Each thing that can be saved, with two revisions."""
    answer = asgi_client.put(
        f"{kept.path}?note=Second", json=kept.sample.other, headers={"if-match": kept.etag}
    )
    assert answer.status_code == 200
    return kept


def test_every_save_stays_as_it_was(asgi_client, saved_twice):
    path = f"{saved_twice.path}/revisions"
    items = said(asgi_client.get(path))["items"]
    assert [(item["revision"], item["note"]) for item in items] == [(2, "Second"), (1, "")]
    for item, document in zip(items, (saved_twice.sample.other, saved_twice.sample.document), strict=True):
        assert item["href"] == f"{path}/{item['revision']}"
        revision = said(asgi_client.get(item["href"]))
        said_of_it = ("label", "label_note", "author")  # may change, so they are said by the list alone
        kept = {name: value for name, value in item.items() if name not in said_of_it}
        assert revision == {**kept, "document": document}
        assert revision["schema_version"] == 1
        assert revision["engine_version"] == __version__
        assert revision["catalog_revision"]


def test_revisions_come_in_pages(asgi_client, saved_twice):
    path = f"{saved_twice.path}/revisions"
    first = asgi_client.get(f"{path}?limit=1")
    token = first.json()["next"]
    assert f"after={token}" in first.headers["link"]
    second = said(asgi_client.get(f"{path}?limit=1&after={token}"))
    assert [item["revision"] for item in second["items"]] == [1]
    assert second["next"] is None
    assert_problem(asgi_client.get(f"{path}?after=x"), 422, "beyond-schema")
    for query in ("limit=0", "sort=name"):
        assert_problem(asgi_client.get(f"{path}?{query}"), 400, "invalid-parameter")


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "99999999999999999999"])
def test_a_number_that_is_none_is_refused(asgi_client, kept, number):
    content = assert_problem(asgi_client.get(f"{kept.path}/revisions/{number}"), 400, "invalid-parameter")
    assert content["errors"][0]["parameter"] == "number"


def test_a_revision_that_is_not_there_is_not_found(asgi_client, kept):
    assert "revision 2" in assert_problem(asgi_client.get(f"{kept.path}/revisions/2"), 404)["detail"]


def test_two_revisions_are_compared(asgi_client, saved_twice):
    path = f"{saved_twice.path}/diff"
    usual = said(asgi_client.get(path))
    assert usual == said(asgi_client.get(f"{path}?from=1&to=2"))
    assert (usual["before"]["revision"], usual["after"]["revision"]) == (1, 2)
    assert len(usual["inputs"]) == 1
    change = usual["inputs"][0]
    assert change["path"] in CHANGED
    assert change["before"] != change["after"]
    assert change["label"]
    back = said(asgi_client.get(f"{path}?from=2&to=1"))["inputs"][0]
    assert (back["before"], back["after"]) == (change["after"], change["before"])
    same = said(asgi_client.get(f"{path}?from=2&to=2"))
    assert same["inputs"] == same["results"] == []


def test_the_first_revision_has_nothing_before_it(asgi_client, kept):
    content = said(asgi_client.get(f"{kept.path}/diff"))
    assert content["before"] == content["after"]
    assert content["inputs"] == content["results"] == []


def test_a_comparison_that_cannot_be_is_refused(asgi_client, kept):
    for query, parameter in (("from=0", "from"), ("to=x", "to"), ("from=now", "from"), ("since=1", "since")):
        content = assert_problem(asgi_client.get(f"{kept.path}/diff?{query}"), 400, "invalid-parameter")
        assert content["errors"][0]["parameter"] == parameter
    assert_problem(asgi_client.get(f"{kept.path}/diff?from=7"), 404, "not-found")


def test_figures_are_compared_with_the_inputs(asgi_client, scenario):
    asgi_client.put(scenario.path, json=scenario.sample.other, headers={"if-match": scenario.etag})
    content = said(asgi_client.get(f"{scenario.path}/diff"))
    figures = {change["path"]: change for change in content["results"]}
    before, after = (
        said(asgi_client.get(f"{scenario.path}/revisions/{number}/evaluation")) for number in (1, 2)
    )
    tco = figures["cost.tco_usd"]
    assert (tco["before"], tco["after"]) == (before["cost"]["tco_usd"], after["cost"]["tco_usd"])
    assert tco["unit"] == "USD"
    assert "performance.mfu" not in figures


def test_a_design_has_no_today(asgi_client, kept):
    answer = asgi_client.get(f"{kept.path}/diff?to=now")
    if kept.sample.problem == "invalid-scenario":
        assert said(answer)["results"] == []
    else:
        assert_problem(answer, 400, "invalid-parameter")


def test_a_scenario_comes_to_the_same_as_when_it_is_posted(asgi_client, scenario):
    posted = said(asgi_client.post(EVALUATIONS, json=scenario.sample.document))
    today = asgi_client.get(f"{scenario.path}/evaluation")
    then = asgi_client.get(f"{scenario.path}/revisions/1/evaluation")
    assert said(today) == said(then) == posted
    assert scenario.content["summary"]["tco_usd"] == posted["cost"]["tco_usd"]


def test_what_is_infeasible_is_saved_with_its_figures(asgi_client, scenario):
    document = changed(scenario.sample.document, "workload", model="llama_3_1_405b")
    answer = asgi_client.put(scenario.path, json=document, headers={"if-match": "*"})
    assert said(answer)["summary"]["feasible"] is False
    assert said(asgi_client.get(f"{scenario.path}/evaluation"))["problems"]
