"""When every pipeline stage computes, waits and sends in one training step."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Kind, Mark, Row
from app.charts.format import THIN_SPACE, number, one_prefix, percent, show, signed_percent

NAME = "step_timeline"
EYEBROW = "Pipeline stages in one simulated step"
MOST_DRAWN = 6_000
"""Operations that a browser draws in half a second."""
ROW, LEAST_ROW, MOST_HEIGHT, LEAST_HEIGHT, AXIS = 26, 14, 620, 150, 44
TALL, PAIR_TALL, WAITING_WIDTH = 0.72, 0.34, 5
LENGTH = 0.98  # of an operation that its bar has, so that bars are distinguished once they are wide enough
TWO_WAYS = "DualPipe"
"""Its chunks are whole stages, one a direction."""
DIGITS = 7


KINDS = {
    "forward": Kind("Forward", "c1"),
    "input_gradient": Kind("Input gradient", "c3"),
    "weight_gradient": Kind("Weight gradient", "c6"),
    "backward": Kind("Both gradients", "c3"),
}
PARTS = {
    "forward_s": "Forward",
    "input_gradient_s": "Input gradient",
    "weight_gradient_s": "Weight gradient",
    "backward_s": "Backward",
    "paired_s": "Forward overlapped with backward",
}
"""Columns of the table; those that a schedule does not have are left out."""
WAITING = Kind("Waiting", "c4")
SENDING = Kind("Sending", "c2")


class Operation(NamedTuple):
    stage: int
    chunk: int
    micro_batch: int
    kind: str
    start_s: float
    end_s: float
    paired: bool
    sends: bool


def step_timeline_figure(view: dict[str, Any]) -> Figure:
    """A row a stage; forward and backward passes that run as one share its height."""
    columns = view["operations"]
    operations = [
        Operation(*values) for values in zip(*(columns[name] for name in Operation._fields), strict=True)
    ]
    scale, unit = one_prefix([view["simulated_s"]], "s")
    parts = [part for part in PARTS if any(stage[part] > 0 for stage in view["by_stage"])]
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(view),
        caption=_caption(view),
        columns=(
            Column("Stage"),
            Column("Layers"),
            *(Column(PARTS[part], unit) for part in parts),
            Column("Waiting", unit),
            Column("Waiting", "%"),
            Column("Chunks held at once" if _chunked(view) else "Micro-batches held at once"),
        ),
        rows=tuple(_row(stage, parts, scale) for stage in view["by_stage"]),
        legend=_legend(operations, view["transfer_s"]),
        plot=_plot(view, operations, scale, unit),
        narrow={"dragmode": False, "xaxis.fixedrange": True, "xaxis.nticks": 4},
        hint="Drag across the chart to enlarge a part; double-click to see all of it.",
    )


def _chunked(view: dict[str, Any]) -> bool:
    return bool(view["chunks_per_stage"] > 1 and view["schedule"] != TWO_WAYS)


def _takeaway(view: dict[str, Any]) -> str:
    waiting = percent(view["waiting_share"]).text
    if view["stages"] == 1:
        return f"One stage computes {_count(view['simulated_micro_batches'], 'micro-batch')} without waiting."
    most = max(view["by_stage"], key=lambda stage: stage["waiting_s"])
    share = percent(most["waiting_s"] / view["simulated_s"]).text
    return (
        f"{view['schedule']}: the stages wait {waiting} of the time, stage {most['stage']} most with {share}."
    )


def _caption(view: dict[str, Any]) -> str:
    count, of_all = view["simulated_micro_batches"], view["micro_batches"]
    chunks = f" of {view['chunks_per_stage']} chunks" if _chunked(view) else ""
    if view["schedule"] == TWO_WAYS:
        chunks = " in both directions"
    shorter = view["formula_s"] / view["simulated_s"] - 1
    text = (
        f"{_count(view['stages'], 'stage')}{chunks}, {_count(count, 'micro-batch')}: simulated {show(view['simulated_s'], 's').text}, "
        f"closed form {show(view['formula_s'], 's').text} ({signed_percent(shorter)}), both without optimiser and "
        "exchange of gradients."
    )
    if count < of_all:
        text += f" A step has {of_all:,} micro-batches."
    if view["shown_micro_batches"] < count:
        text += f" Drawn is a step of {_count(view['shown_micro_batches'], 'micro-batch')}."
    if view["transfer_s"]:
        text += f" A transfer to the next stage takes {show(view['transfer_s'], 's').text}."
    return text


def _count(value: int, noun: str) -> str:
    plural = "" if value == 1 else "es" if noun.endswith("ch") else "s"
    return f"{value:,} {noun}{plural}"


def _height(stages: int) -> int:
    row = max(min(ROW, (MOST_HEIGHT - AXIS) // stages), LEAST_ROW)
    return max(row * stages + AXIS, LEAST_HEIGHT)


def _row(stage: dict[str, Any], parts: list[str], scale: float) -> Row:
    whole = stage["busy_s"] + stage["waiting_s"]
    return Row(
        (
            str(stage["stage"]),
            number(stage["layers"]),
            *(f"{stage[part] / scale:.3f}" for part in [*parts, "waiting_s"]),
            f"{100 * stage['waiting_s'] / whole:.1f}",
            str(stage["chunks_held"]),
        )
    )


def _legend(operations: list[Operation], transfer_s: float) -> tuple[Mark, ...]:
    drawn = {operation.kind for operation in operations}
    kinds = [kind for name, kind in KINDS.items() if name in drawn]
    ends = [WAITING, *([SENDING] if transfer_s and any(operation.sends for operation in operations) else [])]
    labels: dict[str, list[str]] = {}
    for kind in [*kinds, *ends]:
        labels.setdefault(kind.slot, []).append(kind.label)
    return tuple(
        Mark(slot, " or ".join([words[0], *(word.lower() for word in words[1:])]))
        for slot, words in labels.items()
    )


def _plot(view: dict[str, Any], operations: list[Operation], scale: float, unit: str) -> dict[str, Any]:
    stages = view["stages"]
    end = max(operation.end_s for operation in operations) / scale
    named = range(0, stages, 1 + stages // 33)
    traces = [_bars(name, operations, scale, unit) for name in KINDS]
    data = [trace for trace in [*traces, _waits(operations, scale, unit)] if trace["x"]]
    if view["transfer_s"]:
        data.append(_sends(operations, view["transfer_s"], scale))
    suffix = {"ticksuffix": f"{THIN_SPACE}{unit}", "showticksuffix": "last"}
    return forms.plot(
        data,
        _height(stages),
        x=forms.values([], [], [0, end * 1.005])
        | {"tickvals": None, "ticktext": None, "nticks": 8, "fixedrange": False, **suffix},
        y=forms.along(
            named, lambda place: f"Stage {place + 1:.0f}", [stages - 0.5, -0.5], ticklabelstandoff=6
        ),
        right=24,
        barmode="overlay",
        bargap=0,
        dragmode="zoom",
    )


def _bars(name: str, operations: list[Operation], scale: float, unit: str) -> dict[str, Any]:
    kind, own = KINDS[name], [operation for operation in operations if operation.kind == name]
    beside = PAIR_TALL / 2 + 0.02
    offsets = [0.0 if not operation.paired else -beside if name == "forward" else beside for operation in own]
    return forms.bars(
        [operation.stage - 1 + offset for operation, offset in zip(own, offsets, strict=True)],
        [_rounded(LENGTH * (operation.end_s - operation.start_s) / scale) for operation in own],
        kind.slot, edge_width=0, name=kind.label, base=[_rounded(operation.start_s / scale) for operation in own],
        width=[PAIR_TALL if operation.paired else TALL for operation in own],
        said=[
            [operation.micro_batch, operation.chunk, operation.stage, _rounded(operation.end_s / scale)]
            for operation in own
        ],
        hover=f"{kind.label}, micro-batch %{{customdata[0]}}, chunk %{{customdata[1]}}<br>Stage %{{customdata[2]}}, "
        f"%{{base:.4g}} to %{{customdata[3]:.4g}}{THIN_SPACE}{unit}",
    )  # fmt: skip


def _waits(operations: list[Operation], scale: float, unit: str) -> dict[str, Any]:
    """Between the operations of a stage, and before its first and after its last: lines, as bars would be widened
    until they are seen."""
    last = max(operation.end_s for operation in operations)
    by_stage: dict[int, list[tuple[float, float]]] = defaultdict(lambda: [(0.0, 0.0)])
    for operation in operations:
        by_stage[operation.stage].append((operation.start_s, operation.end_s))
    gaps = [
        (stage, before[1] / scale, after[0] / scale)
        for stage, spans in by_stage.items()
        for before, after in pairwise([*spans, (last, last)])
        if after[0] - before[1] > 1e-6 * last
    ]
    return forms.segments(
        [(_rounded(since), stage - 1, _rounded(to), stage - 1) for stage, since, to in gaps], WAITING.slot, WAITING_WIDTH,
        name=WAITING.label, said=[[stage, f"{since:.4g} to {to:.4g}"] for stage, since, to in gaps for _ in range(3)],
        hover=f"Stage %{{customdata[0]}} waits<br>%{{customdata[1]}}{THIN_SPACE}{unit}",
    )  # fmt: skip


def _sends(operations: list[Operation], transfer_s: float, scale: float) -> dict[str, Any]:
    """Under the row of the stage that sends, from the end of the operation until the next stage has it."""
    sent = [(one.end_s / scale, one.stage - 1 + TALL / 2 + 0.06) for one in operations if one.sends]
    took = transfer_s / scale
    ends = [(_rounded(since), place, _rounded(since + took), place) for since, place in sent]
    return forms.segments(ends, SENDING.slot, 2, name=SENDING.label)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
