"""Rental prices: dated offers behind, price paths ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.economics.rent_parts import STYLES, axis_title, end_labels
from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, number

NAME = "rent_prices"
EYEBROW = "Rental prices, offers and paths"
HEIGHT = 360
DASHES = {"flat": "solid", "decay": "dash", "shock": "dot", "shock_back": "dashdot", "history": "longdash"}
CAPTION = (
    "Points are dated offers of the catalog, of every seller and region; lines are what the price paths make of today's "
    "price. Sellers and regions differ on one day, so the points are no path of any one price."
)


class OfferPoint(NamedTuple):
    """`year` counts from the start of year 0, in years."""

    kind: str
    title: str
    year: float
    usd_per_hour: float
    said: str


class PathLine(NamedTuple):
    """Prices of months from now over today's."""

    key: str
    title: str
    over_today: Sequence[float]
    chosen: bool


def rent_prices_figure(
    offers: Sequence[OfferPoint],
    paths: Sequence[PathLine],
    *,
    today_year: float,
    usd_per_hour: float | None,
    words: str,
) -> Figure:
    """`usd_per_hour` is today's price of the terms that `words` name; None where it is unknown."""
    drawn = list(paths) if usd_per_hour is not None else []
    if not offers and not drawn:
        return unknown_figure(NAME, EYEBROW, CAPTION, "The catalog has no dated offer of this accelerator.")
    price = usd_per_hour or 0.0
    lines = [(path, [price * over for over in path.over_today]) for path in drawn]
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(offers, lines, words),
        caption=CAPTION,
        height=HEIGHT,
        columns=(
            Column(name="Path", numeric=False),
            *(Column(name=name, unit="USD/h") for name in ("Today", "Lowest", "Highest", "At the end")),
        ),
        rows=tuple(
            Row(cells=(path.title, *(number(round(value, 3)) for value in (ahead[0], min(ahead), max(ahead), ahead[-1]))))
            for path, ahead in lines
        ),
        legend=tuple(
            Mark(slot=STYLES[kind].slot, label=title)
            for kind, title in dict.fromkeys((offer.kind, offer.title) for offer in offers)
        ),
        plot=_plot(offers, lines, today_year),
        narrow={"margin.r": 112, "xaxis.nticks": 4},
    )  # fmt: skip


def _takeaway(offers: Sequence[OfferPoint], lines: Sequence[tuple[PathLine, list[float]]], words: str) -> str:
    if not lines:
        return f"The price of {words} is unknown, so no path begins here."
    ends = [ahead[-1] for _, ahead in lines]
    ahead = f"the paths end between {min(ends):.2f} and {max(ends):.2f} USD"
    if not offers:
        return f"From {lines[0][1][0]:.2f} USD an hour today {ahead}."
    prices = [offer.usd_per_hour for offer in offers]
    return f"Offers run from {min(prices):.2f} to {max(prices):.2f} USD an hour; {ahead}."


def _plot(
    offers: Sequence[OfferPoint], lines: Sequence[tuple[PathLine, list[float]]], today: float
) -> dict[str, Any]:
    first = min([offer.year for offer in offers], default=today)
    last = today + max((len(ahead) for _, ahead in lines), default=0) / 12
    highest = max([offer.usd_per_hour for offer in offers] + [max(ahead) for _, ahead in lines])
    top = 1.08 * highest
    data: list[dict[str, Any]] = []
    for kind in dict.fromkeys(offer.kind for offer in offers):
        style, here = STYLES[kind], [offer for offer in offers if offer.kind == kind]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": here[0].title,
                "x": [offer.year for offer in here],
                "y": [offer.usd_per_hour for offer in here],
                "marker": {"size": 7, "symbol": style.symbol, "color": token(style.slot)},
                "customdata": [offer.said for offer in here],
                "hovertemplate": f"{here[0].title}, %{{y:.2f}} USD<br>%{{customdata}}<extra></extra>",
            }
        )
    for path, ahead in lines:
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": path.title,
                "x": [today + place / 12 for place in range(len(ahead))],
                "y": ahead,
                "line": {
                    "color": token("c1" if path.chosen else "text-3"),
                    "width": 2.5 if path.chosen else 1.5,
                    "dash": DASHES[path.key],
                },
                "hovertemplate": f"{path.title}<br>%{{y:.2f}} USD an hour<extra></extra>",
            }
        )
    ticks = round_ticks(top, wanted=5)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{THIN_SPACE}USD"
    years = [float(year) for year in range(int(first) + (first > int(first)), int(last) + 1)]
    shown = years[:: max(1, -(-len(years) // 7))]
    room = max(last - first, 0.5)
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 136 if lines else 16, "t": 12, "b": 8},
            xaxis=value_axis(
                shown,
                [f"{year:.0f}" for year in shown],
                [first - 0.02 * room, last if lines else last + 0.02 * room],
                showgrid=False,
                showline=True,
                linecolor=token("axis"),
                title=axis_title("Year"),
            ),
            yaxis=value_axis(ticks, labels, [0, top]),
            shapes=[
                {"type": "line", "x0": today, "x1": today, "y0": 0, "y1": top,
                 "line": {"color": token("axis"), "width": 1, "dash": "dot"}}
            ],
            annotations=[
                *end_labels(
                    [
                        (f"<b>{path.title}</b>" if path.chosen else path.title, ahead[-1],
                         "c1" if path.chosen else "text-2")
                        for path, ahead in lines
                    ],
                    last,
                    top,
                ),
                {"x": today, "y": top, "xanchor": "right", "yanchor": "top", "xshift": -4, "showarrow": False,
                 "text": "today", "font": {"size": 12, "color": token("text-3")}},
            ],
        ),
    }  # fmt: skip
