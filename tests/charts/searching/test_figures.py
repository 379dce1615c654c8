"""Charts of a search are ones that Plotly takes, say what they show, and survive that nothing fits."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest

from app.charts.figure import Figure
from app.charts.searching.degrees import degrees_figure
from app.charts.searching.domain_sizes import domain_sizes_figure
from app.charts.searching.front import front_figure
from app.charts.searching.job_sizes import job_sizes_figure
from app.charts.searching.layout_axes import layout_axes_figure
from app.charts.searching.rejected import rejected_figure
from tests.charts.support import layout, notes, plain, traces

Answer = dict[str, Any]


def _adopt(layout: Any) -> str:
    return f"?{layout['tp']}-{layout['pp']}"


OF_A_SEARCH: list[Callable[[Answer], Figure]] = [
    rejected_figure,
    layout_axes_figure,
    lambda answer: degrees_figure(answer, _adopt),
    lambda answer: front_figure(answer, _adopt),
]


def _assert_drawn(figure: Figure) -> None:
    assert figure.plot is not None
    assert figure.takeaway.endswith(".")
    assert figure.caption
    assert figure.rows


@pytest.mark.parametrize("draw", OF_A_SEARCH)
def test_charts_of_a_search(draw: Callable[[Answer], Figure], answer: Answer) -> None:
    _assert_drawn(draw(answer))


@pytest.mark.parametrize("draw", OF_A_SEARCH[1:])
def test_where_nothing_fits_there_is_nothing_to_draw(
    draw: Callable[[Answer], Figure], answer: Answer
) -> None:
    pairs = [pair | {"step_time_s": None, "parallelism": None} for pair in answer["degrees"]]
    figure = draw(answer | {"pareto": [], "sample": [], "degrees": pairs, "stated": None})
    assert figure.plot is None
    assert figure.takeaway.endswith(".")


def test_reasons_add_up_the_largest_first(answer: Answer) -> None:
    figure = rejected_figure(answer)
    counts = [int(row.cells[1].replace(",", "")) for row in figure.rows]
    assert sum(counts) == answer["strategies"] - answer["feasible_strategies"]
    assert counts == sorted(counts, reverse=True)
    assert rejected_figure(answer | {"rejected": {}}).takeaway == "Every layout can run."


def test_a_cell_leads_to_its_row_and_that_to_the_layout(answer: Answer) -> None:
    figure = degrees_figure(answer, _adopt)
    heat = traces(figure)[0]
    best = answer["best"][0]
    assert min(z for line in heat["z"] for z in line if z is not None) == pytest.approx(
        math.log10(best["step_time_s"])
    )
    for pp, line in zip(heat["y"], heat["customdata"], strict=True):
        for tp, cell in zip(heat["x"], line, strict=True):
            if cell is not None:
                row = figure.rows[cell[0]]
                assert row.path == f"?{tp}-{pp}"
                assert row.cells[1] == cell[1]
    assert figure.takeaway.startswith(f"TP {best['parallelism']['tp']}, PP {best['parallelism']['pp']} ")


def test_points_of_the_front_lead_to_their_layouts(answer: Answer) -> None:
    figure = front_figure(answer, _adopt)
    (front,) = [trace for trace in traces(figure) if trace.get("meta") == "adopts"]
    assert front["x"] == sorted(front["x"])
    assert front["y"] == sorted(front["y"], reverse=True)
    assert [point[0] for point in front["customdata"]] == list(range(len(figure.rows)))
    rings = [trace for trace in traces(figure) if trace["name"] == "The stated layout"]
    assert rings[0]["x"] == [answer["stated"]["step_time_s"]]
    # the dashed line is above everything that can run
    (limit,) = layout(figure)["shapes"]
    assert limit["y0"] >= max(front["y"])


def test_every_layout_of_the_sample_is_a_line(answer: Answer) -> None:
    figure = layout_axes_figure(answer)
    lines = [trace["y"].count(None) for trace in traces(figure)]
    assert sum(lines) == len(answer["sample"]) + 1  # and the stated one
    assert lines[1] == round(0.1 * len(answer["sample"]))
    names = layout(figure)["xaxis"]["ticktext"]
    assert names[-1] == "Step time"
    assert "EP" not in names  # a dense model: all agree
    words = notes(figure)
    assert {"none", "full", "1", "2"} <= set(words)


def test_sizes_ring_the_best_and_the_own_one(over_sizes: Answer) -> None:
    figure = job_sizes_figure(over_sizes, own_supernodes=8, deadline_s=None)
    _assert_drawn(figure)
    rings = {trace["text"][0]: trace["x"][0] for trace in traces(figure)[1:]}
    assert rings["Rank 1"] == over_sizes["best"][0]["accelerators"]
    assert rings["Pod as it is"] == 64
    own = over_sizes["best"][0]["supernodes"]
    same = job_sizes_figure(over_sizes, own_supernodes=own, deadline_s=None)
    assert [trace["text"] for trace in traces(same)[1:]] == [["Rank 1, as it is"], [""]]
    none = job_sizes_figure(over_sizes | {"best": []}, own_supernodes=8, deadline_s=None)
    assert none.takeaway == "No size meets what is asked for."


def test_a_deadline_is_drawn_over_elapsed_time(over_sizes: Answer) -> None:
    figure = job_sizes_figure(over_sizes | {"objective": "accelerators"}, own_supernodes=8, deadline_s=9e5)
    assert [shape["y0"] for shape in layout(figure)["shapes"]] == [9e5]


def test_domains_have_a_line_a_bandwidth_and_the_own_one_ringed(study: Answer) -> None:
    figure = domain_sizes_figure(study)
    _assert_drawn(figure)
    assert [trace.get("name") for trace in traces(figure)] == ["×0.5", "×1", "×2", None]
    assert traces(figure)[-1]["x"] == [8]
    assert [row.cells[0] for row in figure.rows].count("8 accelerators, as designed") == 3


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ((10.0, 9.95, 9.91), "The size of the domain changes the step by less than 1 %."),
        ((10.0, 8.0, 7.99), "Beyond 4 accelerators a larger domain changes the step by less than 1 %; up to"),
        ((10.0, 8.0, 6.0), "A domain of 8 still takes 25 % off the step of 4, 40 % off that of 1."),
    ],
)
def test_the_finding_follows_from_the_times(study: Answer, times: tuple[float, ...], said: str) -> None:
    rows = [row for row in study["sizes"] if row["bandwidth_factor"] == 1][:3]
    sizes = [row | {"step_time_s": time} for row, time in zip(rows, times, strict=True)]
    takeaway = domain_sizes_figure(study | {"sizes": sizes}).takeaway
    assert plain(takeaway).startswith(said)


def test_sizes_at_which_nothing_fits_are_said_and_not_drawn(study: Answer) -> None:
    changed = copy.deepcopy(study)
    for row in changed["sizes"]:
        if row["domain_accelerators"] == 1:
            row |= {"feasible": False, "step_time_s": None, "exposed_exchange_s": None}
    figure = domain_sizes_figure(changed)
    assert 1 not in traces(figure)[0]["x"]
    assert figure.rows[0].cells[-1] == "no layout can run"
    nothing = [row | {"feasible": False} for row in changed["sizes"]]
    assert domain_sizes_figure(changed | {"sizes": nothing}).plot is None


def test_domains_of_a_served_model_are_told_in_its_words(study: Answer) -> None:
    served = {"output_tokens_per_s": 12_345.0, "usd_per_million_output_tokens": 2.0, "mfu": 0.1}
    sizes = [row | served for row in study["sizes"]]
    figure = domain_sizes_figure(study | {"kind": "serving", "sizes": sizes})
    _assert_drawn(figure)
    names = [column.name for column in figure.columns]
    assert names[2:6] == [
        "Decode step", "Exposed communication", "Output tokens/s", "Cost per million output tokens",
    ]  # fmt: skip
    assert "decode step" in figure.takeaway
    assert next(row.cells[4] for row in figure.rows if row.cells[4] != "n/a") == "12,300"
    assert "MFU" not in str(figure)


def test_one_size_is_no_chart(study: Answer) -> None:
    rows = [row for row in study["sizes"] if row["domain_accelerators"] == 8]
    figure = domain_sizes_figure(study | {"sizes": rows})
    assert figure.plot is None
    assert figure.takeaway.startswith("Only a domain of 8 accelerators")
