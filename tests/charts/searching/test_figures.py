"""Charts of searches and sweeps: they lead to their layouts, say what they show, and survive that nothing fits."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest

from app.charts.figure import Figure
from app.charts.forms import log_ticks, unit_ticks
from app.charts.searching.degrees import degrees_figure
from app.charts.searching.domain_sizes import domain_sizes_figure
from app.charts.searching.front import front_figure
from app.charts.searching.job_sizes import job_sizes_figure
from app.charts.searching.layout_axes import degrees_text, details_text, layout_axes_figure
from app.charts.searching.rejected import rejected_figure
from app.charts.searching.serving_pareto import serving_pareto_figure, serving_replicas_text
from app.charts.sweep import Group, Quantity, sweep_line, sweep_points
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
    assert rings["Current pod"] == 64
    own = over_sizes["best"][0]["supernodes"]
    same = job_sizes_figure(over_sizes, own_supernodes=own, deadline_s=None)
    assert [trace["text"] for trace in traces(same)[1:]] == [["Rank 1, current"], [""]]
    none = job_sizes_figure(over_sizes | {"best": []}, own_supernodes=8, deadline_s=None)
    assert none.takeaway == "No size meets the limits."


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
def pareto() -> dict[str, Any]:
    front = [option(100.0, 10.0), option(40.0, 200.0), option(15.0, 800.0)]
    return {
        "objective": "throughput", "ttft_s": 2.0, "tpot_s": 0.05, "percentile": 0.95, "pods": [pod()],
        "best": [front[1]], "pareto": front, "nearest": None, "stated": option(30.0, 100.0),
    }  # fmt: skip


def drawn(pareto: dict[str, Any]) -> Figure:
    figure = serving_pareto_figure(pareto, lambda one: f"user:{one['tokens_per_s_per_user']}")
    assert figure.plot is not None
    return figure


def test_points_lead_to_their_rows_and_rows_are_adopted(pareto: dict[str, Any]) -> None:
    figure = drawn(pareto)
    front = traces(figure)[0]
    assert front["meta"] == "adopts"
    assert [point[0] for point in front["customdata"]] == [0, 1, 2]
    assert [row.path for row in figure.rows] == ["user:100.0", "user:40.0", "user:15.0"]
    assert front["marker"]["symbol"] == ["circle", "circle", "circle-open"]
    assert [row.cells[-1] for row in figure.rows] == ["kept", "kept", "broken"]
    assert "1 x (TP 8)" in figure.takeaway


def test_lines_of_equal_cost_stand_where_tokens_cost_that(pareto: dict[str, Any]) -> None:
    plot = drawn(pareto).plot
    assert plot is not None
    lines = [shape for shape in plot["layout"]["shapes"] if shape["line"].get("dash") == "dot"]
    words = [note for note in plot["layout"]["annotations"] if "per million" in note["text"]]
    assert lines
    for line, note in zip(lines, words, strict=True):
        cost = float(note["text"].split()[0].replace("\N{NO-BREAK SPACE}", " ").split()[0])
        assert line["y0"] == line["y1"] == pytest.approx(3.0 / 3600 * 1e6 / cost)
        assert note["y"] == pytest.approx(math.log10(line["y0"]))


def test_the_promised_pace_is_a_region(pareto: dict[str, Any]) -> None:
    plot = drawn(pareto).plot
    assert plot is not None
    region = next(shape for shape in plot["layout"]["shapes"] if shape["type"] == "rect")
    assert region["x0"] == pytest.approx(20)
    pareto |= {"ttft_s": None, "tpot_s": None}
    figure = drawn(pareto)
    assert all(shape["type"] != "rect" for shape in layout(figure)["shapes"])
    assert "Hollow" not in figure.caption


def test_several_prices_have_a_line_each_at_one_cost(pareto: dict[str, Any]) -> None:
    pareto["pods"] = [pod(), pod("GB200", 6.0), pod("Unpriced", None)]
    pareto["pareto"] += [option(90.0, 300.0, 1), option(80.0, 50.0, 2, usd_per_million_tokens=None)]
    figure = drawn(pareto)
    notes = [note["text"] for note in layout(figure)["annotations"] if "per million" in note["text"]]
    assert [text.rpartition(" on ")[2] for text in notes] == ["DGX H200", "GB200"]
    assert len({text.partition(" per ")[0] for text in notes}) == 1
    assert figure.rows[-1].cells[6] == "unknown"
    assert [trace["customdata"][0][0] for trace in traces(figure)[:3]] == [0, 3, 4]
    assert len(figure.legend) == 4


def test_nothing_found_is_said(pareto: dict[str, Any]) -> None:
    empty = copy.deepcopy(pareto) | {"pareto": [], "best": []}
    figure = serving_pareto_figure(empty, lambda _: "")
    assert figure.plot is None
    missed = pareto | {"best": [], "nearest": option(15.0, 800.0, over_promise=1.5)}
    assert "1.5" in drawn(missed).takeaway


def test_a_group_is_said_in_brackets() -> None:
    one = {"tp": 4, "dp": 1, "pp": 1, "ep": 4, "redundant_experts": 2, "instances": 3}
    words = serving_replicas_text({"layout": {"prefill": one, "decode": one}, "replicas": 2})
    assert words == "2 x [3 x (TP 4, EP 4, 2 expert copies) + 3 x (TP 4, EP 4, 2 expert copies)]"


LAYOUT = {"tp": 4, "pp": 8, "cp": 2, "ep": 1, "vpp": 2, "micro_batch": 1, "zero_stage": 2,
          "sequence_parallel": True, "recompute": "selective"}  # fmt: skip


def test_degrees_that_are_one_are_left_out() -> None:
    assert degrees_text(LAYOUT, 16) == "TP 4, PP 8, CP 2, DP 16"
    assert degrees_text({"tp": 1, "pp": 1, "cp": 1, "ep": 1}) == "TP 1, PP 1"


def test_only_what_is_unusual_is_said() -> None:
    assert details_text(LAYOUT) == "micro-batch 1, 2 virtual stages, ZeRO 2, selective recompute"
    odd = LAYOUT | {"sequence_parallel": False, "inside": "pipeline", "schedule": "zb_h1",
                    "tensor_overlap": False, "data_overlap": False, "offload": "both", "shard_group": 8}  # fmt: skip
    assert details_text(odd).endswith(
        "no sequence parallel, PP within scale-up domain, ZB-H1, no tensor overlap, no data overlap, "
        "optimizer and activations offloaded, shard groups of 8"
    )
    for tier, said in (("host", "optimizer offloaded"), ("nvme", "optimizer offloaded to NVMe")):
        assert details_text(LAYOUT | {"offload": "optimizer", "offload_to": tier}).endswith(f", {said}")


@pytest.mark.parametrize("low", [0.011, 0.9, 5.3, 33, 7e5])
@pytest.mark.parametrize("times", [1.05, 1.4, 3, 12, 400, 1e5])
@pytest.mark.parametrize("unit", ["s", "USD"])
def test_ticks_lie_between_the_ends(low: float, times: float, unit: str) -> None:
    for most in (4, 6):
        ticks = unit_ticks(low, low * times, unit, most)
        assert 1 <= len(ticks) <= most
        assert ticks == sorted(set(ticks))
        assert all(low <= tick <= low * times for tick in ticks)


def test_one_value_has_one_tick() -> None:
    assert log_ticks(5.0, 5.0) == [5.0]


PRICE = Quantity(name="Electricity", unit="USD/kWh", shown=lambda value: f"{value:g} USD/kWh")
COST = Quantity(name="TCO", unit="USD", shown=lambda value: f"{value:,.0f} USD")
SITE = Quantity(name="Site", unit="1", shown=str)


def sweep_drawn(figure):
    assert figure.plot is not None
    return figure.plot


def test_the_line_is_the_best_and_its_bars_reach_to_the_worst():
    groups = [
        Group(value=0.05, best=10.0, worst=30.0, designs=4),
        Group(value=0.1, best=20.0, worst=25.0, designs=3),
    ]
    figure = sweep_line(PRICE, COST, groups, takeaway="It says so.", goal="lowest")
    (line,) = sweep_drawn(figure)["data"]
    assert (line["x"], line["y"]) == ([0.05, 0.1], [10.0, 20.0])
    assert line["error_y"]["array"] == [20.0, 5.0]
    assert line["error_y"]["arrayminus"] == [0, 0]
    assert figure.rows[0].cells == ("0.05 USD/kWh", "10 USD", "30 USD", "4")
    assert figure.eyebrow == "TCO by electricity"
    assert figure.takeaway == "It says so."


def test_the_worst_of_what_should_be_high_lies_below():
    groups = [Group(value=1, best=0.5, worst=0.2, designs=2)]
    (line,) = sweep_drawn(sweep_line(PRICE, COST, groups, takeaway="", goal="highest"))["data"]
    assert line["error_y"]["array"] == [0]
    assert math.isclose(line["error_y"]["arrayminus"][0], 0.3)


def test_words_stand_on_an_axis_of_words_and_one_design_each_needs_no_bars():
    groups = [
        Group(value=site, best=cost, worst=cost, designs=1)
        for site, cost in (("ashburn", 2.0), ("stockholm", 1.0))
    ]
    plot = sweep_drawn(sweep_line(SITE, COST, groups, takeaway="", goal="lowest"))
    assert plot["layout"]["xaxis"]["categoryarray"] == ["ashburn", "stockholm"]
    assert plot["data"][0]["mode"] == "markers"
    assert plot["data"][0]["error_y"] == {"visible": False}


def test_a_wide_range_is_logarithmic():
    groups = [Group(value=value, best=value, worst=value, designs=1) for value in (1.0, 10.0, 100.0)]
    layout = sweep_drawn(sweep_line(PRICE, COST, groups, takeaway="", goal="lowest"))["layout"]
    assert layout["xaxis"]["type"] == layout["yaxis"]["type"] == "log"


def test_points_of_a_sample_name_their_designs():
    figure = sweep_points(PRICE, COST, [(7, 0.05, 10.0), (9, 0.07, 12.0)], takeaway="Two.")
    assert sweep_drawn(figure)["data"][0]["customdata"][1] == ["9", "0.07 USD/kWh", "12 USD"]
    assert [row.cells[0] for row in figure.rows] == ["7", "9"]


def test_nothing_is_drawn_where_nothing_is_known():
    for figure in (
        sweep_line(PRICE, COST, [], takeaway="", goal="lowest"),
        sweep_points(PRICE, COST, [], takeaway=""),
    ):
        assert figure.plot is None
        assert figure.takeaway == "No feasible design has this figure."
