"""Generic jobs on the pages, over REST and in files: what applies is shown, what does not says so."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest

from app.charts import FIGURES
from app.scenarios.examples import example
from tests.asgi import AsgiClient

KEY = "seismic_stencil_on_8_gb200_nvl72"


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_studio_shows_a_generic_job(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/designs/{KEY}/all")
    assert answer.status_code == 200
    page = words(answer.text)
    for shown in ("Generic job", "Fraction of peak", "It fits, and runs 2,000,000 steps", "Placement",
                  "Halo exchange", "no measured runs of generic jobs", "Memory traffic per step",
                  "Communication of a step: halo exchange, all reduce"):  # fmt: skip
        assert shown in page, shown
    assert "performance.mfu" not in answer.text
    assert "Training tokens" not in page
    assert 'value="fp32" checked' in answer.text
    assert "Calibrate on measured runs" not in page


def test_studio_refuses_what_a_generic_job_cannot_be(asgi_client: AsgiClient) -> None:
    values = example(KEY).read().as_dict()
    values["workload"]["communication"][0]["process_grid"] = [5, 5, 5]
    answer = asgi_client.post("/api/v1/evaluations", json=values)
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["path"] == "workload.communication[0].process_grid"


def test_evaluation_over_rest(reading_client: AsgiClient) -> None:
    found = reading_client.post("/api/v1/evaluations", json=example(KEY).read().as_dict()).json()
    assert found["performance"]["mfu"] is None
    assert "performance.mfu" in found["not_applicable"]
    assert found["intervals"]["runs"] == 0


@pytest.mark.parametrize("name", FIGURES)
def test_every_chart_draws_or_says_why_not(reading_client: AsgiClient, name: str) -> None:
    answer = reading_client.post(f"/api/v1/figures/{name}", json=example(KEY).read().as_dict())
    assert answer.status_code == 200, answer.text


def test_what_the_supernode_buys(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/explore/{KEY}?now=1")
    page = words(answer.text)
    assert "A generic job has no layout to search for" in page
    assert "Exposed, by pattern" in page
    assert "Halo exchange" in page


def test_a_search_over_layouts_is_refused(reading_client: AsgiClient) -> None:
    body = {"scenario": example(KEY).read().as_dict()}
    answer = reading_client.post("/api/v1/searches", json=body)
    assert answer.status_code == 422
    assert "is of training runs" in answer.text


def test_explanations(reading_client: AsgiClient) -> None:
    for path in ("performance.step_time_s", "performance.time_breakdown_s.halo_exchange", "cost.usd_per_run"):
        assert reading_client.get(f"/designs/{KEY}/explain/{path}").status_code == 200


@pytest.mark.slow
def test_saved_compared_and_exported(asgi_client: AsgiClient) -> None:
    made = asgi_client.post("/api/v1/scenarios", json=example(KEY).read().as_dict())
    assert made.status_code == 201, made.text
    id = made.json()["id"]
    assert made.json()["summary"]["workload_kind"] == "generic"
    assert "Generic job" in words(asgi_client.get("/").text)
    page = words(asgi_client.get(f"/compare?a={id}&b=edge_node").text)
    assert "Fraction of peak" in page
    assert "MFU" in page
    sheet = asgi_client.get(f"/api/v1/scenarios/{id}/export?format=xlsx").content
    assert zipfile.ZipFile(io.BytesIO(sheet)).testzip() is None
    rows = asgi_client.get(f"/api/v1/scenarios/{id}/export?format=csv").text
    assert "performance.fraction_of_peak" in rows
    assert "performance.mfu" not in rows
    figures = asgi_client.get(f"/api/v1/scenarios/{id}/export?format=json&what=evaluation")
    assert json.loads(figures.text)["performance"]["mfu"] is None
