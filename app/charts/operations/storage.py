"""Capacity of flash that each demand asks for, the largest of which binds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import brief, one_prefix, show

NAME, EYEBROW = "storage_needs", "Flash capacity by demand"
CAPTION = (
    "Flash is bought by the appliance, so bandwidth brings capacity along: the largest bar is what is bought."
)
HEIGHT = 190


class Need(NamedTuple):
    """Capacity that one demand asks for."""

    title: str
    capacity_bytes: float
    binds: bool


def storage_figure(needs: Sequence[Need]) -> Figure:
    """A bar for each demand; the one that binds is accented."""
    if any(math.isnan(one.capacity_bytes) for one in needs):
        return unknown_figure(NAME, EYEBROW, CAPTION, "The storage demand is unknown.")
    largest = max(one.capacity_bytes for one in needs)
    scale, unit = one_prefix([largest], "B")
    names = [one.title for one in needs]
    plot = forms.plot(
        [
            forms.bars(
                names, [one.capacity_bytes / scale for one in needs], ["c1" if one.binds else "c6" for one in needs],
                width=0.6, said=[show(one.capacity_bytes, "B").text for one in needs], hover="%{y}: %{customdata}",
            )
        ],
        HEIGHT,
        x=forms.from_zero(largest / scale, unit, room=1.12),
        y=forms.names(names),
        notes=[
            forms.note(one.capacity_bytes / scale, one.title, show(one.capacity_bytes, "B").text, "text", anchor="left", shift=(6, 0))
            for one in needs
        ],
        right=64,
    )  # fmt: skip
    binding = next((one for one in needs if one.binds), None)
    return Figure(
        name=NAME,
        eyebrow=f"{EYEBROW}, {unit}",
        takeaway="No demand binds."
        if binding is None
        else f"{binding.title} asks for most: {show(binding.capacity_bytes, 'B').text} of flash.",
        caption=CAPTION,
        **table(
            needs,
            (Column.words("Demand"), lambda one: one.title),
            (Column("Flash", unit), lambda one: brief(one.capacity_bytes / scale, 4)),
            total=lambda one: one.binds,
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )
