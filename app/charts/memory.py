"""What fills the memory of one accelerator, against what is fitted."""

from __future__ import annotations

from typing import Any

from app.charts.figure import (
    Column,
    Figure,
    Row,
    at,
    layout,
    name_axis,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, number, show
from app.charts.workload_kind import is_generic, is_serving

EYEBROW = "Memory per accelerator, fullest pipeline stage"
GENERIC_EYEBROW = "Memory per accelerator"
GENERIC_CAPTION = "Decimal gigabytes; the dashed line is the memory fitted."
CAPTION = "Decimal gigabytes of the fullest stage at its peak; the dashed line is the memory fitted."
HEIGHT = 320
BREAKDOWN = "performance.memory_breakdown_bytes"
TOTAL = "performance.memory_per_accelerator_bytes"
LABELS = {"optimizer": "Optimiser", "optimizer_states": "Optimiser", "kv_cache": "KV cache"}


def memory_figure(evaluation: dict[str, Any]) -> Figure:
    """Floating bars that add up to the memory used."""
    parts = at(evaluation, BREAKDOWN)
    total = at(evaluation, TOTAL)
    generic = is_generic(evaluation) or is_serving(evaluation)
    eyebrow, caption = (GENERIC_EYEBROW, GENERIC_CAPTION) if generic else (EYEBROW, CAPTION)
    if not isinstance(parts, dict) or not total or any(value is None for value in parts.values()):
        return unknown_figure("memory", eyebrow, caption, "The memory in use is unknown.")
    fitted = at(evaluation, "inputs.accelerator.memory_bytes")
    named = [(_label(name), value, f"{BREAKDOWN}.{name}") for name, value in parts.items()]
    return Figure(
        name="memory",
        eyebrow=eyebrow,
        takeaway=_takeaway(named, total, fitted),
        caption=caption,
        height=HEIGHT,
        columns=(Column(name="Part", numeric=False), Column(name="Memory", unit="GB"),
                 Column(name="Share", unit="%")),
        rows=(
            *(
                Row(cells=(label, f"{value / 1e9:.2f}", f"{100 * value / total:.1f}"), path=path)
                for label, value, path in named
            ),
            Row(cells=("Total", f"{total / 1e9:.2f}", "100.0"), path=TOTAL, total=True),
        ),
        plot=_plot([(label, value / 1e9) for label, value, _ in named if value > 0], total / 1e9,
                   fitted / 1e9 if fitted else None),
    )  # fmt: skip


def _label(name: str) -> str:
    return LABELS.get(name, name.removesuffix("_bytes").replace("_", " ").capitalize())


def _takeaway(named: list[tuple[str, float, str]], total: float, fitted: float | None) -> str:
    largest, value, _ = max(named, key=lambda part: part[1])
    share = f"{largest} take{'' if largest.endswith('s') else 's'} {value / total:.0%}".replace(
        "%", f"{THIN_SPACE}%"
    )
    if not fitted:
        return f"{show(total, 'B').text} is used. {share} of it."
    used = f"{total / 1e9:.1f} of {number(round(fitted / 1e9, 1))}{THIN_SPACE}GB"
    if total > fitted:
        return f"{show(total - fitted, 'B').text} too much: {used}. {share} of it."
    return f"{used} is used. {share} of it."


def _plot(parts: list[tuple[str, float]], total: float, fitted: float | None) -> dict[str, Any]:
    names = [*(label for label, _ in parts), "Total"]
    starts = [sum(value for _, value in parts[:position]) for position in range(len(parts))]
    end = max(total, fitted or 0.0) * 1.06
    labels = [f"{value:.1f}" for _, value in parts]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": names[:-1],
        "x": [value for _, value in parts],
        "base": starts,
        "width": 0.55,
        "marker": {"color": token("c1")},
        "text": labels,
        "textposition": "none",
        "hovertemplate": f"%{{y}}<br>%{{text}}{THIN_SPACE}GB<extra></extra>",
    }
    roomy = total > end / 4  # else the label of the total stands beside its bar
    whole = {
        "type": "bar",
        "orientation": "h",
        "y": ["Total"],
        "x": [total],
        "width": 0.55,
        "marker": {"color": token("text-2")},
        "text": [f"<b>{total:.1f}{THIN_SPACE}GB</b>"],
        "textposition": "inside" if roomy else "outside",
        "insidetextanchor": "end",
        "textangle": 0,
        "constraintext": "none",
        "textfont": {"size": 12, "color": token("bg" if roomy else "text")},
        "hovertemplate": f"Total<br>{total:.1f}{THIN_SPACE}GB<extra></extra>",
    }
    annotations = [
        {"x": start + value, "y": label, "text": text, "xanchor": "left", "xshift": 4, "showarrow": False,
         "bgcolor": token("bg"), "borderpad": 1, "font": {"size": 12, "color": token("text-2")}}
        for (label, value), start, text in zip(parts, starts, labels, strict=True)
    ]  # fmt: skip
    shapes = []
    if fitted:
        shapes.append(
            {"type": "line", "x0": fitted, "x1": fitted, "yref": "paper", "y0": 0, "y1": 1,
             "line": {"color": token("bad"), "width": 2, "dash": "dash"}}
        )  # fmt: skip
        annotations.append(
            {"x": fitted, "yref": "paper", "y": 1, "yanchor": "bottom", "xanchor": "right", "xshift": 4,
             "showarrow": False, "text": f"{number(round(fitted, 1))}{THIN_SPACE}GB fitted",
             "font": {"size": 12, "color": token("bad")}}
        )  # fmt: skip
    ticks = round_ticks(end)
    tick_labels = [f"{tick:g}" for tick in ticks]
    tick_labels[-1] += f"{THIN_SPACE}GB"
    return {
        "data": [bars, whole],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 22, "b": 8},
            xaxis=value_axis(ticks, tick_labels, [0, end]),
            yaxis=name_axis(names),
            shapes=shapes,
            annotations=annotations,
        ),
    }
