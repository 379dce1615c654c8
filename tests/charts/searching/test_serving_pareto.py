"""The Pareto front of a served model: one that Plotly takes, with lines of equal cost and what is promised."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from app.charts.figure import Figure
from app.charts.searching.serving_pareto import serving_pareto_figure
from app.charts.searching.serving_words import serving_replicas_text
from tests.charts.support import layout, traces

ONE = {"tp": 8, "dp": 1, "pp": 1, "ep": 1, "redundant_experts": 0}


def option(user: float, accelerator: float, pod: int = 0, **changes: Any) -> dict[str, Any]:
    return {
        "pod": pod,
        "mode": "aggregated",
        "layout": ONE,
        "concurrency": 64.0,
        "replicas": 1,
        "tokens_per_s_per_user": user,
        "tokens_per_s_per_accelerator": accelerator,
        "ttft_within_s": 0.5,
        "usd_per_million_tokens": 3.0 / 3600 * 1e6 / accelerator,
        "keeps_level": user >= 20,
        "over_promise": 20 / user,
    } | changes


def pod(name: str = "DGX H200", usd: float | None = 3.0) -> dict[str, Any]:
    return {
        "system": None,
        "name": name,
        "precision": "fp8",
        "accelerators": 8,
        "usd_per_accelerator_hour": usd,
    }


@pytest.fixture
def answer() -> dict[str, Any]:
    front = [option(100.0, 10.0), option(40.0, 200.0), option(15.0, 800.0)]
    return {
        "objective": "throughput", "ttft_s": 2.0, "tpot_s": 0.05, "percentile": 0.95, "pods": [pod()],
        "best": [front[1]], "pareto": front, "nearest": None, "stated": option(30.0, 100.0),
    }  # fmt: skip


def drawn(answer: dict[str, Any]) -> Figure:
    figure = serving_pareto_figure(answer, lambda one: f"user:{one['tokens_per_s_per_user']}")
    assert figure.plot is not None
    return figure


def test_points_lead_to_their_rows_and_rows_are_adopted(answer: dict[str, Any]) -> None:
    figure = drawn(answer)
    front = traces(figure)[0]
    assert front["meta"] == "adopts"
    assert [point[0] for point in front["customdata"]] == [0, 1, 2]
    assert [row.path for row in figure.rows] == ["user:100.0", "user:40.0", "user:15.0"]
    assert front["marker"]["symbol"] == ["circle", "circle", "circle-open"]
    assert [row.cells[-1] for row in figure.rows] == ["kept", "kept", "broken"]
    assert "1 x (TP 8)" in figure.takeaway


def test_lines_of_equal_cost_stand_where_tokens_cost_that(answer: dict[str, Any]) -> None:
    plot = drawn(answer).plot
    assert plot is not None
    lines = [shape for shape in plot["layout"]["shapes"] if shape["line"].get("dash") == "dot"]
    words = [note for note in plot["layout"]["annotations"] if "per million" in note["text"]]
    assert lines
    for line, note in zip(lines, words, strict=True):
        cost = float(note["text"].split()[0].replace("\N{NO-BREAK SPACE}", " ").split()[0])
        assert line["y0"] == line["y1"] == pytest.approx(3.0 / 3600 * 1e6 / cost)
        assert note["y"] == pytest.approx(math.log10(line["y0"]))


def test_the_promised_pace_is_a_region(answer: dict[str, Any]) -> None:
    plot = drawn(answer).plot
    assert plot is not None
    region = next(shape for shape in plot["layout"]["shapes"] if shape["type"] == "rect")
    assert region["x0"] == pytest.approx(20)
    answer |= {"ttft_s": None, "tpot_s": None}
    figure = drawn(answer)
    assert all(shape["type"] != "rect" for shape in layout(figure)["shapes"])
    assert "Hollow" not in figure.caption


def test_several_prices_have_a_line_each_at_one_cost(answer: dict[str, Any]) -> None:
    answer["pods"] = [pod(), pod("GB200", 6.0), pod("Unpriced", None)]
    answer["pareto"] += [option(90.0, 300.0, 1), option(80.0, 50.0, 2, usd_per_million_tokens=None)]
    figure = drawn(answer)
    notes = [note["text"] for note in layout(figure)["annotations"] if "per million" in note["text"]]
    assert [text.rpartition(" on ")[2] for text in notes] == ["DGX H200", "GB200"]
    assert len({text.partition(" per ")[0] for text in notes}) == 1
    assert figure.rows[-1].cells[6] == "unknown"
    assert [trace["customdata"][0][0] for trace in traces(figure)[:3]] == [0, 3, 4]
    assert len(figure.legend) == 4


def test_nothing_found_is_said(answer: dict[str, Any]) -> None:
    empty = copy.deepcopy(answer) | {"pareto": [], "best": []}
    figure = serving_pareto_figure(empty, lambda _: "")
    assert figure.plot is None
    missed = answer | {"best": [], "nearest": option(15.0, 800.0, over_promise=1.5)}
    assert "1.5" in drawn(missed).takeaway


def test_a_group_is_said_in_brackets() -> None:
    one = {"tp": 4, "dp": 1, "pp": 1, "ep": 4, "redundant_experts": 2, "instances": 3}
    words = serving_replicas_text({"layout": {"prefill": one, "decode": one}, "replicas": 2})
    assert words == "2 x [3 x (TP 4, EP 4, 2 expert copies) + 3 x (TP 4, EP 4, 2 expert copies)]"
