"""Charts of serving: what is drawn, what the table says, and what is unknown."""

from __future__ import annotations

import dataclasses
import math

import pytest

from app.charts.figure import Figure
from app.charts.serving.batch_memory import BatchMemory, MemoryRoom, batch_memory_figure
from app.charts.serving.demand_hours import HourDrawn, HoursDrawn, demand_hours_figure
from app.charts.serving.first_token import first_token_figure
from app.charts.serving.latency_budget import BudgetBar, latency_budget_figure
from app.charts.serving.latency_curve import LatencyCurve, NamedLoad, latency_curve_figure
from app.charts.serving.roofline import Roof, RoofPoint, roofline_figure
from app.charts.serving.simulated import Minutes, SharesWithin, minutes_figure, shares_figure
from app.charts.serving.token_costs import CostBar, token_costs_figure
from app.charts.serving.token_time import BatchTime, token_time_figure
from tests.charts.support import layout, notes, plain, traces

POINTS = [
    BatchMemory(batch=0, memory_bytes=80e9, parts_bytes={"weights": 80e9, "kv_cache": 0.0, "logits": 0.0}),
    BatchMemory(
        batch=100, memory_bytes=180e9, parts_bytes={"weights": 80e9, "kv_cache": 100e9, "logits": 0.0}
    ),
]
ROOM = MemoryRoom(usable_bytes=130e9, fitted_bytes=141e9, batch_limit=50, batch=10)


def test_areas_lines_and_words() -> None:
    figure = batch_memory_figure(POINTS, ROOM)
    assert [trace["name"] for trace in traces(figure)] == ["Weights", "Keys and values"]
    assert {trace["stackgroup"] for trace in traces(figure)} == {"memory"}
    texts = [note["text"].replace("\u202f", " ") for note in layout(figure)["annotations"]]
    assert texts == ["10 now", "50 fit", "130 GB engine's share", "141 GB fitted"]
    assert plain(figure.takeaway) == "50 sequences fit into 130.0 GB; 10 are decoded at once."
    assert [row.cells[-1] for row in figure.rows] == ["yes", "no"]


def test_mean_batches_are_rounded_down_alike_in_chart_words_and_table() -> None:
    points = [*POINTS[:1], BatchMemory(batch=697.96, memory_bytes=100e9, parts_bytes=POINTS[1].parts_bytes)]
    room = MemoryRoom(usable_bytes=130e9, fitted_bytes=141e9, batch_limit=41_958.9, batch=697.96)
    figure = batch_memory_figure(points, room)
    assert notes(figure)[:2] == ["697 now", "41,958 fit"]
    assert figure.takeaway.startswith("41,958 sequences fit")
    assert "697 are decoded" in figure.takeaway
    assert figure.rows[1].cells[0] == traces(figure)[0]["customdata"][1] == "697"


def test_a_model_that_does_not_fit() -> None:
    figure = batch_memory_figure(
        POINTS, MemoryRoom(usable_bytes=70e9, fitted_bytes=80e9, batch_limit=0, batch=1)
    )
    assert figure.takeaway.startswith("Not one sequence fits: 80.0")
    assert not any(
        "fit" in note["text"] and "fitted" not in note["text"] for note in layout(figure)["annotations"]
    )


def drawn(count: int = 24, *, follows: bool = True) -> Figure:
    hours = [
        HourDrawn(
            title=f"hour {hour}", requests_per_s=10.0 * (hour % 3), needed=hour % 3, running=hour % 3 + 1, paid=3.25,
            utilisation=0.5, ttft_within_s=0.4 if hour % 3 else math.nan, tpot_within_s=0.03 if hour % 3 else math.nan,
            keeps=hour != 1,
        )
        for hour in range(count)
    ]  # fmt: skip
    return demand_hours_figure(
        HoursDrawn(hours=hours, rate=12, always_on=4, follows=follows, share=0.95, takeaway="All of it.")
    )


def test_capacity_is_in_requests_and_ends_with_the_day() -> None:
    figure = drawn()
    needed, running, demand = traces(figure)
    assert (needed["x"][-1], needed["y"][:3], needed["y"][-1]) == (24, [0, 12, 24], 24)
    assert running["y"][:3] == [12, 24, 36]
    assert (demand["x"][0], demand["y"][:3]) == (0.5, [0, 10, 20])
    assert layout(figure)["shapes"][0]["y0"] == 48
    assert layout(figure)["xaxis"]["ticktext"] == ["00:00", "06:00", "12:00", "18:00"]
    assert "a day" in figure.eyebrow


def test_a_week_is_named_by_its_days() -> None:
    figure = drawn(168)
    assert layout(figure)["xaxis"]["ticktext"] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert len(figure.rows) == 168


def test_the_table_says_which_hours_keep_the_promise() -> None:
    quiet, missed, kept = drawn().rows[:3]
    assert quiet.cells[6:] == ("none asked", "none asked", "kept")
    assert missed.cells == (
        "hour 1", "10", "1", "2", "3.25", "50\u202f%", "400\u202fms", "30.0\u202fms", "missed",
    )  # fmt: skip
    assert kept.cells[-1] == "kept"


def test_where_all_run_only_what_is_needed_is_drawn_beside_the_demand() -> None:
    figure = drawn(follows=False)
    assert [line["name"] for line in traces(figure)] == ["Capacity needed", "Demand"]
    assert [mark.label for mark in figure.legend] == ["Demand", "Capacity needed"]


PARTS = {"prefill": 0.15, "queue_wait": 0.04, "overhead": 0.01, "kv_transfer": 0.0}


def evaluation(parts: dict[str, float | None], whole: float | None) -> dict[str, object]:
    return {"performance": {"ttft_s": whole, "ttft_breakdown_s": parts}}


def test_bars_are_the_parts_that_count_and_the_table_has_all() -> None:
    figure = first_token_figure(evaluation(PARTS, 0.2))
    (bars,) = traces(figure)
    assert sum(bars["x"]) == pytest.approx(200)  # milliseconds
    assert len(bars["x"]) == 3
    assert bars["y"][0] == "Prefill"
    assert [row.cells[0] for row in figure.rows][-2:] == ["KV-cache transfer to decode", "First token"]
    assert figure.rows[0].path == "performance.ttft_breakdown_s.prefill"
    assert figure.takeaway.startswith("Prefill: 75")


def test_own_measurements_may_take_less() -> None:
    figure = first_token_figure(evaluation({"prefill": 0.3, "calibration": -0.1}, 0.2))
    assert layout(figure)["xaxis"]["range"][0] == pytest.approx(-100)
    assert sum(traces(figure)[0]["x"]) == pytest.approx(200)


@pytest.mark.parametrize(
    "unknown", [evaluation({}, 0.2), evaluation({"prefill": None}, 0.2), evaluation(PARTS, None)]
)
def test_what_is_unknown_is_said_to_be(unknown: dict[str, object]) -> None:
    assert first_token_figure(unknown).plot is None


BARS = [
    BudgetBar(
        name="Europe, cloud", round_trip_s=0.1, queue_s=0.02, prefill_s=0.08, other_s=0.1, total_s=0.3,
        budget_s=0.25,
    )
]  # fmt: skip


def test_parts_stack_and_the_budget_stands_across() -> None:
    figure = latency_budget_figure(BARS, "Missed.")
    *parts, budget = traces(figure)
    assert [trace["name"] for trace in parts] == ["Network", "Queue", "Prefill", "Engine"]
    assert round(sum(trace["x"][0] for trace in parts), 9) == 300  # milliseconds
    assert budget["x"] == [250]
    assert budget["marker"]["symbol"] == "line-ns"
    assert figure.rows[0].cells[0] == "Europe, cloud"
    assert figure.takeaway == "Missed."


CURVE = LatencyCurve(
    name="serving_tpot", title="Time per output token", load_title="Requests in flight", loads=[1, 10, 100],
    mean_s=[0.01, 0.02, 0.08], within_s=[0.011, 0.022, 0.09], share=0.95, promised_s=0.05,
    named=[NamedLoad(label="Knee 10", at=10, slot="c3")], takeaway="10 ms alone.", log=False,
)  # fmt: skip


def test_both_lines_and_the_promise_in_one_unit() -> None:
    figure = latency_curve_figure(CURVE)
    mean, within = traces(figure)
    assert [round(value, 9) for value in mean["y"]] == [10, 20, 80]  # milliseconds
    assert within["y"][-1] == 90
    promise = [shape for shape in layout(figure)["shapes"] if shape.get("xref") == "paper"]
    assert [(shape["y0"], shape["y1"]) for shape in promise] == [(50, 50)]
    assert layout(figure)["yaxis"]["ticktext"][-1].endswith("ms")
    assert "SLO" in layout(figure)["annotations"][-1]["text"]


def test_a_load_with_a_name_stands_at_its_exponent() -> None:
    """Shapes of a logarithmic axis take values, annotations take exponents."""
    figure = latency_curve_figure(CURVE)
    line, note = layout(figure)["shapes"][0], layout(figure)["annotations"][0]
    assert (line["x0"], note["x"], note["text"]) == (10, 1.0, "Knee 10")


def test_labels_of_loads_stand_above_all_lines_and_that_of_the_promise() -> None:
    for log in (False, True):
        high = dataclasses.replace(CURVE, promised_s=0.2, log=log, named=CURVE.named * 3)
        plot = latency_curve_figure(high).plot
        assert plot is not None
        *loads, promise = plot["layout"]["annotations"]
        low, top = plot["layout"]["yaxis"]["range"]
        lowest = low + (loads[-1]["y"] - 0.075) * (top - low)
        assert promise["y"] + 0.06 * (top - low) <= lowest + 1e-9


def test_requests_in_flight_are_whole_and_rates_are_not() -> None:
    loads = [1, 10.97, 2212.9]
    assert [row.cells[0] for row in latency_curve_figure(dataclasses.replace(CURVE, loads=loads)).rows] == [
        "1",
        "10",
        "2,212",
    ]
    rates = latency_curve_figure(dataclasses.replace(CURVE, loads=loads, whole=False))
    assert [row.cells[0] for row in rates.rows] == ["1", "11.0", "2,213"]


def test_the_table_says_the_same() -> None:
    figure = latency_curve_figure(CURVE)
    assert [column.name for column in figure.columns][:2] == ["Requests in flight", "Mean"]
    assert len(figure.rows) == 3
    assert figure.rows[-1].cells[0] == "100"


def test_no_promise_no_line_and_infinite_times_are_left_out() -> None:
    figure = latency_curve_figure(
        dataclasses.replace(CURVE, promised_s=None, within_s=[0.011, 0.022, math.inf], log=True)
    )
    assert len(figure.rows) == 2
    assert all(shape.get("xref") != "paper" for shape in layout(figure)["shapes"])
    assert layout(figure)["yaxis"]["type"] == "log"


def test_unknown_latencies_are_said() -> None:
    unknown = [math.nan] * 3
    figure = latency_curve_figure(dataclasses.replace(CURVE, mean_s=unknown, within_s=unknown))
    assert figure.plot is None
    assert "unknown" in figure.takeaway


ROOF = Roof(
    title="A chip, FP8", peak_flop_per_s=2e15, peak_16_bit_flop_per_s=1e15, memory_bandwidth_bytes_per_s=4e12
)


def point(phase: str, batch: float, intensity: float, rate: float) -> RoofPoint:
    return RoofPoint(
        phase=phase, batch=batch, intensity=intensity, flop_per_s=rate, share=0.5,
        bound="memory" if intensity < 500 else "arithmetic",
    )  # fmt: skip


def test_two_roofs_and_both_phases() -> None:
    figure = roofline_figure(ROOF, [point("decode", 1, 2, 1e12), point("prefill", 1, 600, 1e15)])
    roof, lower, decode, prefill = traces(figure)
    assert roof["y"][-2:] == [2e15, 2e15]
    assert roof["x"][1] == 500  # the ridge
    assert lower["y"][-1] == 1e15
    assert (decode["name"], prefill["name"]) == ("Decode", "Prefill")
    assert "Decode is bound by memory at every batch" in figure.takeaway
    assert "The ridge is at 500 FLOP/B" in figure.takeaway


def test_where_decode_leaves_the_slope_is_said() -> None:
    figure = roofline_figure(ROOF, [point("decode", 1, 2, 1e12), point("decode", 900, 600, 1e15)])
    assert "leaves the slope at a batch of 900" in figure.takeaway


def test_a_batch_is_rounded_down_alike_in_chart_words_and_table() -> None:
    figure = roofline_figure(ROOF, [point("decode", 0.97, 2, 1e12), point("decode", 697.96, 600, 1e15)])
    decode = traces(figure)[-1]
    assert [row.cells[1] for row in figure.rows] == decode["text"] == ["0.97", "697"]
    assert "697" in decode["customdata"][1][0]
    assert "leaves the slope at a batch of 697: at 697 sequences" in figure.takeaway


def test_one_roof_where_there_is_no_faster_format() -> None:
    same = Roof(
        title="A chip, BF16",
        peak_flop_per_s=1e15,
        peak_16_bit_flop_per_s=1e15,
        memory_bandwidth_bytes_per_s=4e12,
    )
    figure = roofline_figure(same, [point("decode", 1, 2, 1e12)])
    assert len(traces(figure)) == 2
    assert len(figure.legend) == 1


def shares(**changes: object) -> SharesWithin:
    values: dict[str, object] = {
        "name": "simulated_ttft", "title": "Time to first token", "shares": [0.5, 0.95], "simulated_s": [0.2, 0.4],
        "formula": [(0.5, 0.21), (0.95, 0.38)], "promised_s": 0.5, "takeaway": "95 % within 400 ms.",
    }  # fmt: skip
    return SharesWithin(**(values | changes))  # type: ignore[arg-type]


def test_shares_are_in_percent_and_times_in_one_unit() -> None:
    figure = shares_figure(shares())
    line, marks = traces(figure)
    assert line["y"] == [50, 95]
    assert line["x"] == [200, 400]
    assert marks["x"] == [210, 380]
    assert layout(figure)["shapes"][0]["x0"] == 500
    assert [row.cells for row in figure.rows] == [("50\u202f%", "200\u202fms"), ("95\u202f%", "400\u202fms")]
    assert [mark.label for mark in figure.legend] == ["Simulated", "Formulas"]


def test_without_formulas_and_without_a_promise() -> None:
    figure = shares_figure(shares(formula=[], promised_s=None))
    assert [mark.label for mark in figure.legend] == ["Simulated"]
    assert layout(figure)["shapes"] == []


def test_a_minute_in_which_nobody_came() -> None:
    figure = minutes_figure(
        Minutes(minutes=[1, 2], first_s=[0.3, None], running=[12.0, 0.0], takeaway="Slowest in minute 1.")
    )
    assert traces(figure)[0]["y"] == [300, None]
    assert figure.rows[1].cells == ("2", "none came", "0")


def bar(name: str, output: float, prompts: float, rented: float = math.nan, feasible: bool = True) -> CostBar:
    return CostBar(name=name, output_usd=output, prompts_usd=prompts, rented_usd=rented, feasible=feasible)


def test_the_cheapest_that_does_is_named() -> None:
    figure = token_costs_figure(
        [bar("A FP8", 1.0, 0.5, 3.0), bar("B FP8", 0.1, 0.1, feasible=False), bar("C FP8", 0.7, 0.2)],
        ["D FP8"],
    )
    assert figure.takeaway.startswith("C FP8 is the cheapest that meets the SLO: 0.900")
    assert "Not drawn, as a price is unknown or it cannot be tried: D FP8." in figure.caption
    answer, prompts, rented = traces(figure)
    assert answer["x"] == [1.0, 0.1, 0.7]
    assert prompts["x"] == [0.5, 0.1, 0.2]
    assert (rented["y"], rented["x"]) == (["A FP8"], [3.0])
    assert answer["marker"]["color"][1] == "var(--bg)"  # hollow: it does not do
    assert figure.rows[2].cells[-1] == "unknown"
    assert len(figure.narrow["xaxis.tickvals"]) == 2


def test_nothing_known_is_said() -> None:
    figure = token_costs_figure([], ["D FP8"])
    assert figure.plot is None
    assert figure.takeaway == "No system has a known cost of tokens."


def test_none_that_does_is_said() -> None:
    assert (
        "No system with a known cost meets"
        in token_costs_figure([bar("A", 1, 1, feasible=False)], []).takeaway
    )


def test_what_bears_another_load_is_drawn_and_not_compared() -> None:
    own = CostBar(
        name="Own, now", output_usd=0.1, prompts_usd=0.1, rented_usd=math.nan, feasible=True, compared=False
    )
    assert token_costs_figure([own, bar("A", 1, 1)], []).takeaway.startswith("A is the cheapest")


TOKEN_TIME_POINTS = [
    BatchTime(batch=0.98, tpot_s=0.010, parts_s={"launch": 0.007, "experts": 0.003, "expert_exchange": 0.0}),
    BatchTime(batch=64, tpot_s=0.040, parts_s={"launch": 0.007, "experts": 0.033, "expert_exchange": 0.0}),
]


def test_bars_stack_to_the_time_and_parts_that_are_nothing_are_left_out() -> None:
    figure = token_time_figure(TOKEN_TIME_POINTS)
    bars = traces(figure)
    assert [bar["name"] for bar in bars] == ["Routed experts", "Kernel launches"]
    assert sum(bar["y"][1] for bar in bars) == pytest.approx(40)
    assert [mark.slot for mark in figure.legend] == ["c3", "c7"]
    assert bars[0]["x"] == ["0.98", "64"]  # a mean, as one waits for its first token


def test_the_takeaway_names_the_largest_part_at_both_ends() -> None:
    text = plain(token_time_figure(TOKEN_TIME_POINTS).takeaway)
    assert text == "Largest at a batch of 0.98: kernel launches 70 %; at 64: routed experts 82 %."


def test_a_correction_is_a_part_of_its_own() -> None:
    points = [BatchTime(batch=1, tpot_s=0.011, parts_s={"launch": 0.010, "calibration": 0.001})]
    assert token_time_figure(points).legend[-1].label == "Calibration by own measurements"
