"""Memory of one accelerator by part, against the sequences that an instance holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import THIN_SPACE, counted
from app.charts.serving.latency_curve import NamedLoad, upright_lines

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
        eyebrow="Memory per accelerator vs batch",
        takeaway=_takeaway(points, room),
        caption="Decimal gigabytes of the fullest stage of a decode instance; sequences as long as they are on average.",
        columns=(
            Column("Sequences"),
            *(Column(PARTS[name][0], "GB") for name in parts),
            Column("Total", "GB"),
            Column.words("Fits"),
        ),
        rows=tuple(
            Row(
                (
                    counted(point.batch),
                    *(f"{point.parts_bytes.get(name, 0.0) / GB:.2f}" for name in parts),
                    f"{point.memory_bytes / GB:.2f}",
                    "yes" if point.memory_bytes <= room.usable_bytes else "no",
                )
            )
            for point in points
        ),
        legend=tuple(Mark(PARTS[name][1], PARTS[name][0]) for name in parts),
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
    named = [NamedLoad(label=f"{counted(room.batch)} now", at=room.batch, slot="text")]
    if room.batch_limit >= 1:
        words = f"{counted(room.batch_limit)} fit"
        named.append(NamedLoad(label=words, at=room.batch_limit, slot="bad", dash="dash"))
    usable, fitted = room.usable_bytes / GB, room.fitted_bytes / GB
    across = forms.look(at=0.3, anchor="left bottom")
    return forms.plot(
        [_part(name, points, batches) for name in parts],
        HEIGHT,
        x=forms.from_zero(max(batches), title="Sequences per instance"),
        y=forms.from_zero(end, "GB", words=forms.plain),
        limits=[
            *upright_lines(named, [0.0, max(batches)], log=False, top=0.2),
            forms.limit(f"{usable:,.0f}{THIN_SPACE}GB engine's share", y=usable, **across),
            forms.limit(f"{fitted:,.0f}{THIN_SPACE}GB fitted", y=fitted, slot="text-3", **across),
        ],
        top=22,
        right=16,
    )


def _part(name: str, points: Sequence[BatchMemory], batches: list[float]) -> dict[str, Any]:
    label, slot = PARTS[name]
    hover = f"{label}<br>%{{customdata}} sequences<br>%{{y:,.2f}}{THIN_SPACE}GB"
    area = forms.look(stackgroup="memory", fillcolor=forms.token(slot))
    sizes = [point.parts_bytes.get(name, 0.0) / GB for point in points]
    return forms.line(
        batches, sizes, "bg", 1, name=label, said=[counted(one) for one in batches], hover=hover, **area
    )
