"""Bars of the cost and power of a bill of materials by role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import NOT_PUBLISHED, THIN_SPACE, show, span

PRICE, POWER = "fabric_price", "fabric_power"
PRICE_EYEBROW, POWER_EYEBROW = "Price by role, including spares", "Power by role, typical"
PRICE_CAPTION = (
    "Bars are typical prices, lines reach from low to high: what was published, all low or all high at once. NICs "
    "that come with their SuperNode cost nothing here."
)
POWER_CAPTION = "Of what is installed. NICs draw from their node and are counted there."
BAR, FRAME = 34, 44  # pixels a role, and around them


class RoleSum(NamedTuple):
    """Totals of all pieces of one role; None where something of it is unknown."""

    role: str
    title: str
    low_usd: float | None
    typical_usd: float | None
    high_usd: float | None
    power_w: float | None


def role_sums(answer: dict[str, Any], titles: dict[str, str]) -> list[RoleSum]:
    """The roles of a bill in their order, of all networks together."""
    sums = []
    for role, title in titles.items():
        lines = [line for line in answer["lines"] if line["role"] == role]
        if lines:
            low, typical, high = (
                _sum(line["price_usd"][name] for line in lines) for name in ("low", "typical", "high")
            )
            power_w = _sum(line["power_w"] for line in lines)
            sums.append(RoleSum(role, title, low, typical, high, power_w))
    return sums


def price_figure(sums: Sequence[RoleSum]) -> Figure:
    """Typical price by role, with its range."""
    known = [one for one in sums if one.typical_usd]
    if not known:
        return unknown_figure(PRICE, PRICE_EYEBROW, PRICE_CAPTION, "No price of these pieces is published.")
    most = max(known, key=lambda one: one.typical_usd or 0.0)
    total = sum(one.typical_usd or 0.0 for one in known)
    share = f"{100 * (most.typical_usd or 0.0) / total:.0f}{THIN_SPACE}%"
    whole = len(known) == len([one for one in sums if one.typical_usd != 0])
    return _figure(
        PRICE,
        PRICE_EYEBROW,
        PRICE_CAPTION,
        f"{most.title} are {share} of {show(total, 'USD').text}{'' if whole else ', of what is priced'}.",
        known,
        [one.typical_usd or 0.0 for one in known],
        "USD",
        ends=[(one.low_usd or 0.0, one.high_usd or 0.0) for one in known],
        rows=tuple(Row((one.title, show(one.typical_usd, "USD").text, _range(one))) for one in sums),
        columns=(Column.words("Role"), Column("Typical"), Column("Low to high")),
    )


def power_figure(sums: Sequence[RoleSum]) -> Figure:
    """Power by role; roles that draw nothing are left out."""
    known = [one for one in sums if one.power_w]
    if not known:
        return unknown_figure(
            POWER, POWER_EYEBROW, POWER_CAPTION, "The power of these pieces is not published."
        )
    most = max(known, key=lambda one: one.power_w or 0.0)
    total = sum(one.power_w or 0.0 for one in known)
    share = f"{100 * (most.power_w or 0.0) / total:.0f}{THIN_SPACE}%"
    return _figure(
        POWER,
        POWER_EYEBROW,
        POWER_CAPTION,
        f"{most.title} draw {share} of {show(total, 'W').text}.",
        known,
        [one.power_w or 0.0 for one in known],
        "W",
        ends=[],
        rows=tuple(Row((one.title, show(one.power_w, "W").text)) for one in sums),
        columns=(Column.words("Role"), Column("Power")),
    )


def _figure(
    name: str,
    eyebrow: str,
    caption: str,
    takeaway: str,
    sums: Sequence[RoleSum],
    values: list[float],
    unit: str,
    *,
    ends: list[tuple[float, float]],
    rows: tuple[Row, ...],
    columns: tuple[Column, ...],
) -> Figure:
    largest = max([*values, *(high for _, high in ends)])
    names = [one.title for one in sums]
    reach = forms.error_bars(
        [high - value for value, (_, high) in zip(values, ends, strict=True)],
        [value - low for value, (low, _) in zip(values, ends, strict=True)],
    ) if ends else None  # fmt: skip
    bars = forms.bars(
        names, values, "c3", width=0.55, opacity=0.55,  # a range is read across its bar
        said=[show(value, unit).text for value in values], hover="%{y}<br>%{customdata}", error_x=reach,
    )  # fmt: skip
    across = forms.from_zero(largest, room=1.04, words=lambda tick: show(tick, unit).text if tick else "0")
    plot = forms.plot([bars], BAR * len(sums) + FRAME, x=across, y=forms.names(names))
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=caption,
        columns=columns,
        rows=rows,
        plot=plot,
        narrow=forms.few_ticks(plot),
    )


def _sum(values: Any) -> float | None:
    found = list(values)
    return None if None in found else float(sum(found))


def _range(one: RoleSum) -> str:
    if one.low_usd is None or one.high_usd is None:
        return NOT_PUBLISHED
    if one.low_usd == one.high_usd:
        return ""
    return span(show(one.low_usd, "USD"), show(one.high_usd, "USD"))
