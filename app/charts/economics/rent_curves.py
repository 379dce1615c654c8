"""Break-even utilisation against the rental price, and the cost of a used hour against utilisation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.charts.economics.rent_parts import STYLES, Drawn, axis_title, end_labels, line
from app.charts.figure import (
    Column,
    Figure,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, number

HEIGHT = 320
OF_USE = "Rent of used hours, with support and storage, over the horizon and on the price path; own cost from the bill."
OF_HOURS = (
    "Cost over used hours, both in today's worth. What is owned is paid for whether it is used or not; what is rented "
    "by the used hour is not, and a commitment is paid for the peak."
)


def use_by_price_figure(
    price: Sequence[float], use: Sequence[float | None], terms: Sequence[Drawn], here: float
) -> Figure:
    """`terms` are prices of used hours that are known today, one value each; `here` is the use of the design.

    `use` is None where it is unknown and infinite where owning is cheaper at no use: these are told apart.
    """
    name, eyebrow = "use_by_price", "Break-even use against rental price"
    if all(value is None for value in use):
        return unknown_figure(name, eyebrow, OF_USE, "The use from which owning is cheaper is unknown.")
    drawn = [(at, value) for at, value in zip(price, use, strict=True) if value is not None and value <= 1]
    if not drawn:
        return unknown_figure(name, eyebrow, OF_USE, "At no price drawn here is owning cheaper.")
    enough = _price_from(price, use, here)
    at_use = f"{100 * here:.0f}{THIN_SPACE}%"
    top = price[-1]
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [at for at, _ in drawn],
            "y": [100 * value for _, value in drawn],
            "line": {"color": token("c1"), "width": 2.5},
            "hovertemplate": "At %{x:.2f} USD an hour<br>owning is cheaper from %{y:.0f} % use<extra></extra>",
        }
    ]
    rows = []
    for term in terms:
        at = term.values[0]
        if at is None:
            continue
        needed = _between(price, use, at)
        words = "never" if needed is None or needed > 1 else f"{100 * needed:.0f}"
        rows.append(Row(cells=(term.title, number(at), words), slot=STYLES[term.key].slot))
        if needed is not None and needed <= 1:
            style = STYLES[term.key]
            data.append(
                {
                    "type": "scatter",
                    "mode": "markers+text",
                    "x": [at],
                    "y": [100 * needed],
                    "text": [term.title],
                    "textposition": "top right" if at < 0.7 * top else "top left",
                    "textfont": {"size": 12, "color": token("text-2")},
                    "marker": {"size": 9, "symbol": style.symbol, "color": token(style.slot)},
                    "hovertemplate": f"{term.title}, {number(at)} USD<br>from %{{y:.0f}} % use<extra></extra>",
                }
            )
    ticks = round_ticks(top, wanted=5)
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"At {at_use} use owning is cheaper than any rent above {number(round(enough, 2))} USD an hour."
        if enough is not None
        else f"At {at_use} use owning is not cheaper at any price drawn here.",
        caption=OF_USE,
        height=HEIGHT,
        columns=(
            Column(name="Terms", numeric=False),
            Column(name="Today", unit="USD/h"),
            Column(name="Own from", unit="% use"),
        ),
        rows=tuple(rows),
        plot={
            "data": data,
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 16, "t": 16, "b": 8},
                xaxis=value_axis(
                    ticks,
                    [number(tick) for tick in ticks],
                    [0, top],
                    showgrid=False,
                    showline=True,
                    linecolor=token("axis"),
                    title=axis_title("USD for each accelerator and used hour"),
                ),
                yaxis=_use_axis(),
                shapes=[
                    {"type": "line", "x0": 0, "x1": top, "y0": 100 * here, "y1": 100 * here,
                     "line": {"color": token("control"), "width": 1, "dash": "dash"}}
                ],
                annotations=[
                    {"x": top, "y": 100 * here, "xanchor": "right", "yanchor": "bottom", "showarrow": False,
                     "text": "use of this design", "font": {"size": 12, "color": token("text-3")}}
                ],
            ),
        },
        narrow={"xaxis.nticks": 4},
    )  # fmt: skip


def hour_cost_figure(utilisation: Sequence[float], lines: Sequence[Drawn], here: float) -> Figure:
    """The first of `lines` is owning."""
    name, eyebrow = "hour_cost", "Cost of a used accelerator-hour against use"
    known = [drawn for drawn in lines if None not in drawn.values]
    if not known or known[0].key != "own":
        return unknown_figure(name, eyebrow, OF_HOURS, "What an owned hour costs is unknown.")
    place = min(range(len(utilisation)), key=lambda at: abs(utilisation[at] - here))
    dearest = max((drawn.values[-1] or 0.0 for drawn in known), default=1.0)
    top = 2.2 * dearest
    own = known[0].values[place] or 0.0
    half = known[0].values[min(range(len(utilisation)), key=lambda at: abs(utilisation[at] - 0.4))] or 0.0
    ticks = round_ticks(top, wanted=5)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{THIN_SPACE}USD"
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"An owned hour costs {own:.2f} USD at {100 * utilisation[place]:.0f}{THIN_SPACE}% use and "
        f"{half:.2f} at 40{THIN_SPACE}%.",
        caption=OF_HOURS,
        height=HEIGHT,
        columns=(Column(name="Use", numeric=False), *(Column(name=drawn.title, unit="USD/h") for drawn in known)),
        rows=tuple(
            Row(cells=(f"{100 * use:.0f}{THIN_SPACE}%",
                       *(f"{drawn.values[at] or 0.0:.2f}" for drawn in known)))
            for at, use in enumerate(utilisation)
            if at % 2
        ),
        plot={
            "data": [
                line(
                    drawn,
                    [100 * use for use in utilisation],
                    [
                        f"{value or 0.0:.2f} USD at {100 * use:.0f}{THIN_SPACE}% use"
                        for use, value in zip(utilisation, drawn.values, strict=True)
                    ],
                )
                for drawn in known
            ],
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 112, "t": 8, "b": 8},
                xaxis=value_axis(
                    [20, 40, 60, 80, 100],
                    ["20", "40", "60", "80", f"100{THIN_SPACE}%"],
                    [100 * utilisation[0], 100],
                    showgrid=False,
                    showline=True,
                    linecolor=token("axis"),
                    title=axis_title("Share of the hours that are used"),
                ),
                yaxis=value_axis(ticks, labels, [0, top]),
                annotations=end_labels(
                    [
                        (f"<b>{drawn.title}</b>" if drawn.key == "own" else drawn.title, drawn.values[-1] or 0.0,
                         "c1" if drawn.key == "own" else "text-2")
                        for drawn in known
                    ],
                    100,
                    top,
                ),
            ),
        },
        narrow={"margin.r": 104, "xaxis.nticks": 3},
    )  # fmt: skip


def _use_axis() -> dict[str, Any]:
    uses = [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    return value_axis(uses, [*(number(use) for use in uses[:-1]), f"100{THIN_SPACE}%"], [0, 105])


def _between(price: Sequence[float], use: Sequence[float | None], at: float) -> float | None:
    """The curve at a price; None where it is not met there."""
    for place in range(1, len(price)):
        low, high = use[place - 1], use[place]
        if price[place - 1] <= at <= price[place] and high is not None:
            if low is None or math.isinf(low):
                return high
            share = (at - price[place - 1]) / (price[place] - price[place - 1])
            return low + share * (high - low)
    return None


def _price_from(price: Sequence[float], use: Sequence[float | None], here: float) -> float | None:
    """The lowest price at which a use is enough for owning, between those drawn; None where none is."""
    for place, high in enumerate(use):
        if high is None or high > here:
            continue
        low = use[place - 1] if place else None
        if low is None or math.isinf(low):
            return price[place]
        share = (low - here) / (low - high)
        return price[place - 1] + share * (price[place] - price[place - 1])
    return None
