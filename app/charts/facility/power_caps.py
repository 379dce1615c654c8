"""Step time, energy and the peak over power caps, each against what it is without one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import NOT_PUBLISHED, THIN_SPACE, brief, number, one_prefix, rounded, share_text, show
from app.engine.facility.it.breakdown import CapPoint

NAME = "power_caps"
HEIGHT = 320
CAPTION = (
    "Against no cap, with the layout of the design. The clock falls by 0.3 of what the cap takes, faster below 80 % "
    "of TDP: an assumption. Memory and links are as fast as without."
)
UNKNOWN = "Step time or power is unknown."
SHOWN_CAP = 0.8


class Curve(NamedTuple):
    field: str
    label: str
    slot: str


def power_caps_figure(caps: Sequence[CapPoint], own_cap: float) -> Figure:
    """Lines in percent of what a design without a cap has; `own_cap` is the design's, not a number without one."""
    energy = "energy_j_per_step" if math.isnan(caps[0].energy_j_per_token) else "energy_j_per_token"
    per = "step" if energy == "energy_j_per_step" else "token"
    eyebrow = f"Step time and energy per {per} against power cap, % of no cap"
    if any(math.isnan(getattr(caps[0], name)) for name in ("step_time_s", "it_power_mean_w")):
        return unknown_figure(NAME, eyebrow, CAPTION, UNKNOWN)
    curves = (
        Curve("step_time_s", "Step time", "c1"),
        Curve(energy, f"Energy per {per}, at the meter", "c6"),
        Curve("utility_peak_w", "Peak at the meter", "c3"),
    )
    scale, unit = one_prefix([caps[0].utility_peak_w], "W")
    second, second_unit = one_prefix([caps[-1].step_time_s], "s")
    joule, joule_unit = one_prefix([getattr(caps[0], energy)], "J")
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(caps, energy, per),
        caption=CAPTION,
        **table(
            caps,
            (Column("Cap", "% of TDP"), lambda point: f"{100 * point.power_cap:.0f}"),
            (Column("Step time", second_unit), lambda point: _cell(point.step_time_s / second)),
            (Column(f"Energy per {per}", joule_unit), lambda point: _cell(getattr(point, energy) / joule)),
            (Column("IT power, mean", unit), lambda point: _cell(point.it_power_mean_w / scale)),
            (Column("Peak at the meter", unit), lambda point: _cell(point.utility_peak_w / scale)),
            total=lambda point: point.power_cap == own_cap,
        ),
        plot=_plot(caps, curves, own_cap),
        legend=tuple(Mark(curve.slot, curve.label) for curve in curves),
    )


def _cell(value: float) -> str:
    return NOT_PUBLISHED if math.isnan(value) else brief(value, 4)


def _takeaway(caps: Sequence[CapPoint], energy: str, per: str) -> str:
    free = caps[0]
    point = min(caps, key=lambda one: abs(one.power_cap - SHOWN_CAP))
    slower = share_text(point.step_time_s / free.step_time_s - 1, 1)
    change = getattr(point, energy) / getattr(free, energy) - 1
    less = f"{share_text(abs(change), 1)} {'less' if change <= 0 else 'more'} energy"
    peak = show(rounded(free.utility_peak_w - point.utility_peak_w), "W").text
    return (
        f"At {100 * point.power_cap:.0f}{THIN_SPACE}% of TDP a step takes {slower} longer, with {less} a {per}; "
        f"the site peaks {peak} lower."
    )


def _plot(caps: Sequence[CapPoint], curves: Sequence[Curve], own_cap: float) -> dict[str, Any]:
    x = [100 * point.power_cap for point in caps]
    shares = {
        curve: [100 * getattr(point, curve.field) / getattr(caps[0], curve.field) for point in caps]
        for curve in curves
    }
    ends = [100.0, *(share for line in shares.values() for share in line)]
    low, high = 20 * math.floor(min(ends) / 20), 20 * math.ceil(max(ends) / 20)
    return forms.plot(
        [
            forms.line(
                x, y, curve.slot, 2.5 if curve.slot == "c1" else 2, name=curve.label,
                hover=f"{curve.label}<br>%{{y:.0f}} % at a cap of %{{x:.0f}} %",
            )
            for curve, y in shares.items()
        ],
        HEIGHT,
        x=forms.values(range(30, 101, 10), number, [min(x) - 1, 101], unit="%", base=True, title="Power cap, of TDP"),
        y=forms.values(range(low, high + 1, 20 if high - low <= 120 else 40), number, [low, high * 1.01], unit="%"),
        shapes=[] if math.isnan(own_cap) else [forms.rule("accent", x=100 * own_cap, dash="dot")],
        top=16,
        right=16,
        hovermode="x",
    )  # fmt: skip
