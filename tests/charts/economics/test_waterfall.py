"""Waterfalls of carbon and of differences: bars that lead to each level, also below nought, and unknown."""

from __future__ import annotations

import math

import pytest

from app.charts.economics.carbon import CarbonShare, CarbonStep, build_up_figure, parts_figure
from app.charts.economics.difference import Brought, difference_figure
from app.charts.economics.waterfall import Scale, scale_of
from app.charts.figure import Figure
from tests.charts.support import layout, traces

ENDS = {"title": "Cost of a run", "unit": "USD", "takeaway": "Site 80 %.", "caption": "", "view": "cause"}


def bars(figure: Figure) -> tuple[list[str], list[float]]:
    """Names of the bars, and where each ends."""
    (trace,) = traces(figure)
    return trace["y"], [start + size for start, size in zip(trace["base"], trace["x"], strict=True)]


def build_up(**changes: float) -> Figure:
    kg = {"tdp_only_kg": 100e3, "meter_kg": 150e3, "idle_kg": 20e3} | changes
    factors = [CarbonStep("Load", -10e3), CarbonStep("Servers", 60e3)]
    return build_up_figure(factors, making=[CarbonStep("Making", 30e3)], **kg)


def test_factors_lead_to_the_meter_and_on() -> None:
    figure = build_up()
    names, ends = bars(figure)
    assert names[0] == "Accelerator design power"
    assert ends == pytest.approx([100, 90, 150, 150, 180, 180, 200, 200])
    assert figure.eyebrow.endswith(", t")
    assert figure.takeaway == "The meter reads 1.50× what design power says; all in all 200\u202ft."
    assert {mark.label for mark in figure.legend} == {
        "Electricity",
        "Below design power",
        "Making of hardware",
        "Waiting",
    }


def test_unknown_carbon_is_said() -> None:
    assert build_up(meter_kg=math.nan).plot is None
    assert parts_figure([CarbonShare("Accelerators", "operational", math.nan)]).plot is None


def test_a_grid_without_carbon() -> None:
    figure = build_up_figure(
        [CarbonStep("Load", 0.0)],
        tdp_only_kg=0.0,
        meter_kg=0.0,
        making=[CarbonStep("Making", 5.0)],
        idle_kg=0.0,
    )
    assert figure.takeaway.startswith("A grid without carbon")
    assert bars(figure)[1][-1] == 5


def test_parts_add_up_to_all() -> None:
    figure = parts_figure(
        [CarbonShare("Power", "operational", 75.0), CarbonShare("Making", "embodied", 25.0)]
    )
    assert bars(figure)[1] == pytest.approx([75, 100, 100])
    assert figure.takeaway == "Power 75 %, the making of the machines 25 %."


def test_a_difference_may_pass_below_nought() -> None:
    lines = [Brought("Operations", -5e6), Brought("Hardware", 8e6)]
    figure = difference_figure(lines, first=1e6, second=4e6, **ENDS)
    names, ends = bars(figure)
    assert names == ["A", "Hardware", "Operations", "B"]  # largest first
    assert ends == pytest.approx([1, 9, 4, 4])
    turned = difference_figure(lines[:1], first=1e6, second=-4e6, **ENDS)
    low, high = layout(turned)["xaxis"]["range"]
    assert low < -4 < 1 < high


def test_many_small_ones_are_drawn_as_one() -> None:
    small = [Brought(f"part {place}", 0.1) for place in range(5)]
    figure = difference_figure([Brought("Site", 1e6), *small], first=0.0, second=1e6 + 0.5, **ENDS)
    assert bars(figure)[0] == ["A", "Site", "5 others", "B"]
    assert difference_figure([], first=1.0, second=1.0, **ENDS).plot is None


def test_scales() -> None:
    assert scale_of(5e7, "kg").unit == "kt"
    assert scale_of(9.9e3, "kg") == Scale(1.0, "kg")
    assert scale_of(-3e9, "USD").divisor == 1e9
    assert Scale(1e6, "M").signed(-22.04e6) == "−22.0"
    assert Scale(1.0, "").signed(0) == "0"
