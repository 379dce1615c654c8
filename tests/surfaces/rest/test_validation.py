"""Accuracy of the engine, over REST: what the pages show, as plain values."""

from __future__ import annotations

import pytest

from app.catalog.validated import validated_collectives, validated_runs
from app.validation.judged import BASES, COLLECTIVE_BASES, COLLECTIVE_GROUPINGS, GROUPINGS, judged, summary_of
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

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
    assert content["basis"] == "both"
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


@pytest.mark.parametrize(("parameters", "hint"), [({"basis": "hardware"}, "Fits: both, accelerator"), ({"bases": "source"}, "basis")])  # fmt: skip
def test_what_is_not_known_is_refused(asgi_client, parameters, hint):
    answer = asgi_client.get(ADDRESS, params=parameters)
    assert_problem(answer, 400, "invalid-parameter")
    assert hint in answer.text


@pytest.mark.parametrize("basis", COLLECTIVE_BASES)
def test_collectives_are_those_of_the_pages(asgi_client, basis):
    content = asgi_client.get("/api/v1/validation/collectives", params={"basis": basis}).json()
    everything = validated_collectives()
    expected = summary_of(judged(everything, COLLECTIVE_BASES[basis]))
    assert content["errors"]["median_abs_error"] == pytest.approx(expected.median_abs_error)
    assert [one["id"] for one in content["measurements"]] == [one.id for one in everything]
    assert [grouping["name"] for grouping in content["groupings"]] == list(COLLECTIVE_GROUPINGS)
    assert (
        asgi_client.get(content["measurements"][0]["href"], headers={"accept": "text/html"}).status_code
        == 200
    )


def test_scaling_laws_say_why_they_differ(asgi_client):
    content = asgi_client.get("/api/v1/validation/scaling-laws").json()
    assert content["figures"] == len(content["items"]) == 68
    assert content["within_1_pct"] + content["explained"] == 68
    assert content["unexplained"] == 0
    assert all(item["agrees"] or item["explained"] for item in content["items"])


def test_what_is_no_fit_of_collectives_is_refused(asgi_client):
    answer = asgi_client.get("/api/v1/validation/collectives", params={"basis": "accelerator"})
    assert_problem(answer, 400, "invalid-parameter")
    assert "Fits: system, fitted" in answer.text


def test_fabrics_are_those_of_the_command(asgi_client):
    answer = asgi_client.get("/api/v1/validation/fabric")
    content = answer.json()
    assert (content["rows"], content["computed"], content["exact"], content["flagged"]) == (49, 35, 34, 3)
    assert len(content["items"]) + len(content["unsupported"]) == content["rows"]
    (off,) = (one for one in content["items"] if not one["exact"])
    assert off["id"] == "superpod_a100_7su"
    assert any(one["printed"] != one["computed"] for one in off["counts"])
    tag = answer.headers["etag"]
    assert asgi_client.get("/api/v1/validation/fabric", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.slow
def test_power_is_that_of_the_command(asgi_client):
    answer = asgi_client.get("/api/v1/validation/power")
    content = answer.json()
    assert (content["rows"], content["scored"], content["computed"]) == (127, 67, 67)
    assert len(content["items"]) + len(content["unscored"]) == content["rows"]
    assert content["errors"]["median_abs_error"] < 0.06
    assert {one["name"] for one in content["kinds"]} >= {"node power", "PUE provider", "sizing", "flow"}
    assert all(one["reason"] for one in content["unscored"])
    assert sum(one["errors"]["rows"] for one in content["kinds"]) == content["computed"]
    tag = answer.headers["etag"]
    assert asgi_client.get("/api/v1/validation/power", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.slow
def test_regions_are_those_of_the_command(asgi_client):
    regions = asgi_client.get("/api/v1/validation/power").json()["regions"]
    assert (regions["rows"], regions["computed"]) == (164, 135)
    near, far = regions["rank_correlation"][0], regions["rank_correlation_with_far"][0]
    assert (near["name"], far["name"]) == ("all", "all")
    assert near["pairs"] < far["pairs"] == 135
    fillers = [one for one in regions["items"] if one["id"] == "aws_ap_south_1_2024"]
    assert fillers[0]["wue_l_per_kwh"] is None
    assert any("is the mean of Amazon Web Services" in one["reason"] for one in regions["water"]["left_out"])


def test_failures_are_those_of_the_command(asgi_client):
    content = asgi_client.get("/api/v1/validation/reliability").json()
    assert (content["rows"], content["scored"], content["computed"], content["within_interval"]) == (
        55,
        32,
        10,
        9,
    )
    assert content["rows"] == sum(len(content[name]) for name in ("items", "unsupported", "unscored"))
    assert all(item["low"] <= item["predicted"] <= item["high"] for item in content["items"])
    assert {one["name"] for one in content["quantities"]} == {item["quantity"] for item in content["items"]}
