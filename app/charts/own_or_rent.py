"""Cumulative cost of owning and renting by month."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import WIDE_SPACE
from app.charts.tco import Scale, money_scale
from app.engine.economics.finance import monthly_rate, payback_months
from app.engine.economics.rent import monthly_gain_usd
from app.engine.economics.tco import installed_accelerator_hours_per_year

EYEBROW = "Cumulative cost, owned and rented"
HEIGHT = 320
NEAR = 0.13  # of the life: crossings closer than this have their months on either side
Line = NDArray[np.float64]


class Term(NamedTuple):
    key: str
    label: str
    words: str  # in a sentence
    adjective: str
    slot: str
    dash: str


class Rented(NamedTuple):
    term: Term
    usd_per_hour: float
    cost: Line  # after each month
    months: float  # until owning has paid for itself, infinite when it never does


TERMS = (
    Term("on_demand", "On demand", "renting on demand", "on-demand", "c4", "dot"),
    Term("reserved", "Reserved", "a reserved rate", "reserved", "c2", "dash"),
    Term("contract", "Contract", "a negotiated contract", "contract", "c5", "longdashdot"),
)


def own_or_rent_figure(evaluation: dict[str, Any]) -> Figure:
    """Lines over the months of the life, with the month from which owning is cheaper."""
    prices = [
        (term, get_path(evaluation, f"inputs.economics.rental_{term.key}_usd_per_accelerator_hour"))
        for term in TERMS
    ]
    known = [(term, price) for term, price in prices if price is not None]
    caption = _caption(evaluation, known)
    inputs = {
        "capex": get_path(evaluation, "cost.capex_usd"),
        "opex": get_path(evaluation, "cost.opex_usd_per_year"),
        "years": get_path(evaluation, "inputs.economics.life_years"),
        "wacc": get_path(evaluation, "inputs.economics.wacc"),
        "utilisation": get_path(evaluation, "inputs.economics.utilisation"),
        "availability": get_path(evaluation, "reliability.availability"),
        "facility_availability": get_path(evaluation, "power.facility_availability"),
        "supernodes": get_path(evaluation, "inputs.pod.supernodes"),
        "accelerators": get_path(evaluation, "inputs.supernode.accelerators"),
    }
    if None in inputs.values() or not known or inputs["years"] <= 0:
        return unknown_figure("own_or_rent", EYEBROW, caption, "The cost of owning or renting is unknown.")
    months: Line = np.arange(round(12 * inputs["years"]) + 1, dtype=float)
    worth = _worth_of_payments(months, inputs["wacc"])
    own = inputs["capex"] + inputs["opex"] / 12 * worth
    rented = [_rented_line(term, price, inputs, worth) for term, price in known]
    scale = money_scale(float(max(own[-1], *(line.cost[-1] for line in rented))))
    few = _month_ticks(months[-1], most=4)
    short = sorted(_ends(own, rented, scale, priced=False), key=lambda end: -end[1])
    return Figure(
        name="own_or_rent",
        eyebrow=EYEBROW,
        takeaway=_takeaway(rented, float(months[-1])),
        caption=caption,
        columns=(
            Column.words("After"),
            Column("Own", scale.unit),
            *(Column(line.term.label, scale.unit) for line in rented),
        ),
        rows=_rows(months, own, rented, scale),
        plot=_plot(months, own, rented, scale),
        narrow={
            "margin.r": 80,
            **{f"annotations.{place}.text": words for place, (words, *_) in enumerate(short)},
            "xaxis.tickvals": few,
            "xaxis.ticktext": [str(tick) for tick in few],
        },
    )


def _caption(evaluation: dict[str, Any], known: list[tuple[Term, float]]) -> str:
    wacc, use = (get_path(evaluation, f"inputs.economics.{name}") for name in ("wacc", "utilisation"))
    text = (
        "The whole facility is bought at the start; resale is not counted. Rent is for utilised hours alone"
    )
    text += f", {100 * use:.3g}\u202f% of all" if use is not None else ""
    text += "; support, storage and hours booked for a peak are counted under \u201cOwn or rent\u201d."
    if wacc is not None:
        text = f"At present value at {100 * wacc:.3g}\u202f% per year. {text}"
    missing = [term.adjective for term in TERMS if term not in [term for term, _ in known]]
    return f"{text} No {' or '.join(missing)} price is published." if missing else text


def _takeaway(rented: list[Rented], life: float) -> str:
    pays = [line for line in rented if line.months <= life]
    never = [line for line in rented if line.months > life]
    if not pays:
        against = " or ".join(line.term.words for line in never)
        return (
            f"By the hourly rent alone, owning does not pay back within {life:.0f} months against {against}."
        )
    text = ", and after ".join(f"{line.months:.0f} months against {line.term.words}" for line in pays)
    text = f"By the hourly rent alone, owning pays back after {text}"
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
        Row(
            (
                f"{month} months",
                *(scale.words(float(line[month])) for line in (own, *(line.cost for line in rented))),
            )
        )
        for month in shown
    ]
    paid = Row(
        (
            "Payback, hourly rent alone",
            "",
            *(f"{line.months:.0f} months" if np.isfinite(line.months) else "never" for line in rented),
        ),
        path="cost.break_even_months",
        total=True,
    )
    return (*rows, paid)


def _plot(months: Line, own: Line, rented: list[Rented], scale: Scale) -> dict[str, Any]:
    last = int(months[-1])
    top = 1.06 * float(max(own.max(), *(line.cost.max() for line in rented))) / scale.divisor
    data = [_line(own, "Own", "c1", "solid", 2.5, scale)]
    data += [_line(line.cost, line.term.label, line.term.slot, line.term.dash, 1.8, scale) for line in rented]
    shapes, notes = [], forms.end_labels(_ends(own, rented, scale), last, top)
    crossed = sorted((line for line in rented if line.months <= last), key=lambda line: line.months)
    for position, line in enumerate(crossed):
        near = position and line.months - crossed[position - 1].months < NEAR * last
        side, shift = ("left", 4) if near or line.months < NEAR * last else ("right", -4)
        month, cost = _crossing(own, line.cost, int(line.months))
        height, pays = cost / scale.divisor, f"after {line.months:.0f} months against {line.term.words}"
        shapes.append(forms.segment(month, 0, month, height, dash="dot"))
        data.append(forms.ring(month, height, hover=f"Owning pays back<br>{pays}"))
        words = f"<b>{line.months:.0f}{WIDE_SPACE}mo</b>"
        notes.append(
            forms.note(
                month, 0, words, "text", anchor=f"{side} bottom", shift=(shift, 2), ground="bg", borderpad=1
            )
        )
    return forms.plot(
        data,
        HEIGHT,
        x=forms.along(_month_ticks(last), str, [0, last], title="Months of use"),
        y=forms.from_zero(top, scale.unit, wanted=4),
        shapes=shapes,
        notes=notes,
        right=112,
    )


def _line(cost: Line, name: str, slot: str, dash: str, width: float, scale: Scale) -> dict[str, Any]:
    hover = f"{name}<br>%{{customdata}}{WIDE_SPACE}{scale.unit} after %{{x}} months"
    said = [scale.words(float(value)) for value in cost]
    heights = np.round(cost / scale.divisor, 3).tolist()  # finer than a screen draws
    return forms.line(range(len(cost)), heights, slot, width, dash, name=name, said=said, hover=hover)


def _crossing(own: Line, rent: Line, month: int) -> tuple[float, float]:
    """Where the lines meet: within the month before owning has paid for itself."""
    before, after = own[month - 1] - rent[month - 1], own[month] - rent[month]
    share = float(before / (before - after)) if before > after else 1.0
    return month - 1 + share, float(own[month - 1] + share * (own[month] - own[month - 1]))


def _ends(
    own: Line, rented: list[Rented], scale: Scale, *, priced: bool = True
) -> list[tuple[str, float, str]]:
    """Names at the ends of the lines, of rents with their price."""
    return [
        ("<b>Own</b>", float(own[-1]) / scale.divisor, "c1"),
        *(
            (f"{line.term.label}, {line.usd_per_hour:.2f}" if priced else line.term.label,
             float(line.cost[-1]) / scale.divisor, "text-2")
            for line in rented
        ),
    ]  # fmt: skip


def _worth_of_payments(months: Line, wacc: float) -> Line:
    """Worth today of one dollar at the end of each month so far."""
    rate = monthly_rate(yearly_rate=np.array([wacc]))
    return months if wacc == 0 else -np.expm1(-months * np.log1p(rate)) / rate


def _rented_line(term: Term, price: float, inputs: dict[str, float], worth: Line) -> Rented:
    """The engine's own gain and pay-back, for one price."""
    hours = installed_accelerator_hours_per_year(
        supernodes=np.array([inputs["supernodes"]]),
        accelerators_per_supernode=np.array([inputs["accelerators"]]),
    )
    gain = monthly_gain_usd(
        available_accelerator_hours_per_year=hours * inputs["availability"] * inputs["facility_availability"],
        utilisation=np.array([inputs["utilisation"]]),
        rent_usd_per_hour=np.array([price]),
        opex_usd_per_year=np.array([inputs["opex"]]),
    )
    with np.errstate(divide="ignore", invalid="ignore"):  # a pod that never pays back
        months = payback_months(
            price_usd=np.array([inputs["capex"]]),
            monthly_gain_usd=gain,
            monthly_rate=monthly_rate(yearly_rate=np.array([inputs["wacc"]])),
        )
    return Rented(term, price, (gain + inputs["opex"] / 12) * worth, float(months[0]))
