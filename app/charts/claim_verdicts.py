"""How many claims of each article are wrong, imprecise, right or unverifiable: a stacked bar an article."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, layout, name_axis, round_ticks, token, value_axis

NAME = "claim_verdicts"
EYEBROW = "Claims by article"
CAPTION = "Claims that give a figure or name a mechanism, as counted in the ledger."
ROW_HEIGHT, FRAME_HEIGHT = 34, 62
COLOURS = {"wrong": "bad", "imprecise": "warn", "right": "good", "unverifiable": "text-3"}
"""Verdict -> token of its colour, in the order of the bars."""


def claim_verdicts_figure(by_article: Mapping[str, Mapping[str, int]]) -> Figure:
    """Counts of verdicts by article, in reading order."""
    totals = {verdict: sum(found[verdict] for found in by_article.values()) for verdict in COLOURS}
    height = FRAME_HEIGHT + ROW_HEIGHT * len(by_article)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(by_article),
        caption=CAPTION,
        height=height,
        columns=(
            Column(name="Article", numeric=False),
            *(Column(name=verdict.capitalize()) for verdict in COLOURS),
        ),
        rows=tuple(
            Row(cells=(name, *(str(found[verdict]) for verdict in COLOURS)))
            for name, found in by_article.items()
        ),
        plot=_plot(by_article, height),
        legend=tuple(
            Mark(slot=colour, label=verdict.capitalize(), value=str(totals[verdict]))
            for verdict, colour in COLOURS.items()
        ),
    )


def _takeaway(by_article: Mapping[str, Mapping[str, int]]) -> str:
    least, found = max(by_article.items(), key=lambda item: item[1]["wrong"])
    wrong = sum(one["wrong"] for one in by_article.values())
    return f"{found['wrong']} of the {wrong} wrong claims are in “{least}”."


def _plot(by_article: Mapping[str, Mapping[str, int]], height: int) -> dict[str, Any]:
    names = list(by_article)
    bars = [
        {
            "type": "bar",
            "orientation": "h",
            "name": verdict.capitalize(),
            "y": names,
            "x": [by_article[name][verdict] for name in names],
            "text": [str(by_article[name][verdict] or "") for name in names],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "textfont": {"size": 12, "color": token("bg")},
            "marker": {"color": token(colour), "line": {"color": token("bg"), "width": 1.5}},
            "hovertemplate": f"%{{y}}<br>%{{x}} {verdict}<extra></extra>",
        }
        for verdict, colour in COLOURS.items()
    ]
    most = max(sum(found.values()) for found in by_article.values())
    ticks = round_ticks(most, 4)
    return {
        "data": bars,
        "layout": layout(
            height,
            barmode="stack",
            bargap=0.35,
            uniformtext={"mode": "hide", "minsize": 11},
            xaxis=value_axis(
                ticks,
                [f"{tick:,.0f}" for tick in ticks],
                [0, most * 1.02],
                title={"text": "Claims", "standoff": 8, "font": {"size": 12, "color": token("text-3")}},
            ),
            yaxis=name_axis(names),
        ),
    }
