"""The ladder of bandwidths an accelerator sees, from its own memory out to storage."""

from __future__ import annotations

import math
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import THIN_SPACE, less, show
from app.charts.workload_kind import is_serving

EYEBROW = "Bandwidth per accelerator, one way"
CAPTION = "Line rates, not achieved rates. Storage is the whole system's rate shared by all accelerators."
HEIGHT = 320


def bandwidth_figure(evaluation: dict[str, Any]) -> Figure:
    """Log dots on stems with the gap between each rung and the one above it."""
    rungs = _rungs(evaluation)
    known = [(name, value) for name, value, _ in rungs if value]
    if len(known) < 2:
        return unknown_figure("bandwidth", EYEBROW, CAPTION, "The bandwidths are not published.")
    return Figure(
        name="bandwidth",
        eyebrow=EYEBROW,
        takeaway=_takeaway(dict(known)),
        caption=CAPTION,
        columns=(Column.words("Rung"), Column("Bandwidth"), Column("Gap to the rung above")),
        rows=_rows(rungs),
        plot=_plot(rungs),
        narrow={"margin.r": 62, **_narrow_axis(rungs)},
    )


def _rungs(evaluation: dict[str, Any]) -> list[tuple[str, float | None, str]]:
    """Name, value and place of every rung that this design has."""
    inputs = evaluation.get("inputs", {})
    used = get_path(inputs, "pod.accelerators_used")
    rungs = [
        ("HBM", get_path(inputs, "accelerator.memory_bandwidth_bytes_per_s"), ""),
        (
            "Scale-up",
            get_path(evaluation, "fabric.scale_up_bandwidth_bytes_per_s"),
            "fabric.scale_up_bandwidth_bytes_per_s",
        ),
        (
            "Scale-out",
            get_path(evaluation, "fabric.scale_out_bandwidth_bytes_per_s"),
            "fabric.scale_out_bandwidth_bytes_per_s",
        ),
    ]
    if get_path(evaluation, "fabric.topology") == "none":
        rungs.pop()
    written = () if is_serving(evaluation) else (("Checkpoint", "write"),)
    for name, kind in (("Storage read", "read"), *written):
        path = f"reliability.storage_{kind}_bandwidth_bytes_per_s"
        whole = get_path(evaluation, path)
        rungs.append((name, whole / used if whole and used else None, path))
    return rungs


def _rows(rungs: list[tuple[str, float | None, str]]) -> tuple[Row, ...]:
    rows = []
    above: float | None = None
    for name, value, path in rungs:
        gap = _gap(above, value) if above and value else "n/a"
        rows.append(Row((name, show(value, "B/s").text, gap), path=path))
        above = value
    return tuple(rows)


def _gap(above: float, below: float) -> str:
    if below > above:
        return less(below / above).replace("less", "more")
    return "the same" if below == above else less(above / below)


def _takeaway(known: dict[str, float]) -> str:
    up, out = known.get("Scale-up"), known.get("Scale-out")
    if up and out and up > out:
        return f"Leaving the SuperNode costs a factor of {up / out:.1f}."
    if up and out:
        return "Leaving the SuperNode costs no bandwidth."
    names = list(known)
    if "HBM" in known and up:
        return f"Leaving the accelerator's own memory costs a factor of {known['HBM'] / up:.1f}."
    return (
        f"{names[0]} is {known[names[0]] / known[names[-1]]:.3g} times {names[-1][0].lower()}{names[-1][1:]}."
    )


def _plot(rungs: list[tuple[str, float | None, str]]) -> dict[str, Any]:
    low, high = _extent([value for _, value, _ in rungs if value])
    data, notes = [], []
    above: tuple[int, float] | None = None
    for place, (name, value, _) in enumerate(rungs):
        if not value:
            above = None
            notes.append(forms.note(low, place, "not published", "text-3", anchor="left", shift=(8, 0)))
            continue
        label = show(value, "B/s").text
        dot = forms.look(text=[f"  <b>{label}</b>"], place="middle right", cliponaxis=False)
        data.append(forms.line([10.0**low, value], [place, place], "c1-tint", 4))
        data.append(forms.dots([value], [place], "c1", 10, hover=f"{name}<br>{label}", **dot))
        if above:
            gap = _gap(above[1], value)
            words, slot = (f"<b>{gap}</b>", "bad") if name == "Scale-out" else (gap, "text-3")
            between = (above[0] + place) / 2
            notes.append(forms.note(1, between, words, slot, anchor="right", shift=(64, 0), xref="paper"))
        above = (place, value)
    return forms.plot(
        data,
        HEIGHT,
        x=forms.values(_decades(low, high, most=6), _tick, [low, high], type="log"),
        y=forms.rows([name.replace(" ", THIN_SPACE) for name, _, _ in rungs]),
        notes=notes,
        right=72,
    )


def _extent(values: list[float]) -> tuple[int, float]:
    """Decades from below the lowest to just above the highest rung."""
    return math.floor(math.log10(min(values)) - 0.3), math.log10(max(values)) + 0.15


def _decades(low: int, high: float, *, most: int) -> list[float]:
    """Round ticks, every second or third decade where they are many."""
    decades = range(low, math.floor(high) + 1)
    return [10.0**decade for decade in decades[:: math.ceil(len(decades) / most)]]


def _narrow_axis(rungs: list[tuple[str, float | None, str]]) -> dict[str, Any]:
    """On small screens: fewer ticks, and room for the longest label."""
    low, high = _extent([value for _, value, _ in rungs if value])
    ticks = _decades(low, high, most=3)
    return {
        "xaxis.range": [low, high + 0.3],
        "xaxis.tickvals": ticks,
        "xaxis.ticktext": [_tick(tick) for tick in ticks],
    }


def _tick(value: float) -> str:
    return show(value, "B/s").text.replace(".00", "").replace(".0", "")
