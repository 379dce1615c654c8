"""Break-even utilisation against the rental price, and the cost of a utilised hour against utilisation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.economics.rent_prices import STYLES, Drawn, line, names_at_ends
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import WIDE_SPACE, number, share_text
from app.charts.tco import Scale, money_scale

HEIGHT = 320
OF_USE = "Rent of utilised hours, with support and storage, over the horizon and on the price path; own cost from the bill."
OF_HOURS = (
    "Cost over utilised hours, both at present value. What is owned is paid for whether it is used or not; what is rented "
    "by the utilised hour is not, and a commitment is paid for the peak."
)


def use_by_price_figure(
    price: Sequence[float], use: Sequence[float | None], terms: Sequence[Drawn], here: float
) -> Figure:
    """`terms` are prices of utilised hours that are known today, one value each; `here` is the use of the
    design.

    `use` is None where it is unknown and infinite where owning is never cheaper: these are distinguished.
    """
    name, eyebrow = "use_by_price", "Break-even utilisation vs rental price"
    if all(value is None for value in use):
        return unknown_figure(name, eyebrow, OF_USE, "The use from which owning is cheaper is unknown.")
    drawn = [
        (at, 100 * value) for at, value in zip(price, use, strict=True) if value is not None and value <= 1
    ]
    if not drawn:
        return unknown_figure(name, eyebrow, OF_USE, "Owning is not cheaper at any price shown.")
    enough, top = _price_from(price, use, here), price[-1]
    takeaway = (
        f"At {share_text(here)} use owning is not cheaper at any price drawn here."
        if enough is None
        else f"At {share_text(here)} use owning is cheaper than any rent above {number(round(enough, 2))} USD per hour."
    )
    hover = "At %{x:.2f} USD per hour<br>owning is cheaper from %{y:.0f} % use"
    data, rows = [forms.line([at for at, _ in drawn], [use for _, use in drawn], hover=hover)], []
    for term in terms:
        at, style = term.values[0], STYLES[term.key]
        if at is None:
            continue
        needed = _between(price, use, at)
        share = math.inf if needed is None else 100 * needed
        rows.append(
            Row((term.title, number(at), f"{share:.0f}" if share <= 100 else "never"), slot=style.slot)
        )
        if share <= 100:
            data.append(
                forms.dots(
                    [at], [share], style.slot, 9, symbol=style.symbol, text=[term.title], text_slot="text-2",
                    place="top right" if at < 0.7 * top else "top left",
                    hover=f"{term.title}, {number(at)} USD<br>from %{{y:.0f}} % use",
                )
            )  # fmt: skip
    across = forms.look(grid=False, base=True, title="USD per accelerator and utilised hour")
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=OF_USE,
        columns=(Column.words("Rental terms"), Column("Today", "USD/h"), Column("Own from", "% use")),
        rows=tuple(rows),
        plot=forms.plot(
            data,
            HEIGHT,
            x=forms.from_zero(top, **across),
            y=forms.values(range(0, 101, 20), number, [0, 105], unit="%"),
            shapes=[forms.segment(0, 100 * here, top, 100 * here, "control", 1, "dash")],
            notes=[forms.note(top, 100 * here, "use of this design", "text-3", anchor="right bottom")],
            top=16,
            right=16,
        ),
        narrow={"xaxis.nticks": 4},
    )


def hour_cost_figure(utilisation: Sequence[float], lines: Sequence[Drawn], here: float) -> Figure:
    """The first of `lines` is owning."""
    name, eyebrow = "hour_cost", "Cost per utilised hour over the horizon vs utilisation"
    known = [drawn for drawn in lines if None not in drawn.values]
    if not known or known[0].key != "own":
        return unknown_figure(name, eyebrow, OF_HOURS, "The cost of an owned hour is unknown.")
    costs = [[value or 0.0 for value in drawn.values] for drawn in known]
    place, forty = (
        min(range(len(utilisation)), key=lambda at: abs(utilisation[at] - use)) for use in (here, 0.4)
    )
    top = 2.2 * max(cost[-1] for cost in costs)
    uses = [share_text(use) for use in utilisation]
    drawn_lines = [
        line(drawn, [100 * use for use in utilisation],
             [f"{value:.2f} USD at {use} use" for use, value in zip(uses, cost, strict=True)])
        for drawn, cost in zip(known, costs, strict=True)
    ]  # fmt: skip
    across = forms.look(unit="%", title="Utilisation")
    ends = [(drawn.title, cost[-1], drawn.key == "own") for drawn, cost in zip(known, costs, strict=True)]
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"Over the horizon an owned hour costs {costs[0][place]:.2f} USD at {uses[place]} use and {costs[0][forty]:.2f} at "
        f"{share_text(0.4)}.",
        caption=OF_HOURS,
        columns=(Column.words("Use"), *(Column(drawn.title, "USD/h") for drawn in known)),
        rows=tuple(
            Row((use, *(f"{cost[at]:.2f}" for cost in costs))) for at, use in enumerate(uses) if at % 2
        ),
        plot=forms.plot(
            drawn_lines,
            HEIGHT,
            x=forms.along(range(20, 101, 20), number, [100 * utilisation[0], 100], **across),
            y=forms.from_zero(top, "USD"),
            notes=names_at_ends(ends, 100, top),
            right=112,
        ),
        narrow={"margin.r": 104, "xaxis.nticks": 3},
    )


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


NAME = "rent_lines"
EYEBROW = "Cumulative cost, owned and rented"
LINES_HEIGHT = 360
CAPTION = (
    "At present value, from what is paid at once. Nothing is credited here: at the end of the months owned equipment "
    "can be sold, which the totals count. Level payments are the same capital spread over its lives."
)
YEAR = 12


def rent_lines_figure(lines: Sequence[Drawn], *, path: str, against: str, meets: float) -> Figure:
    """`lines` begin at month 0. `meets` is the month from which rent on `against` is dearer; infinite: never."""
    known = [drawn for drawn in lines if None not in drawn.values]
    if not known or known[0].key != "own":
        return unknown_figure(NAME, EYEBROW, CAPTION, "The cost of owning is unknown.")
    if len(known) < 3:
        return unknown_figure(NAME, EYEBROW, CAPTION, "The cost of renting is unknown.")
    months = list(range(len(known[0].values)))
    top = max(value or 0.0 for drawn in known for value in drawn.values)
    scale = money_scale(top)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(known, path, against, meets, months[-1], scale),
        caption=CAPTION,
        columns=(Column.words("After"), *(Column(drawn.title, scale.unit) for drawn in known)),
        rows=tuple(
            Row((f"{month} months", *(scale.words(drawn.values[month] or 0.0) for drawn in known)))
            for month in sorted({*range(0, len(months), YEAR), months[-1]})
        ),
        plot=_plot(known, months, top, scale, against, meets),
        narrow={"margin.r": 128, "xaxis.nticks": 4},
    )


def _takeaway(known: list[Drawn], path: str, against: str, meets: float, last: int, scale: Scale) -> str:
    ends = {drawn.key: drawn.values[-1] or 0.0 for drawn in known}
    titles = {drawn.key: drawn.title for drawn in known}
    if against not in ends or math.isnan(meets):
        return f"Owning has cost {scale.words(ends['own'])} {scale.unit} after {last} months."
    rent = titles[against][0].lower() + titles[against][1:]
    if meets <= last:
        return f"Rent {rent} has paid for the pod after {meets:.0f} months {path}."
    if math.isinf(meets):
        return f"Rent {rent} never pays for the pod {path}."
    return f"Rent {rent} pays for the pod after {meets:.0f} months {path}, later than is drawn here."


def _plot(
    known: list[Drawn], months: list[int], highest: float, scale: Scale, against: str, meets: float
) -> dict[str, Any]:
    last, top = months[-1], 1.06 * highest / scale.divisor
    paid = [[scale.text(value or 0.0) for value in drawn.values] for drawn in known]
    data = [
        line(
            drawn,
            months,
            [f"{so_far} after {month} months" for month, so_far in enumerate(words)],
            scale.divisor,
        )
        for drawn, words in zip(known, paid, strict=True)
    ]
    ends = [(drawn.title, (drawn.values[-1] or 0.0) / scale.divisor, drawn.key == "own") for drawn in known]
    notes, shapes = names_at_ends(ends, last, top), []
    by_key = {drawn.key: drawn for drawn in known}
    if against in by_key and meets <= last:
        height = (by_key[against].values[int(meets)] or 0.0) / scale.divisor
        data.append(forms.ring(meets, height, hover=f"Rent has paid for the pod<br>after {meets:.0f} months"))
        shapes.append(forms.segment(meets, 0, meets, height, dash="dot"))
        words = f"<b>{meets:.0f}{WIDE_SPACE}mo</b>"
        notes.append(forms.note(meets, 0, words, "text", anchor="right bottom", shift=(-4, 2)))
    step = YEAR * max(1, -(-last // (6 * YEAR)))
    across = range(0, last + 1, step) if last >= YEAR else [0, last]
    return forms.plot(
        data,
        LINES_HEIGHT,
        x=forms.along(across, number, [0, last], title="Months"),
        y=forms.from_zero(top, scale.unit, wanted=4),
        shapes=shapes,
        notes=notes,
        right=132,
    )
