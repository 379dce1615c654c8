"""How right served models are, over REST: what the pages show, as plain values."""

from __future__ import annotations

import dataclasses

import pytest

from app.catalog.lookup import Catalog
from app.validation.judged import judged
from app.validation.serving.published import SCORES, SERVING_BASES, SERVING_GROUPINGS, published_serving
from app.validation.serving.report import score_of
from app.validation.serving.throughput import THROUGHPUT
from tests.databases import engine_in
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

ADDRESS = "/api/v1/validation/serving"


@pytest.fixture(scope="module")
def catalog(seeded_data_dir):
    return Catalog.open(engine_in(seeded_data_dir))


@pytest.mark.parametrize("quantity", SCORES)
@pytest.mark.parametrize("basis", SERVING_BASES)
def test_errors_are_those_of_every_fit(asgi_client, catalog, quantity, basis):
    content = asgi_client.get(ADDRESS, params={"quantity": quantity, "basis": basis}).json()
    measurements = published_serving(catalog).measurements[quantity]
    assert (content["quantity"], content["basis"]) == (quantity, basis)
    assert len(content["measurements"]) == len(measurements)
    for name, fit in SERVING_BASES.items():
        expected = score_of([one.prediction for one in judged(measurements, fit)])
        assert content["errors"][name] == pytest.approx(dataclasses.asdict(expected))
    first = content["measurements"][0]
    assert first["predicted_ms"] == pytest.approx(SERVING_BASES[basis].predicted(measurements[0]))
    assert first["error"] == pytest.approx(first["predicted_ms"] / first["measured_ms"] - 1)
    assert asgi_client.get(first["href"], headers={"accept": "text/html"}).status_code == 200


def test_left_alone_each_model_is_left_out_and_every_grouping_is_whole(asgi_client):
    content = asgi_client.get(ADDRESS).json()
    assert (content["quantity"], content["basis"]) == ("tpot", "model")
    assert [grouping["name"] for grouping in content["groupings"]] == list(SERVING_GROUPINGS)
    for grouping in content["groupings"]:
        rows = sum(group["errors"]["fitted"]["rows"] for group in grouping["groups"])
        assert rows == len(content["measurements"])
    assert sum(one["constants"] for one in content["constants"]) == content["fitted_constants"]
    beside = {one["name"]: one for one in content["beside"]}
    assert "not to be trusted" in beside["ttft_above_128"]["note"]
    unsupported = sum(len(one["rows"]) for one in content["unsupported"])
    assert content["supported"] + unsupported == content["scored"]


def test_throughputs_are_scored_or_idealised(asgi_client, catalog):
    content = asgi_client.get(f"{ADDRESS}/throughput").json()
    expected = THROUGHPUT.shipped(catalog).report
    assert (content["rows"], content["scored"]) == (expected.rows, expected.scored)
    assert sum(not one["idealised"] for one in content["items"]) == content["computed"]
    assert sum(one["idealised"] for one in content["items"]) == 2
    assert content["errors_by_source"]["median_abs_error"] == pytest.approx(expected.totals.median_abs_error)


@pytest.mark.parametrize("address", [ADDRESS, f"{ADDRESS}/throughput"])
def test_the_same_answer_is_not_sent_twice(asgi_client, address):
    tag = asgi_client.get(address).headers["etag"]
    assert asgi_client.get(address, headers={"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize(
    ("parameters", "hint"),
    [
        ({"quantity": "itl"}, "Latencies: tpot, tpot_disaggregated"),
        ({"basis": "engine"}, "Fits: model"),
        ({"model": "deepseek_v3"}, "basis"),
    ],
)
def test_a_bad_parameter_is_named(asgi_client, parameters, hint):
    answer = asgi_client.get(ADDRESS, params=parameters)
    assert_problem(answer, 400, "invalid-parameter")
    assert hint in answer.text
