"""Pods that workloads share, on the pages, over REST, on the command line and in files."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest

from app.charts import FIGURES
from app.scenarios.examples import example
from tests.asgi import AsgiClient

KEY = "training_and_serving_on_8_dgx_h200"


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_result_page_shows_every_workload(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/designs/{KEY}")
    assert answer.status_code == 200
    page = words(answer.text)
    for shown in ("Training by day", "Training, Llama 3.1 8B", "Serving by night", "Serving, Llama 3.1 70B",
                  "Share of accelerator-hours", "Switching time per day", "Time to first token", "Cost share of the workload"):  # fmt: skip
        assert shown in page, shown
    assert 'id="workloads"' in answer.text
    assert "/explain/workloads[1].cost.usd_per_million_tokens" in answer.text


def test_a_page_of_one_workload_has_no_such_part(reading_client: AsgiClient) -> None:
    assert 'id="workloads"' not in reading_client.get("/designs/edge_node").text


@pytest.mark.parametrize("path", ["workloads[1].performance.tpot_s", "workloads[0].cost.share"])
def test_a_figure_of_a_workload_is_explained_on_a_page(reading_client: AsgiClient, path: str) -> None:
    answer = reading_client.get(f"/designs/{KEY}/explain/{path}")
    assert answer.status_code == 200
    assert "Serving by night" in answer.text or "Share of the pod" in words(answer.text)


def test_evaluation_over_rest(reading_client: AsgiClient) -> None:
    found = reading_client.post("/api/v1/evaluations", json=example(KEY).read().as_dict()).json()
    assert [one["name"] for one in found["workloads"]] == ["Training by day", "Serving by night"]
    assert sum(one["cost"]["share"] for one in found["workloads"]) == pytest.approx(1)
    assert found["inputs"]["sharing"]["by"] == "day"


def test_bad_shares_are_told_at_their_field(asgi_client: AsgiClient) -> None:
    values = example(KEY).read().as_dict()
    values["sharing"]["others"][0]["share"] = 1.5
    answer = asgi_client.post("/api/v1/evaluations", json=values)
    assert answer.status_code == 422
    errors = answer.json()["errors"]
    assert [error["path"] for error in errors] == ["sharing.others[0].share"]
    assert "less than 1" in errors[0]["message"] or "below 1" in errors[0]["message"]


@pytest.mark.parametrize("name", FIGURES)
def test_every_chart_draws_or_says_why_not(reading_client: AsgiClient, name: str) -> None:
    answer = reading_client.post(f"/api/v1/figures/{name}", json=example(KEY).read().as_dict())
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    "address",
    [*(f"/facility/{KEY}/{part}" for part in ("electrical", "cooling", "hours", "racks", "sites")),
     *(f"/economics/{KEY}/{part}" for part in ("cost", "cash", "rent", "decision")),
     *(f"/fabric/{KEY}/{part}" for part in ("topology", "bill", "floor", "bandwidth"))],
)  # fmt: skip
def test_what_is_of_the_pod_is_shown_in_detail(reading_client: AsgiClient, address: str) -> None:
    answer = reading_client.get(address)
    assert answer.status_code == 200
    assert "has to itself" not in answer.text


@pytest.mark.parametrize(
    "address",
    [f"/facility/{KEY}/it", f"/facility/{KEY}/savings", f"/economics/{KEY}/carbon", f"/economics/{KEY}/runs",
     f"/economics/{KEY}/time", f"/fabric/{KEY}/faults", f"/fabric/{KEY}/sharing", f"/operations/{KEY}/goodput", f"/explore/{KEY}?now=1"],
)  # fmt: skip
def test_what_is_of_one_workload_is_refused_in_words(reading_client: AsgiClient, address: str) -> None:
    answer = reading_client.get(address)
    assert answer.status_code in (200, 422)
    assert "one workload has to itself, and 2 share this one. Take sharing out" in words(answer.text)


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
def test_exports_say_every_workload(reading_client: AsgiClient, kind: str) -> None:
    answer = reading_client.get(f"/designs/{KEY}/export/evaluation/{kind}")
    assert answer.status_code == 200
    if kind == "json":
        assert len(json.loads(answer.text)["workloads"]) == 2
    if kind == "csv":
        assert "workloads[1].cost.usd_per_million_tokens" in answer.text
    if kind == "xlsx":
        sheets = zipfile.ZipFile(io.BytesIO(answer.content)).read("xl/workbook.xml").decode()
        assert 'name="Workloads"' in sheets
