"""Rental prices: dated offers behind, price paths ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number

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
        columns=(
            Column.words("Path"),
            *(Column(name, "USD/h") for name in ("Today", "Lowest", "Highest", "At the end")),
        ),
        rows=tuple(
            Row(
                (
                    path.title,
                    *(number(round(value, 3)) for value in (ahead[0], min(ahead), max(ahead), ahead[-1])),
                )
            )
            for path, ahead in lines
        ),
        legend=tuple(
            Mark(STYLES[kind].slot, title)
            for kind, title in dict.fromkeys((offer.kind, offer.title) for offer in offers)
        ),
        plot=_plot(offers, lines, today_year),
        narrow={"margin.r": 112, "xaxis.nticks": 4},
    )


def _takeaway(offers: Sequence[OfferPoint], lines: Sequence[tuple[PathLine, list[float]]], words: str) -> str:
    if not lines:
        return f"The price of {words} is unknown, so no path begins here."
    ends = [ahead[-1] for _, ahead in lines]
    ahead = f"the paths end between {min(ends):.2f} and {max(ends):.2f} USD"
    if not offers:
        return f"From {lines[0][1][0]:.2f} USD per hour today {ahead}."
    prices = [offer.usd_per_hour for offer in offers]
    return f"Offers run from {min(prices):.2f} to {max(prices):.2f} USD per hour; {ahead}."


def _plot(
    offers: Sequence[OfferPoint], lines: Sequence[tuple[PathLine, list[float]]], today: float
) -> dict[str, Any]:
    first = min([offer.year for offer in offers], default=today)
    last = today + max((len(ahead) for _, ahead in lines), default=0) / 12
    top = 1.08 * max([offer.usd_per_hour for offer in offers] + [max(ahead) for _, ahead in lines])
    kinds = {
        kind: [offer for offer in offers if offer.kind == kind]
        for kind in dict.fromkeys(offer.kind for offer in offers)
    }
    data = [
        forms.dots(
            [offer.year for offer in here], [offer.usd_per_hour for offer in here], STYLES[kind].slot, 7,
            symbol=STYLES[kind].symbol, name=here[0].title, said=[offer.said for offer in here],
            hover=f"{here[0].title}, %{{y:.2f}} USD<br>%{{customdata}}",
        )
        for kind, here in kinds.items()
    ]  # fmt: skip
    for path, ahead in lines:
        look = ("c1", 2.5) if path.chosen else ("text-3", 1.5)
        months = [today + place / 12 for place in range(len(ahead))]
        hover = f"{path.title}<br>%{{y:.2f}} USD per hour"
        data.append(forms.line(months, ahead, *look, DASHES[path.key], name=path.title, hover=hover))
    years = range(int(first) + (first > int(first)), int(last) + 1)
    shown = years[:: max(1, -(-len(years) // 7))]
    room = 0.02 * max(last - first, 0.5)
    extent = [first - room, last if lines else last + room]
    return forms.plot(
        data,
        HEIGHT,
        x=forms.along(shown, str, extent, title="Year"),
        y=forms.from_zero(top, "USD"),
        shapes=[forms.segment(today, 0, today, top, dash="dot")],
        notes=[
            *names_at_ends([(path.title, ahead[-1], path.chosen) for path, ahead in lines], last, top),
            forms.note(today, top, "today", "text-3", anchor="right top", shift=(-4, 0)),
        ],
        top=12,
        right=136 if lines else 16,
    )


class Style(NamedTuple):
    slot: str
    dash: str
    symbol: str
    width: float = 1.8


STYLES = {
    "own": Style("c1", "solid", "circle", 2.5),
    "own_level": Style("c1-tint", "solid", "circle"),
    "on_demand": Style("c4", "dot", "cross"),
    "reserved": Style("c2", "dash", "square"),
    "contract": Style("c7", "dash", "diamond-open"),
    "spot": Style("c6", "dashdot", "triangle-down"),
    "capacity_block": Style("c5", "longdashdot", "triangle-up"),
    "mix": Style("c3", "longdash", "diamond"),
}


class Drawn(NamedTuple):
    """A line of a choice. Unknown and infinite values are None."""

    key: str
    title: str
    values: Sequence[float | None]


def line(drawn: Drawn, across: Sequence[float], said: Sequence[str], divisor: float = 1.0) -> dict[str, Any]:
    """A trace; `said` is what each point says when it is pointed at."""
    style = STYLES[drawn.key]
    heights = [None if value is None else value / divisor for value in drawn.values]
    hover = f"{drawn.title}<br>%{{customdata}}"
    return forms.line(
        across, heights, style.slot, style.width, style.dash, name=drawn.title, said=said, hover=hover
    )


def names_at_ends(lines: Sequence[tuple[str, float, bool]], last: float, top: float) -> list[dict[str, Any]]:
    """Titles at the ends of their lines, whose heights are given; some are emphasised."""
    ends = [
        (f"<b>{title}</b>" if bold else title, end, "c1" if bold else "text-2") for title, end, bold in lines
    ]
    return forms.end_labels(ends, last, top)
