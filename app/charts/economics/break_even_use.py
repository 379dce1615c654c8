"""The use from which owning is cheaper, by rental terms, beside the scenario's use and a fixed rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.economics.rent_parts import whole_percent
from app.charts.figure import Column, Figure, Row, layout, name_axis, token, unknown_figure, value_axis
from app.charts.format import THIN_SPACE, WIDE_SPACE

NAME = "break_even_use"
EYEBROW = "Use from which owning is cheaper, by rental terms"
PITCH = 56
MOST = 1.08  # of full use: room for what lies beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class TermPoint:
    """`utilisation` is infinite where owning is cheaper at no use."""

    title: str
    usd_per_hour: float
    utilisation: float


def break_even_use_figure(terms: Sequence[TermPoint], *, utilisation: float, rule: float) -> Figure:
    """A dot for each kind of terms, a line where the scenario is and one where the rule has it."""
    known = [term for term in terms if not math.isnan(term.utilisation)]
    caption = (
        "Over the months of work, on the scenario's price path. Left of a dot renting on these terms is cheaper, right "
        "of it owning is. A dot at the right edge, hollow: owning is cheaper at no use."
    )
    if not known or math.isnan(utilisation):
        return unknown_figure(NAME, EYEBROW, caption, "The use from which owning is cheaper is unknown.")
    height = 90 + PITCH * len(known)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(known, utilisation, rule),
        caption=caption,
        height=height,
        columns=(
            Column(name="Terms", numeric=False), Column(name="Accelerator-hour", unit="USD"),
            Column(name="Owning is cheaper from"), Column(name="At the scenario's use", numeric=False),
        ),
        rows=tuple(
            Row(cells=(term.title, f"{term.usd_per_hour:.2f}", _from(term.utilisation),
                       "own" if term.utilisation <= utilisation else "rent"))
            for term in known
        ),
        plot=_plot(known, utilisation, rule, height),
        narrow={"margin.r": 12, "xaxis.nticks": 3},
    )  # fmt: skip


def _takeaway(known: list[TermPoint], utilisation: float, rule: float) -> str:
    met = [term.utilisation for term in known if math.isfinite(term.utilisation)]
    if not met:
        return f"At no use is owning cheaper than any of these terms: a fixed {whole_percent(rule)} would mislead."
    span = (
        whole_percent(min(met))
        if min(met) == max(met)
        else f"{whole_percent(min(met))} to {whole_percent(max(met))}"
    )
    cheaper = sum(term.utilisation <= utilisation for term in known)
    return (
        f"Owning begins to pay at {span}, by the terms, not at {whole_percent(rule)}; at {whole_percent(utilisation)} it is "
        f"cheaper than {cheaper} of {len(known)}."
    )


def _plot(known: list[TermPoint], utilisation: float, rule: float, height: int) -> dict[str, Any]:
    drawn = [min(term.utilisation, 1.0) for term in known]
    titles = [term.title for term in known]
    marks = {
        "type": "scatter",
        "mode": "markers+text",
        "x": drawn,
        "y": titles,
        "marker": {
            "size": 12,
            "symbol": ["circle" if math.isfinite(term.utilisation) else "circle-open" for term in known],
            "color": token("c1"),
            "line": {"color": token("c1"), "width": 2},
        },
        "text": [_from(term.utilisation) for term in known],
        "textposition": ["bottom center" if x < 0.9 else "bottom left" for x in drawn],
        "textfont": {"size": 12, "color": token("text")},
        "customdata": [
            [term.title, f"{term.usd_per_hour:.2f}{WIDE_SPACE}USD an hour", _from(term.utilisation)]
            for term in known
        ],
        "hovertemplate": "%{customdata[0]}, %{customdata[1]}<br>owning is cheaper from %{customdata[2]}"
        "<extra></extra>",
        "cliponaxis": False,
    }
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    return {
        "data": [marks],
        "layout": layout(
            height,
            margin={"l": 8, "r": 24, "t": 40, "b": 8},
            xaxis=value_axis(
                ticks,
                [f"{100 * tick:.0f}{f'{THIN_SPACE}%' if tick == 1.0 else ''}" for tick in ticks],
                [0, MOST],
                title={"text": "Utilisation", "standoff": 8, "font": {"size": 12, "color": token("text-3")}},
            ),
            yaxis=name_axis(titles),
            shapes=[_line(utilisation, "c2", "solid"), _line(rule, "text-3", "dash")],
            annotations=_names(utilisation, rule),
        ),
    }


def _line(at: float, slot: str, dash: str) -> dict[str, Any]:
    return {"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1,
            "line": {"color": token(slot), "width": 1.5, "dash": dash}}  # fmt: skip


def _names(utilisation: float, rule: float) -> list[dict[str, Any]]:
    """Above the lines: the scenario on its own row, as both lines may lie near each other."""
    rows = (
        (utilisation, f"This scenario {whole_percent(utilisation)}", 18),
        (rule, f"Rule {whole_percent(rule)}", 2),
    )
    return [
        {"x": x, "y": 1, "yref": "paper", "xanchor": "center", "yanchor": "bottom", "yshift": shift,
         "showarrow": False, "text": text, "font": {"size": 12, "color": token("text-2")}}
        for x, text, shift in rows
    ]  # fmt: skip


def _from(utilisation: float) -> str:
    return whole_percent(utilisation) if math.isfinite(utilisation) else "no use"
