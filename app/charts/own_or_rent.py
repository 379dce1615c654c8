"""What owning the pod has cost after each month, against renting the same used hours."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.charts.figure import (
    Column,
    Figure,
    Row,
    at,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import WIDE_SPACE, number
from app.charts.pay_back import TERMS, Line, Rented, Term, rented_line, worth_of_payments
from app.charts.tco import Scale, money_scale

EYEBROW = "Cumulative cost, own against rent"
HEIGHT = 320
LABEL_SPACE = 0.075  # of the height, between labels at the ends of lines
NEAR = 0.13  # of the life: crossings closer than this have their months on either side


def own_or_rent_figure(evaluation: dict[str, Any]) -> Figure:
    """Lines over the months of the life, with the month from which owning is cheaper."""
    prices = [(term, at(evaluation, f"inputs.economics.rental_{term.key}_usd_per_accelerator_hour"))
              for term in TERMS]  # fmt: skip
    known = [(term, price) for term, price in prices if price is not None]
    caption = _caption(evaluation, known)
    inputs = {
        "capex": at(evaluation, "cost.capex_usd"),
        "opex": at(evaluation, "cost.opex_usd_per_year"),
        "years": at(evaluation, "inputs.economics.life_years"),
        "wacc": at(evaluation, "inputs.economics.wacc"),
        "utilisation": at(evaluation, "inputs.economics.utilisation"),
        "availability": at(evaluation, "reliability.availability"),
        "supernodes": at(evaluation, "inputs.pod.supernodes"),
        "accelerators": at(evaluation, "inputs.supernode.accelerators"),
    }
    if None in inputs.values() or not known or inputs["years"] <= 0:
        return unknown_figure("own_or_rent", EYEBROW, caption, "What owning or renting costs is unknown.")
    months: Line = np.arange(round(12 * inputs["years"]) + 1, dtype=float)
    worth = worth_of_payments(months, inputs["wacc"])
    own = inputs["capex"] + inputs["opex"] / 12 * worth
    rented = [rented_line(term, price, inputs, worth) for term, price in known]
    scale = money_scale(float(max(own[-1], *(line.cost[-1] for line in rented))))
    return Figure(
        name="own_or_rent",
        eyebrow=EYEBROW,
        takeaway=_takeaway(rented, float(months[-1])),
        caption=caption,
        height=HEIGHT,
        columns=(Column(name="After", numeric=False), Column(name="Own", unit=scale.unit),
                 *(Column(name=line.term.label, unit=scale.unit) for line in rented)),
        rows=_rows(months, own, rented, scale),
        plot=_plot(months, own, rented, scale),
        narrow={"margin.r": 72, **_short_labels(own, rented), "xaxis.tickvals": _month_ticks(months[-1], most=4),
                "xaxis.ticktext": [str(tick) for tick in _month_ticks(months[-1], most=4)]},
    )  # fmt: skip


def _caption(evaluation: dict[str, Any], known: list[tuple[Term, float]]) -> str:
    wacc, use = (at(evaluation, f"inputs.economics.{name}") for name in ("wacc", "utilisation"))
    text = "The whole facility is bought at the start; resale is not counted. Rent is for used hours alone"
    text += f", {100 * use:.3g}\u202f% of all." if use is not None else "."
    if wacc is not None:
        text = f"In today's money at {100 * wacc:.3g}\u202f% a year. {text}"
    missing = [term.adjective for term in TERMS if term not in [term for term, _ in known]]
    return f"{text} No {' or '.join(missing)} price is published." if missing else text


def _takeaway(rented: list[Rented], life: float) -> str:
    pays = [line for line in rented if line.months <= life]
    never = [line for line in rented if line.months > life]
    if not pays:
        against = " or ".join(line.term.words for line in never)
        return f"Owning does not pay back within {life:.0f} months against {against}."
    text = ", and after ".join(f"{line.months:.0f} months against {line.term.words}" for line in pays)
    text = f"Owning pays back after {text}"
    if never:
        text += f", but not within {life:.0f} against {never[0].term.words}"
    return f"{text}."


def _month_ticks(last: float, most: int = 6) -> list[int]:
    """Whole years, every second or third where there are many."""
    years = max(int(last) // 12, 1)
    step = 12 * -(-years // (most - 1))
    return list(range(0, int(last) + 1, step))


def _rows(months: Line, own: Line, rented: list[Rented], scale: Scale) -> tuple[Row, ...]:
    shown = sorted({*range(0, len(months), 12), len(months) - 1})
    rows = [
        Row(cells=(f"{month} months", *(scale.words(float(line[month]))
                                        for line in (own, *(line.cost for line in rented)))))
        for month in shown
    ]  # fmt: skip
    paid = Row(
        cells=("Owning pays back after", "",
               *(f"{line.months:.0f} months" if np.isfinite(line.months) else "never" for line in rented)),
        path="cost.break_even_months",
        total=True,
    )  # fmt: skip
    return (*rows, paid)


def _plot(months: Line, own: Line, rented: list[Rented], scale: Scale) -> dict[str, Any]:
    last = int(months[-1])
    highest = float(max(own.max(), *(line.cost.max() for line in rented))) / scale.divisor
    top = highest * 1.06
    data = [_line(months, own, "Own", "c1", "solid", 2.5, scale)]
    data += [
        _line(months, line.cost, line.term.label, line.term.slot, line.term.dash, 1.8, scale)
        for line in rented
    ]
    names = [("<b>Own</b>", float(own[-1]) / scale.divisor, "c1")]
    names += [
        (f"{line.term.label}, {line.usd_per_hour:.2f}", float(line.cost[-1]) / scale.divisor, "text-2")
        for line in rented
    ]
    annotations = _end_labels(names, last, top)
    shapes = []
    crossed = sorted((line for line in rented if line.months <= last), key=lambda line: line.months)
    for position, line in enumerate(crossed):
        aside = line.months < NEAR * last or (
            position and line.months - crossed[position - 1].months < NEAR * last
        )
        month, cost = _crossing(own, line.cost, int(line.months))
        shapes.append(
            {"type": "line", "x0": month, "x1": month, "y0": 0, "y1": cost / scale.divisor,
             "line": {"color": token("axis"), "width": 1, "dash": "dot"}}
        )  # fmt: skip
        data.append(_crossing_mark(month, cost / scale.divisor, line))
        annotations.append(
            {"x": month, "y": 0, "xanchor": "left" if aside else "right", "yanchor": "bottom", "xshift": 4 if aside else -4, "yshift": 2,
             "showarrow": False, "text": f"<b>{line.months:.0f}{WIDE_SPACE}mo</b>",
             "bgcolor": token("bg"), "borderpad": 1, "font": {"size": 12, "color": token("text")}}
        )  # fmt: skip
    ticks = round_ticks(top, wanted=4)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{WIDE_SPACE}{scale.unit}"
    years = _month_ticks(last)
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 112, "t": 8, "b": 8},
            xaxis=value_axis(
                [float(year) for year in years],
                [str(year) for year in years],
                [0, last],
                showgrid=False,
                showline=True,
                linecolor=token("axis"),
                title={"text": "Months of use", "font": {"size": 12, "color": token("text-3")}},
            ),
            yaxis=value_axis(ticks, labels, [0, top]),
            shapes=shapes,
            annotations=annotations,
        ),
    }


def _line(
    months: Line, cost: Line, name: str, slot: str, dash: str, width: float, scale: Scale
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": months.tolist(),
        "y": (cost / scale.divisor).tolist(),
        "line": {"color": token(slot), "width": width, "dash": dash},
        "customdata": [scale.words(float(value)) for value in cost],
        "hovertemplate": f"{name}<br>%{{customdata}}{WIDE_SPACE}{scale.unit} after %{{x}} months"
        "<extra></extra>",
    }


def _crossing(own: Line, rent: Line, month: int) -> tuple[float, float]:
    """Where the lines meet: within the month before owning has paid for itself."""
    before, after = own[month - 1] - rent[month - 1], own[month] - rent[month]
    share = float(before / (before - after)) if before > after else 1.0
    return month - 1 + share, float(own[month - 1] + share * (own[month] - own[month - 1]))


def _crossing_mark(month: float, cost: float, line: Rented) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [month],
        "y": [cost],
        "marker": {"size": 9, "color": token("bg"), "line": {"color": token("text"), "width": 2}},
        "hovertemplate": f"Owning pays back<br>after {line.months:.0f} months against "
        f"{line.term.words}<extra></extra>",
    }


def _short_labels(own: Line, rented: list[Rented]) -> dict[str, str]:
    """Names without prices, in the order of the labels at the ends of the lines."""
    ends = [("<b>Own</b>", float(own[-1])), *((line.term.label, float(line.cost[-1])) for line in rented)]
    ordered = sorted(ends, key=lambda end: -end[1])
    return {f"annotations.{position}.text": words for position, (words, _) in enumerate(ordered)}


def _end_labels(names: list[tuple[str, float, str]], last: int, top: float) -> list[dict[str, Any]]:
    """Names at the ends of their lines, moved apart where they would lie on each other."""
    placed: list[float] = []
    labels = []
    for words, value, colour in sorted(names, key=lambda name: -name[1]):
        height = min(value, placed[-1] - LABEL_SPACE * top) if placed else value
        placed.append(height)
        labels.append(
            {"x": last, "y": height, "xanchor": "left", "xshift": 8, "showarrow": False, "text": words,
             "font": {"size": 12, "color": token(colour)}}
        )  # fmt: skip
    return labels
