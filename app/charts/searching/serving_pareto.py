"""Tokens a second for a user against for an accelerator: the Pareto front of each pod, and lines of equal cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.charts.economics.line_styles import LINE_STYLES
from app.charts.figure import Column, Figure, Mark, Row, layout, token, unknown_figure
from app.charts.format import percent, show
from app.charts.searching.equal_cost import equal_cost_lines, priced_pods
from app.charts.searching.log_scale import log_axis
from app.charts.searching.serving_words import pod_text, serving_replicas_text

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
        height=HEIGHT,
        columns=(
            Column(name="Layout of the front", numeric=False),
            Column(name="Hardware", numeric=False),
            Column(name="For a user"),
            Column(name="For an accelerator"),
            Column(name="First token"),
            Column(name="In flight"),
            Column(name="Per million tokens"),
            Column(name="Promise", numeric=False),
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
    words = {"throughput": "Most for an accelerator", "cost": "Cheapest", "energy": "Least energy",
             "speed": "Most for a user"}[answer["objective"]]  # fmt: skip
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
        cells=(
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
    named = [Mark(slot=_style(place)[0], label=pod_text(pods[place])) for place in drawn]
    if len(named) > len(LINE_STYLES):
        rest = ", ".join(mark.label for mark in named[len(LINE_STYLES) :])
        named = [*named[: len(LINE_STYLES)], Mark(slot=MORE[0], label=rest)]
    found = named if several else [Mark(slot="c1", label="Pareto front")]
    return [*found, *([Mark(slot="c2", label="The scenario as it is")] if _stated(answer) and not several else []),
            *([Mark(slot="text-3", label="The scenario as it is")] if _stated(answer) and several else [])]  # fmt: skip


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
        data.append(_single(answer, stated, "c2" if len(drawn) == 1 else "text-3"))
    shapes, notes = _region(answer, max(users))
    lines, words = equal_cost_lines(answer, min(rates), max(rates), lambda place: _style(place)[0])
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 24, "b": 8},
            xaxis=log_axis(
                users, RATE, "Output tokens a second for each user", showline=True, linecolor=token("axis")
            ),
            yaxis=log_axis(rates, RATE, "Output tokens a second for each accelerator"),
            shapes=[*shapes, *lines],
            annotations=[*notes, *words],
        ),
    }


def _trace(answer: Mapping[str, Any], front: Sequence[Option], place: int, before: int) -> dict[str, Any]:
    slot, dash, symbol = _style(place)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": pod_text(answer["pods"][place]),
        "meta": "adopts",
        "x": [one[USER] for one in front],
        "y": [one[ACCELERATOR] for one in front],
        "line": {"shape": "hv", "width": 2, "color": token(slot), "dash": dash},
        "marker": {
            "symbol": [symbol if one["keeps_level"] else f"{symbol}-open" for one in front],
            "size": 8,
            "color": token(slot),
            "opacity": 1,
            "line": {"color": token(slot), "width": 1.5},
        },
        # Customdata begins with the row of the table that adopts a point.
        "customdata": [[before + row, *_said(answer, one)] for row, one in enumerate(front)],
        "hovertemplate": "%{customdata[1]}<br>%{customdata[2]}<br>%{customdata[3]}<br>%{customdata[4]}<extra></extra>",
    }


def _single(answer: Mapping[str, Any], one: Option, slot: str) -> dict[str, Any]:
    said = _said(answer, one)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "The scenario as it is",
        "x": [one[USER]],
        "y": [one[ACCELERATOR]],
        "marker": {"size": 13, "symbol": "square-open", "line": {"width": 2, "color": token(slot)}},
        "customdata": [said],
        "hovertemplate": "The scenario as it is: %{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<br>"
        "%{customdata[3]}<extra></extra>",
    }


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


def _region(answer: Mapping[str, Any], fastest: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The pace that is promised, and everything quicker."""
    if answer["tpot_s"] is None:
        return [], []
    least = 1 / answer["tpot_s"]
    beyond = max(fastest, least) * 10
    said = f"at least {show(least, RATE).text} promised"
    shapes = [
        {"type": "rect", "yref": "paper", "x0": least, "x1": beyond, "y0": 0, "y1": 1, "layer": "below",
         "fillcolor": token("accent-soft"), "opacity": 0.5, "line": {"width": 0}},
        {"type": "line", "yref": "paper", "x0": least, "x1": least, "y0": 0, "y1": 1,
         "line": {"color": token("bad"), "width": 1.5, "dash": "dash"}},
    ]  # fmt: skip
    note = {"yref": "paper", "x": math.log10(least), "y": 1, "xanchor": "left", "yanchor": "bottom", "showarrow": False,
            "text": said, "font": {"size": 12, "color": token("bad")}}  # fmt: skip
    return shapes, [note]
