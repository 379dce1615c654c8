"""A latency against load: lines, the promise, loads with a name, and what is unknown."""

from __future__ import annotations

import dataclasses
import math

from app.charts.serving.latency_curve import LatencyCurve, latency_curve_figure
from app.charts.serving.named_loads import NamedLoad
from tests.charts.support import layout, traces

CURVE = LatencyCurve(
    name="serving_tpot",
    title="Time per output token",
    load_title="Requests in flight",
    loads=[1, 10, 100],
    mean_s=[0.01, 0.02, 0.08],
    within_s=[0.011, 0.022, 0.09],
    share=0.95,
    promised_s=0.05,
    named=[NamedLoad(label="Knee 10", at=10, slot="c3")],
    takeaway="10 ms alone.",
    log=False,
)


def test_both_lines_and_the_promise_in_one_unit() -> None:
    figure = latency_curve_figure(CURVE)
    mean, within = traces(figure)
    assert [round(value, 9) for value in mean["y"]] == [10, 20, 80]  # milliseconds
    assert within["y"][-1] == 90
    promise = [shape for shape in layout(figure)["shapes"] if shape.get("xref") == "paper"]
    assert [(shape["y0"], shape["y1"]) for shape in promise] == [(50, 50)]
    assert layout(figure)["yaxis"]["ticktext"][-1].endswith("ms")
    assert "Promised" in layout(figure)["annotations"][-1]["text"]


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
