"""Carbon of a run: from accelerator design power to the meter and on, and the parts that it is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts.economics.waterfall import Change, Level, Steps, waterfall_figure
from app.charts.figure import Figure, Kind, unknown_figure
from app.charts.format import TIMES, brief, rounded, show

BUILD_UP = "carbon_build_up"
PARTS = "carbon_parts"
UNKNOWN = "The carbon of the run is unknown: the grid's intensity or the power of the design is not known."
KINDS = {
    "power": Kind("Electricity", "c2"),
    "less": Kind("Below design power", "c7"),
    "making": Kind("Making of hardware", "c5"),
    "waiting": Kind("Waiting", "c4"),
}
BUILD_UP_CAPTION = (
    "Each step multiplies what stands before it: their factors stand in the table of factors. Model cards print the "
    "first bar; a meter reads the second in bold."
)
PARTS_CAPTION = (
    "Of one run, restarts included. Electricity by the grid's yearly mean; making by the run's share of life."
)


class CarbonStep(NamedTuple):
    """What a factor or a boundary adds."""

    title: str
    kg: float


class CarbonShare(NamedTuple):
    """One part of the run's carbon; `kind` is operational or embodied."""

    title: str
    kind: str
    kg: float


def build_up_figure(
    factors: Sequence[CarbonStep],
    *,
    tdp_only_kg: float,
    meter_kg: float,
    making: Sequence[CarbonStep],
    idle_kg: float,
) -> Figure:
    """From what a model card counts to all of it."""
    eyebrow = "Carbon of one run by boundary"
    known = (tdp_only_kg, meter_kg, idle_kg, *(step.kg for step in (*factors, *making)))
    if not all(math.isfinite(kg) for kg in known):
        return unknown_figure(BUILD_UP, eyebrow, BUILD_UP_CAPTION, UNKNOWN)
    steps: list[Level | Change] = [Level("Accelerator design power", tdp_only_kg, "c1")]
    steps += [Change(step.title, step.kg, "power" if step.kg >= 0 else "less") for step in factors]
    steps.append(Level("At the meter", meter_kg, "c1"))
    steps += [Change(step.title, step.kg, "making") for step in making]
    whole = meter_kg + sum(step.kg for step in making)
    steps.append(Level("With making", whole, "text-2"))
    steps += [Change("Waiting", idle_kg, "waiting"), Level("With waiting", whole + idle_kg, "text-2")]
    ratio = brief(meter_kg / tdp_only_kg) if tdp_only_kg else ""
    takeaway = (
        f"The meter reads {ratio}{TIMES} what design power says"
        if ratio
        else "A grid without carbon leaves the making of the hardware"
    )
    return waterfall_figure(
        steps,
        name=BUILD_UP,
        eyebrow=eyebrow,
        takeaway=f"{takeaway}; all in all {show(rounded(whole + idle_kg), 'kg').text}.",
        caption=BUILD_UP_CAPTION,
        unit="kg",
        kinds=KINDS,
        share_of=meter_kg,
    )


def parts_figure(parts: Sequence[CarbonShare], least_rows: int = 0) -> Figure:
    """The parts of a run, electricity first."""
    eyebrow = "Carbon of one run by source"
    if not parts or not all(math.isfinite(part.kg) for part in parts):
        return unknown_figure(PARTS, eyebrow, PARTS_CAPTION, UNKNOWN)
    total = sum(part.kg for part in parts)
    largest = max(parts, key=lambda part: part.kg)
    making = sum(part.kg for part in parts if part.kind == "embodied")
    steps: Steps = [
        *(Change(part.title, part.kg, "power" if part.kind == "operational" else "making") for part in parts),
        Level("All of it", total),
    ]
    share, made = (f"{100 * kg / total:.0f}" if total else "0" for kg in (largest.kg, making))
    return waterfall_figure(
        steps,
        name=PARTS,
        eyebrow=eyebrow,
        takeaway=f"{largest.title} {share} %, embodied carbon {made} %.",
        caption=PARTS_CAPTION,
        unit="kg",
        kinds=KINDS,
        share_of=total,
        least_rows=least_rows,
    )
