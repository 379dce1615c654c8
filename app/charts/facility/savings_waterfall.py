"""From the baseline's energy to what the grid still gives, step by step, as a waterfall.

Energy that is saved and grid energy that clean plants take the place of are two things: the steps lead to
the energy at the meter, and only then to the grid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import MINUS, THIN_SPACE, Shown, brief, number
from app.charts.forms import Step

NAME = "savings"
ROW_HEIGHT = 30
ENERGY_UNITS = ((1e6, "GWh"), (1e3, "MWh"), (1.0, "kWh"))
CAPTION = (
    "Of one run, restarts included. Each step saves of what the steps before it have left. The dashed line is half "
    "of the baseline."
)
UNKNOWN = "The savings of the steps are unknown."
KINDS = {
    "end": ("State", "text-2"),
    "saved": ("Energy saved", "c1"),
    "added": ("Energy added", "c4"),
    "displaced": ("Grid energy displaced", "c3"),
}


class Drop(NamedTuple):
    """A step: what it takes off the energy at the meter; less than nothing where it adds."""

    title: str
    saved_kwh: float


class Bar(NamedTuple):
    title: str
    kind: str  # of KINDS
    start: float
    size: float  # down from the start where positive


def energy_shown(kwh: float) -> Shown:
    """Energy in the unit that people use for so much of it.

    >>> energy_shown(36_642_161).text.replace(THIN_SPACE, " "), energy_shown(-1500).value
    ('36.6 GWh', '−1.50')
    """
    if math.isnan(kwh):
        return Shown("unknown")
    divisor, unit = energy_scale(abs(kwh))
    return Shown(brief(kwh / divisor), unit)


def energy_scale(kwh: float) -> tuple[float, str]:
    """The divisor and unit for energies up to so much."""
    return next((pair for pair in ENERGY_UNITS if kwh >= pair[0]), ENERGY_UNITS[-1])


def savings_figure(
    drops: Sequence[Drop], *, baseline_kwh: float, energy_kwh: float, grid_kwh: float
) -> Figure:
    """Horizontal waterfall; `energy_kwh` is the meter's after all steps, `grid_kwh` what of it the grid gives."""
    eyebrow = "Energy per run"
    if any(math.isnan(value) for value in (baseline_kwh, energy_kwh, grid_kwh)):
        return unknown_figure(NAME, eyebrow, CAPTION, UNKNOWN)
    divisor, unit = energy_scale(baseline_kwh)
    bars = _bars(drops, baseline_kwh / divisor, energy_kwh / divisor, grid_kwh / divisor, divisor)
    baseline = baseline_kwh / divisor
    steps = [_step(bar, baseline, unit) for bar in bars]
    kinds = [KINDS[kind] for kind in KINDS if kind != "end" and any(bar.kind == kind for bar in bars)]
    half = forms.rule("control", x=baseline / 2, width=1, dash="dash")
    return Figure(
        name=NAME,
        eyebrow=f"{eyebrow}, {unit}",
        takeaway=_takeaway(baseline_kwh, energy_kwh, grid_kwh),
        caption=CAPTION,
        columns=(
            Column.words("Step"),
            Column.words("Kind"),
            Column("Energy", unit),
            Column("Of the baseline", "%"),
        ),
        rows=tuple(_row(bar, baseline) for bar in bars),
        legend=tuple(Mark(slot, label) for label, slot in kinds),
        plot=forms.waterfall(steps, unit, 48 + ROW_HEIGHT * len(bars), shapes=[half]),
        narrow=forms.narrow_waterfall(steps, unit),
    )


def _bars(drops: Sequence[Drop], baseline: float, energy: float, grid: float, divisor: float) -> list[Bar]:
    bars = [Bar("Baseline", "end", 0.0, baseline)]
    level = baseline
    for drop in drops:
        size = drop.saved_kwh / divisor
        bars.append(Bar(drop.title, "saved" if size >= 0 else "added", level, size))
        level -= size
    bars.append(Bar("At the meter", "end", 0.0, energy))
    if grid != energy:
        bars += [
            Bar("Clean energy", "displaced", energy, energy - grid),
            Bar("From the grid", "end", 0.0, grid),
        ]
    return bars


def _takeaway(baseline: float, energy: float, grid: float) -> str:
    text = f"{_percent(1 - energy / baseline)} of the energy is saved"
    if grid != energy:
        text += f"; with clean energy {_percent(1 - grid / baseline)} less comes from the grid"
    return f"{text}."


def _percent(share: float) -> str:
    return f"{MINUS if share < -5e-4 else ''}{abs(100 * share):.1f}{THIN_SPACE}%"


def _row(bar: Bar, baseline: float) -> Row:
    label, slot = KINDS[bar.kind]
    size = bar.size if bar.kind == "end" else -bar.size
    return Row(
        (bar.title, label, number(size), f"{100 * size / baseline:.1f}".replace("-", MINUS)),
        slot=slot if bar.kind != "end" else "",
        total=bar.kind == "end",
    )


def _label(bar: Bar, baseline: float) -> str:
    if bar.kind == "end":
        return number(bar.size)
    share = bar.size / baseline
    sign = "+" if share < 0 else MINUS
    return f"{sign}{abs(100 * share):.1f}{THIN_SPACE}%" if abs(share) >= 5e-5 else "0"


def _step(bar: Bar, baseline: float, unit: str) -> Step:
    total = bar.kind == "end"
    end = bar.size if total else bar.start - bar.size
    label, slot = KINDS[bar.kind]
    said = f"{number(abs(bar.size))}{THIN_SPACE}{unit}, {label}"
    return Step(bar.title, bar.start, end, slot, _label(bar, baseline), said, total)
