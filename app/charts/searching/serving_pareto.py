"""Tokens per second for a user against for an accelerator: the Pareto front of each pod, and lines of equal
cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, line_marks, unknown_figure
from app.charts.format import percent, show

STATED = "Current scenario"

NAME = "serving_pareto"
EYEBROW = "Output tokens per accelerator vs per user"
HEIGHT = 460
RATE = "tokens/s"
USER, ACCELERATOR = "tokens_per_s_per_user", "tokens_per_s_per_accelerator"

Option = Mapping[str, Any]
Adopt = Callable[[Option], str]
"""From an option to the text by which a page adopts it, "" where it cannot be."""
MOST_LINES = 4
LOWEST_NAME, NAME_STEP = 0.02, 0.05
"""Where names of lines stand in the corner, as shares of the height."""
SAME_PRICE = 1e-3
SECONDS, MILLION = 3600.0, 1e6


def serving_pareto_figure(answer: Mapping[str, Any], adopt: Adopt) -> Figure:
    """The front of each pod as a step line; hollow points break the SLO."""
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
            Column.words("Layout of the front"), Column.words("Hardware"), Column("For a user"),
            Column("Per accelerator"), Column("First token"), Column("In flight"),
            Column("Per million tokens"), Column.words("Promise"),
        ),
        rows=tuple(_row(pods, one, adopt) for one in rows),
        legend=_legend(answer, drawn),
        plot=_plot(answer, fronts, drawn),
        narrow={"xaxis.nticks": 3, "yaxis.nticks": 4},
        hint="A point of a front opens the studio with its layout and load.",
    )  # fmt: skip


def _caption(answer: Mapping[str, Any]) -> str:
    said = "On a front no layout at any load gives both a user and an accelerator more."
    if _promises(answer):
        said += (
            f" Hollow: breaks the SLO to {percent(answer['percentile']).text} of requests, at the mean of "
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
            return "The ranking figure is unknown."
        return f"No layout meets the SLO; the nearest is at {nearest['over_promise']:.3g} times of it."
    pod = f" on {pod_text(answer['pods'][best['pod']])}" if len(answer["pods"]) > 1 else ""
    words = {
        "throughput": "Highest per accelerator",
        "cost": "Cheapest",
        "energy": "Least energy",
        "speed": "Highest per user",
    }[answer["objective"]]
    kept = " that meets the SLO" if _promises(answer) else ""
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
            serving_replicas_text(one), pod_text(pods[one["pod"]]), show(one[USER], RATE).text,
            show(one[ACCELERATOR], RATE).text, show(one["ttft_within_s"], "s").text,
            f"{one['concurrency']:,.0f}", "unknown" if cost is None else show(cost, "USD").text,
            "kept" if one["keeps_level"] else "broken",
        ),
        path=adopt(one),
    )  # fmt: skip


def _legend(answer: Mapping[str, Any], drawn: Sequence[int]) -> tuple[Mark, ...]:
    several = len(drawn) > 1
    fronts = (
        line_marks([pod_text(answer["pods"][place]) for place in drawn])
        if several
        else (Mark("c1", "Pareto front"),)
    )
    return (*fronts, *([Mark("text-3" if several else "c2", STATED)] if _stated(answer) else []))


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
    lines, words = equal_cost_lines(answer, min(rates), max(rates), lambda place: forms.style(place)[0])
    region, limits = [], []
    if answer["tpot_s"] is not None:  # the pace that is promised, and everything quicker
        least = 1 / answer["tpot_s"]
        beyond = max(*users, least) * 10
        region.append(
            forms.rect(least, 0, beyond, 1, "accent-soft", yref="paper", layer="below", opacity=0.5)
        )
        limits.append(forms.limit(f"SLO: at least {show(least, RATE).text}", x=least, log=True))
    return forms.plot(
        data,
        HEIGHT,
        x=forms.log(users, RATE, "Output tokens per second and user", base=True),
        y=forms.log(rates, RATE, "Output tokens per second and accelerator"),
        shapes=[*region, *lines],
        notes=words,
        limits=limits,
        top=24,
        right=16,
    )


def _trace(answer: Mapping[str, Any], front: Sequence[Option], place: int, before: int) -> dict[str, Any]:
    slot, dash, symbol = forms.style(place)
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
    kept = "meets the SLO" if one["keeps_level"] else "breaks the SLO"
    return [
        f"{serving_replicas_text(one)} on {pod_text(answer['pods'][one['pod']])}",
        f"{show(one[USER], RATE).text} for a user, {show(one[ACCELERATOR], RATE).text} for an accelerator",
        f"{one['concurrency']:,.0f} in flight, first token {show(one['ttft_within_s'], 's').text}"
        + (f", {kept}" if _promises(answer) else ""),
        "cost unknown" if cost is None else f"{show(cost, 'USD').text} per million output tokens",
    ]


def priced_pods(answer: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Pods with a known price and their USD per accelerator-hour, each price once."""
    found: list[tuple[int, float]] = []
    for place, pod in enumerate(answer["pods"]):
        hour = pod["usd_per_accelerator_hour"]
        drawn = any(one["pod"] == place for one in answer["pareto"])
        if hour and drawn and not any(abs(hour / other - 1) < SAME_PRICE for _, other in found):
            found.append((place, hour))
    return found


def equal_cost_lines(
    answer: Mapping[str, Any], least: float, most: float, slot_of: Callable[[int], str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Shapes and annotations: lines of several costs; where prices differ, of one cost, a line a price.

    `least` and `most` are the rates of the axis, `slot_of` the colour of a pod by its place.
    """
    prices = priced_pods(answer)
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for order, (place, hour) in enumerate(prices):
        per_token = hour / SECONDS * MILLION
        if len(prices) == 1:
            costs, slot, whose = (
                forms.log_ticks(per_token / most, per_token / least, MOST_LINES),
                "text-3",
                "",
            )
        else:
            costs, slot, whose = (
                [_shared_cost(answer)],
                slot_of(place),
                f" on {answer['pods'][place]['name']}",
            )
        for cost in (cost for cost in costs if least <= per_token / cost <= most):
            rate = per_token / cost
            shapes.append(forms.rule(slot, y=rate, width=1, dash="dot", layer="below"))
            # Lines of several prices lie close together: their names stand one above the other in the corner.
            corner = forms.look(yref="paper") if len(prices) > 1 else forms.look()
            y = LOWEST_NAME + order * NAME_STEP if corner else math.log10(rate)
            words = f"{forms.tick_text(cost, 'USD')} per million{whose}"
            notes.append(forms.note(0.01, y, words, slot, anchor="left bottom", xref="paper", **corner))
    return shapes, notes


def _shared_cost(answer: Mapping[str, Any]) -> float:
    """A round cost in the middle of what the fronts cost."""
    known = sorted(one["usd_per_million_tokens"] for one in answer["pareto"] if one["usd_per_million_tokens"])
    middle = known[len(known) // 2]
    power = 10.0 ** math.floor(math.log10(middle))
    return min((power * step for step in (1, 2, 5, 10)), key=lambda cost: abs(math.log(cost / middle)))


ON = {
    "main": "the first kind",
    "also_1": "the second kind",
    "also_2": "the third kind",
    "also_3": "the fourth kind",
}
"""Kinds of SuperNode of a mixed pod, in the order of the scenario."""


def serving_layout_text(layout: Mapping[str, Any]) -> str:
    """The layout of one replica.

    >>> serving_layout_text({"tp": 1, "dp": 8, "pp": 1, "ep": 8, "redundant_experts": 0})
    'TP 1, DP 8, EP 8'
    >>> one = {"tp": 4, "dp": 1, "pp": 1, "ep": 1, "redundant_experts": 0}
    >>> serving_layout_text({"prefill": one | {"instances": 2}, "decode": one | {"instances": 1}})
    '2 x (TP 4) + 1 x (TP 4)'
    """
    if "decode" not in layout:
        return _degrees(layout)
    return " + ".join(
        f"{one['instances']} x ({_degrees(one)})" for one in (layout["prefill"], layout["decode"])
    )


def serving_replicas_text(option: Mapping[str, Any]) -> str:
    """All replicas of a pod: "9 x (TP 8)", "2 x [4 x (TP 4) + 1 x (TP 1, DP 20, EP 20)]"."""
    words = serving_layout_text(option["layout"])
    return (
        f"{option['replicas']:,} x [{words}]"
        if "decode" in option["layout"]
        else f"{option['replicas']:,} x ({words})"
    )


def pod_text(pod: Mapping[str, Any]) -> str:
    """Hardware and number format: "DGX H200, FP8"."""
    return f"{pod['name']}, {str(pod['precision']).upper()}"


def _degrees(degrees: Mapping[str, Any]) -> str:
    words = [f"TP {degrees['tp']}"]
    words += [
        f"{name.upper()} {degrees[name]}" for name in ("dp", "pp", "cp", "ep") if degrees.get(name, 1) != 1
    ]
    copies, on = degrees.get("redundant_experts", 0), degrees.get("on")
    words += [f"{copies} expert copies"] if copies else []
    return ", ".join(words) + (f" on {ON[on]}" if on else "")
