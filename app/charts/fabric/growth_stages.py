"""A pod that grows, on its floor: a plan a stage, with the racks there by then and those just added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.floor_plan import MOST_RACKS
from app.charts.floor_rooms import Box, areas, rack_boxes, run_boxes
from app.charts.forms.drawing import drawing, hover_points
from app.engine.fabric.floor.floor import Racks
from app.engine.fabric.graph.graph import Whole

LOOKS = (
    ("before", "c1-tint", "There before"),
    ("added", "c1", "Added in the stage"),
    ("later", "line", "Later"),
)
OTHER_LOOK = ("c7", "Spares and other networks")
PLAN_WIDTH = 1_000  # pixels of all plans of a line
HEIGHTS = (180, 720)
MOST_ACROSS = 4
WORDS = 40  # pixels above a plan
GAP_SHARE = 0.08  # of the width of a plan, between two
MINIMUM_WIDTH = 620


def growth_stages_figure(
    racks: Racks,
    stage: Whole,
    *,
    supernodes: Sequence[int],
    racks_added: Sequence[int],
    links_added: Sequence[int],
    width_m: float,
    depth_m: float,
) -> Figure:
    """Small plans side by side, with racks and links added at each stage as a table."""
    size = {"width_m": width_m, "depth_m": depth_m}
    count = len(supernodes)
    field = Box(
        float(racks.x_m.min()) - width_m, float(racks.y_m.min()) - depth_m,
        float(racks.x_m.max()) + width_m, float(racks.y_m.max()) + depth_m,
    )  # fmt: skip
    wide, deep = field.x1 - field.x0, field.y1 - field.y0
    across = min(count, MOST_ACROSS)
    step_x = wide * (1 + GAP_SHARE)
    metres = across * step_x / PLAN_WIDTH
    step_y = deep + WORDS * metres
    lines = -(-count // across)
    boxes: dict[str, list[Box]] = {}
    notes, names = [], []
    for number in range(count):
        line, column = divmod(number, across)
        dx, dy = column * step_x - field.x0, line * step_y + WORDS * metres - field.y0
        masks = {
            "later": stage > number,
            "before": (stage >= 0) & (stage < number),
            "added": stage == number,
            "other": stage < 0,
        }
        for look, mask in masks.items():
            boxes.setdefault(look, []).extend(
                Box(box.x0 + dx, box.y0 + dy, box.x1 + dx, box.y1 + dy) for box in _boxes(racks, mask, size)
            )
        top = line * step_y
        title = f"<b>{supernodes[number]:,} SuperNodes</b>"
        added = f"+{racks_added[number]:,} racks, +{links_added[number]:,} links"
        notes += [
            forms.note(dx + field.x0, top + 0.25 * WORDS * metres, title, "text", anchor="left middle"),
            forms.note(dx + field.x0, top + 0.68 * WORDS * metres, added, "text-2", anchor="left middle"),
        ]
        names.append(
            (
                (dx + field.x0 + wide / 2, dy + field.y0 + deep / 2),
                f"{supernodes[number]:,} SuperNodes<br>{added}",
            )
        )
    others = int((stage < 0).sum())
    height = round((lines * step_y + metres) / metres)
    return Figure(
        name="growth_stages",
        eyebrow="Stages on the floor of the final size",
        takeaway=_takeaway(supernodes, racks_added),
        caption="A rack counts from the first stage that has a device in it; links are those of the compute fabric laid "
        "out for the final size. Leaves are bought whole units at a time.",
        columns=(Column("SuperNodes"), Column("Racks added"), Column("Racks"), Column("Links added"), Column("Links")),
        rows=tuple(
            Row(tuple(f"{value:,}" for value in values))
            for values in zip(
                supernodes, racks_added, np.cumsum(racks_added).tolist(), links_added, np.cumsum(links_added).tolist(),
                strict=True,
            )
        ),
        plot=_plot(boxes, names, notes, [-0.2 * metres, across * step_x], [lines * step_y, 0.0], height),
        legend=(
            *(Mark(slot, label) for _, slot, label in LOOKS),
            *((Mark(OTHER_LOOK[0], OTHER_LOOK[1], f"{others:,} racks"),) if others else ()),
        ),
        minimum_width=MINIMUM_WIDTH,
    )  # fmt: skip


def _boxes(racks: Racks, mask: Any, size: dict[str, float]) -> list[Box]:
    if racks.count > MOST_RACKS:
        return run_boxes(racks, mask, **size)
    return rack_boxes(racks.x_m[mask], racks.y_m[mask], **size)


def _takeaway(supernodes: Sequence[int], racks_added: Sequence[int]) -> str:
    first, last = racks_added[0], sum(racks_added)
    return (
        f"{first:,} of {last:,} racks carry the first {supernodes[0]:,} SuperNodes; "
        f"{len(supernodes)} stages fill the floor."
    )


def _plot(
    boxes: dict[str, list[Box]],
    names: Sequence[tuple[tuple[float, float], str]],
    notes: list[dict[str, Any]],
    across: Sequence[float],
    down: Sequence[float],
    height: int,
) -> dict[str, Any]:
    slots = {look: slot for look, slot, _ in LOOKS} | {"other": OTHER_LOOK[0]}
    data = [areas(boxes[look], slot) for look, slot in slots.items() if boxes.get(look)]
    data.append(hover_points([point for point, _ in names], [text for _, text in names], size=40))
    free = forms.look(constrain="domain")
    return drawing(
        min(max(height, HEIGHTS[0]), HEIGHTS[1]), across, down, data, [], notes,
        x=forms.blank(across, **free), y=forms.blank(down, scaleanchor="x", scaleratio=1, **free),
    )  # fmt: skip
