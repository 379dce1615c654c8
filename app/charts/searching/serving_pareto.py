"""Tokens a second for a user against for an accelerator: the Pareto front of each pod, and lines of equal cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.charts import forms
from app.charts.economics.line_styles import LINE_STYLES
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import percent, show
from app.charts.searching.equal_cost import equal_cost_lines, priced_pods
from app.charts.searching.serving_words import pod_text, serving_replicas_text

STATED = "The scenario as it is"

NAME = "serving_pareto"
EYEBROW = "Output tokens for each accelerator against for each user"
HEIGHT = 460
RATE = "tokens/s"
USER, ACCELERATOR = "tokens_per_s_per_user", "tokens_per_s_per_accelerator"
MORE = ("c7", "solid", "x")
"""Of the seventh pod and those after it."""

Option = Mapping[str, Any]
Adopt = Callable[[Option], str]
"""From an option to the text by which a page adopts it, "" where it cannot be."""


def serving_pareto_figure(answer: Mapping[str, Any], adopt: Adopt) -> Figure:
    """The front of each pod as a step line; hollow points break what is promised."""
    pods = answer["pods"]
    fronts = [[one for one in answer["pareto"] if one["pod"] == place] for place in range(len(pods))]
    drawn = [place for place, front in enumerate(fronts) if front]
    caption = _caption(answer)
    if not drawn:
        return unknown_figure(
            NAME, EYEBROW, caption, "No layout holds a request, or what decides it is unknown."
        )
    rows = [one for place in drawn for one in fronts[place]]
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(answer, rows),
        caption=caption,
        columns=(
            Column.words("Layout of the front"),
            Column.words("Hardware"),
            Column("For a user"),
            Column("For an accelerator"),
            Column("First token"),
            Column("In flight"),
            Column("Per million tokens"),
            Column.words("Promise"),
        ),
        rows=tuple(_row(pods, one, adopt) for one in rows),
        legend=tuple(_legend(answer, drawn)),
        plot=_plot(answer, fronts, drawn),
        narrow={"xaxis.nticks": 3, "yaxis.nticks": 4},
        hint="A point of a front opens the studio with its layout and load.",
    )


def _caption(answer: Mapping[str, Any]) -> str:
    said = "On a front no layout at any load gives both a user and an accelerator more."
    if _promises(answer):
        said += (
            f" Hollow: breaks what is promised to {percent(answer['percentile']).text} of requests, at the mean of "
            "which the region is drawn."
        )
    lines = priced_pods(answer)
    if lines:
        said += " Dotted: layouts of equal cost for a million output tokens."
    return said


def _promises(answer: Mapping[str, Any]) -> bool:
    return answer["ttft_s"] is not None or answer["tpot_s"] is not None


def _takeaway(answer: Mapping[str, Any], rows: Sequence[Option]) -> str:
    best = answer["best"][0] if answer["best"] else None
    if best is None:
        nearest = answer["nearest"]
        if nearest is None:
            return "What it is ranked by is not known."
        return (
            f"No layout keeps what is promised; the nearest is at {nearest['over_promise']:.3g} times of it."
        )
    pod = f" on {pod_text(answer['pods'][best['pod']])}" if len(answer["pods"]) > 1 else ""
    words = {
        "throughput": "Most for an accelerator",
        "cost": "Cheapest",
        "energy": "Least energy",
        "speed": "Most for a user",
    }[answer["objective"]]
    kept = " that keeps what is promised" if _promises(answer) else ""
    cost = best["usd_per_million_tokens"]
    price = "" if cost is None else f", {show(cost, 'USD').text} per million"
    return (
        f"{words}{kept}: {serving_replicas_text(best)}{pod}, {show(best[ACCELERATOR], RATE).text} for an accelerator "
        f"and {show(best[USER], RATE).text} for a user{price}."
    )


def _row(pods: Sequence[Mapping[str, Any]], one: Option, adopt: Adopt) -> Row:
    cost = one["usd_per_million_tokens"]
    return Row(
        (
            serving_replicas_text(one),
            pod_text(pods[one["pod"]]),
            show(one[USER], RATE).text,
            show(one[ACCELERATOR], RATE).text,
            show(one["ttft_within_s"], "s").text,
            f"{one['concurrency']:,.0f}",
            "unknown" if cost is None else show(cost, "USD").text,
            "kept" if one["keeps_level"] else "broken",
        ),
        path=adopt(one),
    )


def _style(place: int) -> tuple[str, str, str]:
    return LINE_STYLES[place] if place < len(LINE_STYLES) else MORE


def _legend(answer: Mapping[str, Any], drawn: Sequence[int]) -> list[Mark]:
    pods = answer["pods"]
    several = len(drawn) > 1
    named = [Mark(_style(place)[0], pod_text(pods[place])) for place in drawn]
    if len(named) > len(LINE_STYLES):
        rest = ", ".join(mark.label for mark in named[len(LINE_STYLES) :])
        named = [*named[: len(LINE_STYLES)], Mark(MORE[0], rest)]
    found = named if several else [Mark("c1", "Pareto front")]
    return [
        *found,
        *([Mark("c2", "The scenario as it is")] if _stated(answer) and not several else []),
        *([Mark("text-3", "The scenario as it is")] if _stated(answer) and several else []),
    ]


def _stated(answer: Mapping[str, Any]) -> Option | None:
    one = answer["stated"]
    return one if one and one[USER] and one[ACCELERATOR] else None


def _plot(
    answer: Mapping[str, Any], fronts: Sequence[Sequence[Option]], drawn: Sequence[int]
) -> dict[str, Any]:
    stated = _stated(answer)
    shown = [one for place in drawn for one in fronts[place]] + ([stated] if stated else [])
    users, rates = [one[USER] for one in shown], [one[ACCELERATOR] for one in shown]
    data, before = [], 0
    for place in drawn:
        data.append(_trace(answer, fronts[place], place, before))
        before += len(fronts[place])
    if stated:
        slot, hover = (
            "c2" if len(drawn) == 1 else "text-3",
            "<br>".join(f"%{{customdata[{row}]}}" for row in range(4)),
        )
        data.append(
            forms.dots(
                [stated[USER]], [stated[ACCELERATOR]], None, 13, symbol="square-open", edge=slot, edge_width=2,
                name=STATED, said=[_said(answer, stated)], hover=f"{STATED}: {hover}",
            )
        )  # fmt: skip
    lines, words = equal_cost_lines(answer, min(rates), max(rates), lambda place: _style(place)[0])
    region, limits = [], []
    if answer["tpot_s"] is not None:  # the pace that is promised, and everything quicker
        least = 1 / answer["tpot_s"]
        beyond = max(*users, least) * 10
        region.append(
            forms.rect(least, 0, beyond, 1, "accent-soft", yref="paper", layer="below", opacity=0.5)
        )
        limits.append(forms.limit(f"at least {show(least, RATE).text} promised", x=least, log=True))
    return forms.plot(
        data,
        HEIGHT,
        x=forms.log(users, RATE, "Output tokens a second for each user", base=True),
        y=forms.log(rates, RATE, "Output tokens a second for each accelerator"),
        shapes=[*region, *lines],
        notes=words,
        limits=limits,
        top=24,
        right=16,
    )


def _trace(answer: Mapping[str, Any], front: Sequence[Option], place: int, before: int) -> dict[str, Any]:
    slot, dash, symbol = _style(place)
    return forms.line(
        [one[USER] for one in front], [one[ACCELERATOR] for one in front], slot, 2, dash, shape="hv", size=8, opacity=1,
        symbol=[symbol if one["keeps_level"] else f"{symbol}-open" for one in front], edge=slot, edge_width=1.5,
        name=pod_text(answer["pods"][place]), meta="adopts",
        # Customdata begins with the row of the table that adopts a point.
        said=[[before + row, *_said(answer, one)] for row, one in enumerate(front)],
        hover="%{customdata[1]}<br>%{customdata[2]}<br>%{customdata[3]}<br>%{customdata[4]}",
    )  # fmt: skip


def _said(answer: Mapping[str, Any], one: Option) -> list[str]:
    cost = one["usd_per_million_tokens"]
    kept = "keeps what is promised" if one["keeps_level"] else "breaks what is promised"
    return [
        f"{serving_replicas_text(one)} on {pod_text(answer['pods'][one['pod']])}",
        f"{show(one[USER], RATE).text} for a user, {show(one[ACCELERATOR], RATE).text} for an accelerator",
        f"{one['concurrency']:,.0f} in flight, first token {show(one['ttft_within_s'], 's').text}"
        + (f", {kept}" if _promises(answer) else ""),
        "cost unknown" if cost is None else f"{show(cost, 'USD').text} per million output tokens",
    ]
