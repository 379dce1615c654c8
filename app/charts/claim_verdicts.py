"""How many claims of each article are wrong, imprecise, right or unverifiable: a stacked bar an article."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row

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
        columns=(Column.words("Article"), *(Column(verdict.capitalize()) for verdict in COLOURS)),
        rows=tuple(
            Row((name, *(str(found[verdict]) for verdict in COLOURS))) for name, found in by_article.items()
        ),
        plot=_plot(by_article, height),
        legend=tuple(
            Mark(colour, verdict.capitalize(), str(totals[verdict])) for verdict, colour in COLOURS.items()
        ),
    )


def _takeaway(by_article: Mapping[str, Mapping[str, int]]) -> str:
    least, found = max(by_article.items(), key=lambda item: item[1]["wrong"])
    wrong = sum(one["wrong"] for one in by_article.values())
    return f"{found['wrong']} of the {wrong} wrong claims are in “{least}”."


def _plot(by_article: Mapping[str, Mapping[str, int]], height: int) -> dict[str, Any]:
    names = list(by_article)
    counts = {verdict: [by_article[name][verdict] for name in names] for verdict in COLOURS}
    bars = [
        forms.bars(
            names, counts[verdict], colour, edge="bg", edge_width=1.5, name=verdict.capitalize(),
            hover=f"%{{y}}<br>%{{x}} {verdict}", **forms.inside([str(count or "") for count in counts[verdict]], "bg"),
        )
        for verdict, colour in COLOURS.items()
    ]  # fmt: skip
    return forms.plot(
        bars,
        height,
        x=forms.from_zero(
            max(map(sum, zip(*counts.values(), strict=True))), wanted=4, room=1.02, title="Claims"
        ),
        y=forms.names(names),
        barmode="stack",
        bargap=0.35,
        uniformtext={"mode": "hide", "minsize": 11},
    )
