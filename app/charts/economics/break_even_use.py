"""The use from which owning is cheaper, by rental terms, beside the scenario's use and a fixed rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import WIDE_SPACE, share_text

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

NAME = "break_even_use"
EYEBROW = "Break-even utilisation by rental terms"
PITCH = 56
MOST = 1.08  # of full use: room for what lies beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class TermPoint:
    """`utilisation` is infinite where owning is never cheaper."""

    title: str
    usd_per_hour: float
    utilisation: float


def break_even_use_figure(terms: Sequence[TermPoint], *, utilisation: float, rule: float) -> Figure:
    """A dot for each kind of terms, a line where the scenario is and one where the rule has it."""
    known = [term for term in terms if not math.isnan(term.utilisation)]
    caption = (
        "Over the months of work, on the scenario's price path. Left of a dot renting on these terms is cheaper, right "
        "of it owning is. A dot at the right edge, hollow: owning is not cheaper at any utilisation."
    )
    if not known or math.isnan(utilisation):
        return unknown_figure(NAME, EYEBROW, caption, "The use from which owning is cheaper is unknown.")
    height = 90 + PITCH * len(known)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(known, utilisation, rule),
        caption=caption,
        **table(
            known,
            (Column.words("Rental terms"), lambda term: term.title),
            (Column("Accelerator-hour", "USD"), lambda term: f"{term.usd_per_hour:.2f}"),
            (Column("Owning is cheaper from"), lambda term: _from(term.utilisation)),
            (
                Column.words("At the scenario's use"),
                lambda term: "own" if term.utilisation <= utilisation else "rent",
            ),
        ),
        plot=_plot(known, utilisation, rule, height),
        narrow={"margin.r": 12, "xaxis.nticks": 3},
    )


def _takeaway(known: list[TermPoint], utilisation: float, rule: float) -> str:
    met = [term.utilisation for term in known if math.isfinite(term.utilisation)]
    if not met:
        return f"Owning is not cheaper than any of these terms at any utilisation: a fixed {share_text(rule)} would mislead."
    span = (
        share_text(min(met)) if min(met) == max(met) else f"{share_text(min(met))} to {share_text(max(met))}"
    )
    cheaper = sum(term.utilisation <= utilisation for term in known)
    return (
        f"Owning begins to pay at {span}, by the terms, not at {share_text(rule)}; at {share_text(utilisation)} it is "
        f"cheaper than {cheaper} of {len(known)}."
    )


def _plot(known: list[TermPoint], utilisation: float, rule: float, height: int) -> dict[str, Any]:
    drawn = [min(term.utilisation, 1.0) for term in known]
    titles = [term.title for term in known]
    words = [_from(term.utilisation) for term in known]
    marks = forms.dots(
        drawn, titles, "c1", 12, edge="c1", edge_width=2, text=words, cliponaxis=False,
        symbol=["circle" if math.isfinite(term.utilisation) else "circle-open" for term in known],
        place=["bottom center" if x < 0.9 else "bottom left" for x in drawn],
        said=[
            [term.title, f"{term.usd_per_hour:.2f}{WIDE_SPACE}USD per hour", use]
            for term, use in zip(known, words, strict=True)
        ],
        hover="%{customdata[0]}, %{customdata[1]}<br>owning is cheaper from %{customdata[2]}",
    )  # fmt: skip
    named = (  # the scenario on its own row, as both lines may lie near each other
        (utilisation, f"This scenario {share_text(utilisation)}", 18),
        (rule, f"Rule {share_text(rule)}", 2),
    )
    share = [f"{100 * tick:.0f}" for tick in TICKS]
    return forms.plot(
        [marks],
        height,
        x=forms.values(TICKS, share, [0, MOST], unit="%", title="Utilisation"),
        y=forms.names(titles),
        shapes=[forms.rule("c2", x=utilisation, dash="solid"), forms.rule("text-3", x=rule, dash="dash")],
        notes=[
            forms.note(x, 1, text, anchor="center bottom", shift=(0, up), yref="paper")
            for x, text, up in named
        ],
        top=40,
        right=24,
    )


def _from(utilisation: float) -> str:
    return share_text(utilisation) if math.isfinite(utilisation) else "no use"
