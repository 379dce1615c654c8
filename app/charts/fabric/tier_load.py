"""Utilisation of the links of each tier: the mean of all, and the busiest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.fabric.words import share_text, tier_name
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE

ROW_HEIGHT = 44


class Load(NamedTuple):
    """A tier; None where it is unknown."""

    tier: str
    mean: float | None
    peak: float | None


def tier_load_figure(
    loads: Sequence[Load], *, name: str, eyebrow: str, caption: str, takeaway: str
) -> Figure:
    """A bar for the mean of each tier and a mark for its busiest link."""
    known = [load for load in loads if load.mean is not None and load.peak is not None]
    if not known:
        return unknown_figure(name, eyebrow, caption, "The utilisation of the links is unknown.")
    height = ROW_HEIGHT * len(loads) + 48
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=caption,
        columns=(Column.words("Tier"), Column("Mean"), Column("Busiest link")),
        rows=tuple(
            Row((tier_name(load.tier), share_text(load.mean), share_text(load.peak))) for load in loads
        ),
        plot=_plot(loads, height),
        legend=(Mark("c1", "Mean of all links"), Mark("c4", "Busiest link")),
    )


def _plot(loads: Sequence[Load], height: int) -> dict[str, Any]:
    names = [tier_name(load.tier) for load in loads]
    mean, peak = (
        [None if one is None else 100 * one for one in ends]
        for ends in zip(*(load[1:] for load in loads), strict=True)
    )
    said = [
        f"{name}<br>mean {share_text(load.mean)}, busiest {share_text(load.peak)}"
        for name, load in zip(names, loads, strict=True)
    ]
    top = max(*(value or 0.0 for value in peak), 1.0)
    return forms.plot(
        [
            forms.bars(names, mean, width=0.5, text=said, textposition="none", hover="%{text}"),
            forms.dots(peak, names, "c4", 10, symbol="diamond", text=said, cliponaxis=False, hover="%{text}"),
        ],
        height,
        x=forms.from_zero(top, room=1.05, words=lambda tick: f"{tick:g}{THIN_SPACE}%"),
        y=forms.names(names),
        right=24,
    )
