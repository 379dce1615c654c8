"""Prefill and decode on the roofline of an accelerator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table
from app.charts.format import THIN_SPACE, brief, counted, show

NAME = "serving_roofline"
HEIGHT = 460
STYLES = {"decode": ("c1", "circle", "Decode"), "prefill": ("c2", "square", "Prefill")}
BATCH_WORDS = {"decode": "sequences", "prefill": "prompts in a pass"}
FEW_LABELS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RoofPoint:
    """`share` is of what the roofline allows there."""

    phase: str  # decode | prefill
    batch: float
    intensity: float
    flop_per_s: float
    share: float
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """Of one accelerator; the lower roof is that of 16 bit."""

    title: str
    peak_flop_per_s: float
    peak_16_bit_flop_per_s: float
    memory_bandwidth_bytes_per_s: float


def roofline_figure(roof: Roof, points: Sequence[RoofPoint], prefill: Roof | None = None) -> Figure:
    """Roof, and points joined from the smallest batch to the largest.

    `prefill` is the roof of what reads prompts, where that is another kind of accelerator.
    """
    phases = [phase for phase in STYLES if any(point.phase == phase for point in points)]
    return Figure(
        name=NAME,
        eyebrow=f"Roofline of {roof.title}" + (f" and, for prefill, {prefill.title}" if prefill else ""),
        takeaway=_takeaway(roof, points, prefill or roof),
        caption="Arithmetic of the model for each byte that an accelerator reads, and how much of it is done in a second. "
        "Slope: the memory bandwidth of the data sheet; flat: its dense peak at the format of the matrix products, "
        "below it that of 16 bit. Beside points: the batch.",
        **table(
            points,
            (Column.words("Phase"), lambda point: STYLES[point.phase][2]),
            (Column("Batch"), lambda point: counted(point.batch)),
            (Column("Intensity", "FLOP/B"), lambda point: brief(point.intensity)),
            (Column("Achieved"), lambda point: show(point.flop_per_s, "FLOP/s").text),
            (Column("Of the roof", "%"), lambda point: f"{100 * point.share:.1f}"),
            (Column.words("Bound by"), lambda point: point.bound),
            slot=lambda point: STYLES[point.phase][0],
        ),
        legend=tuple(
            Mark(STYLES[phase][0], f"{STYLES[phase][2]}, by {BATCH_WORDS[phase]}") for phase in phases
        ),
        plot=_plot(roof, points, phases, prefill),
        narrow={"xaxis.nticks": 3, "yaxis.nticks": 4},
    )


def _takeaway(roof: Roof, points: Sequence[RoofPoint], reading: Roof) -> str:
    ridge = roof.peak_flop_per_s / roof.memory_bandwidth_bytes_per_s
    said = []
    decode = [point for point in points if point.phase == "decode"]
    if decode:
        last = decode[-1]
        side = (
            "is bound by memory at every batch"
            if all(point.intensity < ridge for point in decode)
            else (
                "leaves the slope at a batch of "
                f"{counted(next(point.batch for point in decode if point.intensity >= ridge))}"
            )
        )
        said.append(f"Decode {side}: at {counted(last.batch)} sequences {brief(last.intensity)} FLOP/B")
    prefill = [point for point in points if point.phase == "prefill"]
    if prefill:
        best = max(prefill, key=lambda point: point.flop_per_s)
        share = best.flop_per_s / reading.peak_flop_per_s
        said.append(f"prefill reaches {100 * share:.0f}{THIN_SPACE}% of the peak")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}. The ridge is at {brief(ridge)} FLOP/B."


def _plot(
    roof: Roof, points: Sequence[RoofPoint], phases: Sequence[str], prefill: Roof | None
) -> dict[str, Any]:
    bandwidth = roof.memory_bandwidth_bytes_per_s
    ridge = roof.peak_flop_per_s / bandwidth
    intensities = [*(point.intensity for point in points), ridge]
    low, high = min(intensities) / 2, max(intensities) * 3
    peaks = [(roof, roof.peak_flop_per_s, "text-2", "solid", "")]
    if roof.peak_16_bit_flop_per_s < 0.99 * roof.peak_flop_per_s:
        peaks.append((roof, roof.peak_16_bit_flop_per_s, "text-3", "dot", f"16 bit{THIN_SPACE}"))
    if prefill is not None:
        peaks.append(
            (prefill, prefill.peak_flop_per_s, STYLES["prefill"][0], "solid", f"prefill{THIN_SPACE}")
        )
    highest = max(one.peak_flop_per_s for one, *_ in peaks)
    slope = math.sqrt(low * ridge)
    notes = [
        forms.note(
            math.log10(high), math.log10(peak), f"{words}{show(peak, 'FLOP/s').text}", slot,
            anchor="right bottom", ground="bg",
        )
        for _, peak, slot, _, words in peaks
    ]  # fmt: skip
    notes.append(
        forms.note(
            math.log10(slope), math.log10(slope * bandwidth), show(bandwidth, "B/s").text,
            anchor="right bottom", shift=(-4, 0),
        )
    )  # fmt: skip
    return forms.plot(
        [
            *(_roof(peak, one, low, high, slot, dash) for one, peak, slot, dash, _ in peaks),
            *(_points(phase, [one for one in points if one.phase == phase]) for phase in phases),
        ],
        HEIGHT,
        x=forms.log([low, high], "1", "Arithmetic intensity, FLOP/B"),
        y=forms.log(
            [*(point.flop_per_s for point in points), highest * 1.5], "FLOP/s", "Done by one accelerator"
        ),
        notes=notes,
        top=22,
        right=16,
    )


def _roof(peak: float, roof: Roof, low: float, high: float, slot: str, dash: str) -> dict[str, Any]:
    bandwidth = roof.memory_bandwidth_bytes_per_s
    ridge = peak / bandwidth
    x = [low, ridge, high] if ridge > low else [low, high]
    return forms.line(x, [min(peak, at * bandwidth) for at in x], slot, 1.8, dash)


def _is_labelled(place: int, count: int, every: int) -> bool:
    """Every so many, and the last; not one that is close to the last."""
    last = count - 1
    return place == last or (place % every == 0 and last - place >= every)


def _points(phase: str, points: Sequence[RoofPoint]) -> dict[str, Any]:
    slot, symbol, name = STYLES[phase]
    every = max(math.ceil(len(points) / FEW_LABELS), 1)
    return forms.line(
        [point.intensity for point in points], [point.flop_per_s for point in points], slot, 1.8,
        "solid" if phase == "decode" else "dash", size=8, symbol=symbol, name=name, place="bottom right", text_slot="text-2",
        text=[
            counted(point.batch) if _is_labelled(place, len(points), every) else "" for place, point in enumerate(points)
        ],
        said=[
            [f"{name}, {counted(point.batch)} {BATCH_WORDS[phase]}", f"{100 * point.share:.0f}{THIN_SPACE}% of the roof",
             f"{brief(point.intensity)} FLOP/B, {show(point.flop_per_s, 'FLOP/s').text}"]
            for point in points
        ],
        hover="%{customdata[0]}<br>%{customdata[2]}<br>%{customdata[1]}",
    )  # fmt: skip
