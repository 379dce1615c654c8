"""Served models on the pages, over REST and in files: what applies is shown, what does not says so."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest

from app.catalog.ready import ready_catalog
from app.charts import FIGURES
from app.scenarios.evaluation.service import evaluate_example
from app.scenarios.examples import example
from app.surfaces.pages.saved.compare.page import chart_pairs, room_rows
from tests.asgi import AsgiClient

KEY = "deepseek_r1_on_8_h200"


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_studio_shows_a_served_model(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/designs/{KEY}/all")
    assert answer.status_code == 200
    page = words(answer.text)
    for shown in ("Serving", "Time to first token", "Time per output token", "It fits, and answers",
                  "Throughput", "Cost per million input tokens", "Model weights on shared storage"):  # fmt: skip
        assert shown in page, shown
    assert "Training tokens" not in page
    assert "Calibrate on measured runs" not in page


def test_evaluation_over_rest(reading_client: AsgiClient) -> None:
    found = reading_client.post("/api/v1/evaluations", json=example(KEY).read().as_dict()).json()
    assert found["performance"]["elapsed_time_s"] is None
    assert "cost.usd_per_run" in found["not_applicable"]
    assert found["cost"]["usd_per_million_tokens"] > 0
    assert found["inputs"]["workload"]["kind"] == "serving"


@pytest.mark.parametrize("name", FIGURES)
def test_every_chart_draws_or_says_why_not(reading_client: AsgiClient, name: str) -> None:
    answer = reading_client.post(f"/api/v1/figures/{name}", json=example(KEY).read().as_dict())
    assert answer.status_code == 200, answer.text


def test_what_the_supernode_buys(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/explore/{KEY}?now=1")
    assert answer.status_code == 200


@pytest.mark.parametrize("tab", ["economics/{}/carbon"])
def test_pages_of_a_run_say_that_there_is_none(reading_client: AsgiClient, tab: str) -> None:
    answer = reading_client.get("/" + tab.format(KEY))
    assert answer.status_code == 200
    assert "a pod that serves has no run" in words(answer.text)


def test_the_tab_of_a_run_tells_what_tokens_cost(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/economics/{KEY}/runs")
    assert answer.status_code == 200
    page = words(answer.text)
    assert "A pod that serves has no run: it answers with" in page
    assert "as computed" in page
    assert "By every method" not in page
    given = words(reading_client.get(f"/economics/{KEY}/runs?tokens_per_s=5000").text)
    assert "5,000 tokens/s" in given
    assert "as given" in given


@pytest.mark.parametrize("tab", ["fabric/{}/sharing", "facility/{}/sites", "economics/{}/decision"])
def test_other_pages_show_what_they_can(reading_client: AsgiClient, tab: str) -> None:
    assert reading_client.get("/" + tab.format(KEY)).status_code == 200


def test_explanations(reading_client: AsgiClient) -> None:
    for path in (
        "performance.tpot_s", "performance.time_breakdown_s.experts", "performance.ttft_percentiles_s.p99",
        "cost.usd_per_million_input_tokens", "carbon.kg_per_million_tokens", "reliability.replica_availability",
    ):  # fmt: skip
        assert reading_client.get(f"/designs/{KEY}/explain/{path}").status_code == 200, path


@pytest.mark.slow
def test_saved_compared_and_exported(asgi_client: AsgiClient) -> None:
    made = asgi_client.post("/api/v1/scenarios", json=example(KEY).read().as_dict())
    assert made.status_code == 201, made.text
    id = made.json()["id"]
    assert made.json()["summary"]["workload_kind"] == "serving"
    assert "Serving" in words(asgi_client.get("/").text)
    page = words(asgi_client.get(f"/compare?a={id}&b=edge_node").text)
    assert "Time per output token" in page
    sheet = asgi_client.get(f"/api/v1/scenarios/{id}/export?format=xlsx").content
    assert zipfile.ZipFile(io.BytesIO(sheet)).testzip() is None
    rows = asgi_client.get(f"/api/v1/scenarios/{id}/export?format=csv").text
    assert "performance.tpot_s" in rows
    assert "cost.usd_per_run," not in rows
    figures = asgi_client.get(f"/api/v1/scenarios/{id}/export?format=json&what=evaluation")
    assert json.loads(figures.text)["cost"]["usd_per_run"] is None


def test_tabs_of_money_say_what_a_pod_that_serves_has(reading_client: AsgiClient) -> None:
    def page(path: str) -> str:
        return reading_client.get(path).text

    assert "useful" not in words(
        page(f"/economics/{KEY}/cost").split("An accelerator-hour:")[1].split("</p>")[0]
    )
    decision = words(page(f"/economics/{KEY}/decision"))
    assert "A pod that serves has no run: a year at the stated use has" in decision
    assert "The duration of the run is unknown" not in decision
    difference = page(f"/economics/{KEY}/difference")
    assert '<option value="usd_per_million_tokens" selected>' in difference
    assert 'value="usd_per_run"' not in difference
    sure = page(f"/economics/{KEY}/uncertainty")
    assert 'value="performance.ttft_within_s"' in sure
    assert 'value="performance.tpot_within_s"' in sure
    assert 'value="performance.mfu"' not in sure
    for path, form in ((f"/facility/{KEY}/savings", "saving-form"), (f"/economics/{KEY}/time", "time-form")):
        tab = page(path)
        assert "cannot be worked out: it is for jobs that run and end" in words(tab)
        assert f'class="{form}"' not in tab


def test_a_difference_of_two_served_designs(reading_client: AsgiClient) -> None:
    other = "deepseek_r1_on_gb200_nvl72"
    page = words(reading_client.get(f"/economics/{KEY}/difference?other={other}").text)
    assert "Cost per 1 M tokens: B is" in page
    assert "Hours per 1 M tokens" in page


def test_a_comparison_says_what_one_side_does_not_have(reading_client: AsgiClient) -> None:
    rows = room_rows(
        *(evaluate_example(key, ready_catalog()).as_json for key in (KEY, "edge_node")), every=True
    )
    told = {row.path: row for room in rows for row in room.rows}
    assert (told["performance.tpot_s"].b.text, told["performance.elapsed_time_s"].a.text) == ("n/a", "n/a")
    assert told["performance.time_breakdown_s.tp"].a.text == "n/a"


def test_costs_in_other_units_are_not_drawn_on_one_axis(reading_client: AsgiClient) -> None:
    sides = [
        evaluate_example(key, ready_catalog()).as_json for key in (KEY, "llama_3_1_405b_on_2048_dgx_h100")
    ]
    cost = next(pair for pair in chart_pairs(*sides) if pair.name == "tco")
    assert cost.a.eyebrow != cost.b.eyebrow
    assert cost.a.plot is not None
    assert cost.b.plot is not None
    ends = [pair.plot["layout"]["xaxis"]["range"][1] for pair in (cost.a, cost.b)]
    assert ends[0] != ends[1]
