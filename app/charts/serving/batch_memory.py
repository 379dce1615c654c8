"""Memory of one accelerator by part, against the sequences that an instance holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, layout, round_ticks, token, value_axis
from app.charts.format import THIN_SPACE, counted, number
from app.charts.serving.named_loads import NamedLoad, upright_lines

NAME = "batch_memory"
HEIGHT = 360
GB = 1e9
PARTS = {
    "weights": ("Weights", "c1"),
    "kv_cache": ("Keys and values", "c6"),
    "activations": ("Activations", "c3"),
    "buffers": ("Buffers of the exchange", "c2"),
    "logits": ("Logits", "c5"),
    "reserved": ("Reserved", "c7"),
    "adapters": ("LoRA adapters", "c4"),
    "encoder": ("Encoder", "c4"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchMemory:
    batch: float
    memory_bytes: float
    parts_bytes: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRoom:
    """What the engine takes of the memory, what is fitted, how many sequences fit, and how many there are."""

    usable_bytes: float
    fitted_bytes: float
    batch_limit: float
    batch: float


def batch_memory_figure(points: Sequence[BatchMemory], room: MemoryRoom) -> Figure:
    """Parts stacked over the batch, with what there is dashed across."""
    parts = [name for name in PARTS if any(point.parts_bytes.get(name, 0.0) > 0 for point in points)]
    return Figure(
        name=NAME,
        eyebrow="Memory of an accelerator against batch",
        takeaway=_takeaway(points, room),
        caption="Decimal gigabytes of the fullest stage of a decode instance; sequences as long as they are on average.",
        height=HEIGHT,
        columns=(
            Column(name="Sequences"),
            *(Column(name=PARTS[name][0], unit="GB") for name in parts),
            Column(name="Together", unit="GB"),
            Column(name="Fits", numeric=False),
        ),
        rows=tuple(
            Row(
                cells=(
                    counted(point.batch),
                    *(f"{point.parts_bytes.get(name, 0.0) / GB:.2f}" for name in parts),
                    f"{point.memory_bytes / GB:.2f}",
                    "yes" if point.memory_bytes <= room.usable_bytes else "no",
                )
            )
            for point in points
        ),
        legend=tuple(Mark(slot=PARTS[name][1], label=PARTS[name][0]) for name in parts),
        plot=_plot(points, parts, room),
        narrow={"xaxis.nticks": 3},
    )


def _takeaway(points: Sequence[BatchMemory], room: MemoryRoom) -> str:
    if room.batch_limit < 1:
        least = points[0].memory_bytes
        return (
            f"Not one sequence fits: {least / GB:,.1f}{THIN_SPACE}GB are taken before the first, and "
            f"{room.usable_bytes / GB:,.1f}{THIN_SPACE}GB are there."
        )
    return (
        f"{counted(room.batch_limit)} sequences fit into {room.usable_bytes / GB:,.1f}{THIN_SPACE}GB; "
        f"{counted(room.batch)} are decoded at once."
    )


def _plot(points: Sequence[BatchMemory], parts: Sequence[str], room: MemoryRoom) -> dict[str, Any]:
    batches = [point.batch for point in points]
    end = max(*(point.memory_bytes for point in points), room.fitted_bytes) / GB * 1.05
    ticks = round_ticks(end)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}GB"
    extent = [0.0, max(batches)]
    named = [NamedLoad(label=f"{counted(room.batch)} now", at=room.batch, slot="text")]
    if room.batch_limit >= 1:
        named.append(
            NamedLoad(label=f"{counted(room.batch_limit)} fit", at=room.batch_limit, slot="bad", dash="dash")
        )
    lines = upright_lines(named, extent, log=False, top=0.2)
    for value, slot, text in (
        (room.usable_bytes / GB, "bad", "engine's share"),
        (room.fitted_bytes / GB, "text-3", "fitted"),
    ):
        lines["shapes"].append(
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value,
             "line": {"color": token(slot), "width": 1.5, "dash": "dash"}}
        )  # fmt: skip
        lines["annotations"].append(
            {"xref": "paper", "x": 0.3, "y": value, "xanchor": "left", "yanchor": "bottom", "showarrow": False,
             "text": f"{value:,.0f}{THIN_SPACE}GB {text}", "font": {"size": 12, "color": token(slot)}}
        )  # fmt: skip
    batch_ticks = round_ticks(extent[1])
    return {
        "data": [_part(name, points, batches) for name in parts],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 22, "b": 8},
            xaxis=value_axis(
                batch_ticks,
                [number(tick) for tick in batch_ticks],
                extent,
                title={"text": "Sequences that an instance holds", "standoff": 8,
                       "font": {"size": 12, "color": token("text-3")}},
            ),
            yaxis=value_axis(ticks, labels, [0, end]),
            **lines,
        ),
    }  # fmt: skip


def _part(name: str, points: Sequence[BatchMemory], batches: list[float]) -> dict[str, Any]:
    label, slot = PARTS[name]
    return {
        "type": "scatter",
        "mode": "lines",
        "stackgroup": "memory",
        "name": label,
        "x": batches,
        "y": [point.parts_bytes.get(name, 0.0) / GB for point in points],
        "line": {"color": token("bg"), "width": 1},
        "fillcolor": token(slot),
        "customdata": [counted(batch) for batch in batches],
        "hovertemplate": f"{label}<br>%{{customdata}} sequences<br>%{{y:,.2f}}{THIN_SPACE}GB<extra></extra>",
    }
