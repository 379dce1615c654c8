"""Components, caps and swings: what Plotly accepts, what they say, and what is unknown."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.charts.facility.it_parts import it_parts_figure
from app.charts.facility.power_caps import power_caps_figure
from app.charts.facility.power_swing import power_swing_figure
from app.charts.figure import Figure
from app.engine.facility.it.lines import CapPoint, ItTotals, PartLine
from app.engine.facility.it.transients import swing_trace, transients
from tests.charts.support import layout, traces
from tests.engine.facility.cases import defaults, evaluate, facility_at, steady
from tests.support import dgx_h100, number

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


def test_bars_stand_for_all_of_the_power(drawn: tuple[Figure, ...]) -> None:
    figure = drawn[0]
    stacks = np.sum([bar["x"] for bar in traces(figure)], axis=0)
    assert stacks == pytest.approx([2, 7, 8, 10])
    assert "7.00" in figure.takeaway
    assert "71" in figure.takeaway
    assert figure.rows[1].cells[1:] == ("not published",) * 4


def test_caps_are_told_against_none(drawn: tuple[Figure, ...]) -> None:
    assert "11.8" in drawn[1].takeaway
    assert "10.6" in drawn[1].takeaway
    assert traces(drawn[1])[0]["y"][0] == 100
    assert not layout(drawn[1])["shapes"]
    assert layout(drawn[2])["shapes"][0]["x0"] == 80
    assert "energy per step" in drawn[2].eyebrow.lower()


def test_the_feed_follows_the_racks(drawn: tuple[Figure, ...]) -> None:
    racks, feed = (np.array(line["y"]) for line in traces(drawn[3]))
    assert feed[0] == racks[0]
    assert feed[-1] == pytest.approx(racks[-1])
    assert "kWh" in drawn[3].takeaway


def test_unknown_power_is_said_in_place_of_a_plot() -> None:
    unknown = ItTotals(idle_w=NAN, mean_w=NAN, peak_w=NAN, design_w=NAN)
    assert it_parts_figure(PARTS, unknown).plot is None
    assert power_caps_figure((point(1.0, it_power_mean_w=NAN),), NAN).plot is None


def test_every_figure_is_drawn(drawn: tuple[Figure, ...]) -> None:
    assert all(figure.plot for figure in drawn)
