"""How right the engine is, over REST: what the pages show, as plain values."""

from __future__ import annotations

import pytest

from app.catalog.validated_runs import validated_runs
from app.validation.published.basis import BASES, judged
from app.validation.published.groups import GROUPINGS
from app.validation.published.summary import summary_of
from tests.api.conftest import assert_problem

ADDRESS = "/api/v1/validation/training"
RUNS = validated_runs()


@pytest.mark.parametrize("basis", BASES)
def test_errors_are_those_of_the_fit(asgi_client, basis):
    answer = asgi_client.get(ADDRESS, params={"basis": basis})
    assert answer.status_code == 200
    content = answer.json()
    expected = summary_of(judged(RUNS, BASES[basis]))
    assert content["basis"] == basis
    assert content["errors"]["runs"] == len(content["runs"]) == len(RUNS)
    assert content["errors"]["median_abs_error"] == pytest.approx(expected.median_abs_error)
    assert content["errors_by_source"]["median_abs_error"] != content["errors"]["median_abs_error"]


def test_every_grouping_holds_every_run(asgi_client):
    content = asgi_client.get(ADDRESS).json()
    assert content["basis"] == "accelerator"
    assert [grouping["name"] for grouping in content["groupings"]] == list(GROUPINGS)
    for grouping in content["groupings"]:
        assert sum(group["errors"]["runs"] for group in grouping["groups"]) == len(RUNS)


def test_a_run_is_whole_and_leads_to_its_page(asgi_client):
    run, expected = asgi_client.get(ADDRESS, params={"basis": "source"}).json()["runs"][0], RUNS[0]
    assert run["id"] == expected.id
    assert run["predicted_tokens_per_s"] == expected.source_left_out_tokens_per_s
    assert run["error"] == pytest.approx(run["predicted_tokens_per_s"] / run["measured_tokens_per_s"] - 1)
    assert run["assumed"] == list(expected.assumed)
    assert asgi_client.get(run["href"], headers={"accept": "text/html"}).status_code == 200


def test_the_same_answer_is_not_sent_twice(asgi_client):
    tag = asgi_client.get(ADDRESS).headers["etag"]
    assert asgi_client.get(ADDRESS, headers={"if-none-match": tag}).status_code == 304
    other = asgi_client.get(ADDRESS, params={"basis": "fitted"}, headers={"if-none-match": tag})
    assert other.status_code == 200


@pytest.mark.parametrize(("parameters", "hint"), [({"basis": "hardware"}, "Fits: accelerator"), ({"bases": "source"}, "basis")])  # fmt: skip
def test_what_is_not_known_is_refused(asgi_client, parameters, hint):
    answer = asgi_client.get(ADDRESS, params=parameters)
    assert_problem(answer, 400, "invalid-parameter")
    assert hint in answer.text
