"""Components, caps and swings: what Plotly accepts, what they say, and what is unknown."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts.facility.it_parts import it_parts_figure
from app.charts.facility.power_caps import power_caps_figure
from app.charts.facility.power_swing import power_swing_figure
from app.charts.figure import Figure
from app.engine.facility.it.lines import CapPoint, ItTotals, PartLine
from app.engine.facility.it.transients import swing_trace, transients
from tests.engine.facility.cases import defaults, evaluate, facility_at, steady
from tests.support import dgx_h100, number

TOKENS = Path(__file__).resolve().parents[3] / "static" / "css" / "tokens.css"
NAN = float("nan")
TOTALS = ItTotals(idle_w=2e6, mean_w=7e6, peak_w=8e6, design_w=10e6)
PARTS = (
    PartLine(key="accelerators", label="Accelerators", idle_w=0.5e6, mean_w=5e6, peak_w=6e6, design_w=6e6,
             basis="TDP", source="a"),
    PartLine(key="drives", label="Drives", idle_w=NAN, mean_w=NAN, peak_w=NAN, design_w=NAN,
             basis="not told apart", source="b"),
    PartLine(key="other", label="Other in the SuperNodes", idle_w=1.5e6, mean_w=2e6, peak_w=2e6, design_w=4e6,
             basis="remainder", source="c"),
)  # fmt: skip


def point(cap: float, **changes: float) -> CapPoint:
    values = {
        "step_time_s": 6 / cap**0.5, "it_power_mean_w": 7e6 * cap, "utility_peak_w": 9e6 * cap,
        "energy_j_per_step": 4e7 * cap**0.5, "energy_j_per_token": 7 * cap**0.5,
    }  # fmt: skip
    return CapPoint(power_cap=cap, **(values | changes))


CAPS = tuple(point(cap) for cap in (1.0, 0.8, 0.5))


def swing(cap: float | None = None) -> Figure:
    node = dgx_h100()
    chip = dataclasses.replace(node.accelerator, power_cap=None if cap is None else number(cap))
    facility = facility_at(steady(dry_bulb_c=15, wet_bulb_c=10))
    power = evaluate(facility=facility, supernode=dataclasses.replace(node, accelerator=chip))[0]
    found = transients(
        power=power, step_time_s=number(5), ramp_limit_w_per_s=number(1e4), assumptions=defaults()
    )
    return power_swing_figure(found, swing_trace(found))


@pytest.fixture(scope="module")
def drawn() -> tuple[Figure, ...]:
    return (
        it_parts_figure(PARTS, TOTALS),
        power_caps_figure(CAPS, NAN),
        power_caps_figure(tuple(point(cap, energy_j_per_token=NAN) for cap in (1.0, 0.8)), 0.8),
        swing(),
    )


def test_plotly_accepts_every_figure(drawn: tuple[Figure, ...]) -> None:
    defined = set(re.findall(r"(--[\w-]+):", TOKENS.read_text(encoding="utf-8")))
    for figure in drawn:
        assert figure.takeaway.endswith("."), figure.name
        assert all(len(row.cells) == len(figure.columns) for row in figure.rows), figure.name
        go.Figure(figure.plot)
        text = json.dumps(figure.plot, allow_nan=False)
        assert set(re.findall(r"var\((--[\w-]+)\)", text)) <= defined, figure.name


def test_bars_stand_for_all_of_the_power(drawn: tuple[Figure, ...]) -> None:
    figure = drawn[0]
    assert figure.plot is not None
    stacks = np.sum([bar["x"] for bar in figure.plot["data"]], axis=0)
    assert stacks == pytest.approx([2, 7, 8, 10])
    assert "7.00" in figure.takeaway
    assert "71" in figure.takeaway
    assert figure.rows[1].cells[1:] == ("not published",) * 4


def test_caps_are_told_against_none(drawn: tuple[Figure, ...]) -> None:
    assert "11.8" in drawn[1].takeaway
    assert "10.6" in drawn[1].takeaway
    assert drawn[1].plot is not None
    assert drawn[2].plot is not None
    assert drawn[1].plot["data"][0]["y"][0] == 100
    assert not drawn[1].plot["layout"]["shapes"]
    assert drawn[2].plot["layout"]["shapes"][0]["x0"] == 80
    assert "energy per step" in drawn[2].eyebrow.lower()


def test_the_feed_follows_the_racks(drawn: tuple[Figure, ...]) -> None:
    assert drawn[3].plot is not None
    racks, feed = (np.array(line["y"]) for line in drawn[3].plot["data"])
    assert feed[0] == racks[0]
    assert feed[-1] == pytest.approx(racks[-1])
    assert "kWh" in drawn[3].takeaway


def test_unknown_power_is_said_in_place_of_a_plot() -> None:
    unknown = ItTotals(idle_w=NAN, mean_w=NAN, peak_w=NAN, design_w=NAN)
    assert it_parts_figure(PARTS, unknown).plot is None
    assert power_caps_figure((point(1.0, it_power_mean_w=NAN),), NAN).plot is None
