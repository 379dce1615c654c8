"""Tables of the growth page: rates beside those of others, limits, and pairs of devices near the claim."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.growth.words import doubling_text, figure_text, times
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.growth.asked import GROUPS

CHIPS = {
    "within": ("good", "Inside theirs"),
    "overlap": ("accent", "Overlaps"),
    "apart": ("warn", "Apart"),
    "unknown": ("", "No own fit"),
}
BASES = {"published": "Published", "whole_data": "Whole data"}
CLAIMED = ("compute", "bus", "network")


class RateLine(NamedTuple):
    """A rate of somebody else, and how ours stands to it."""

    basis: str
    rate: str
    doubling: str
    window: str
    source: Source
    chip: str
    agrees: str


class TrendLine(NamedTuple):
    """A trend with its own rate, and the rates of others."""

    key: str
    name: str
    rate: str
    between: str
    doubling: str
    doubling_between: str
    figures: str
    unknown: str
    rates: tuple[RateLine, ...]
    differs: str  # why, where ours is not inside theirs


class TrendGroup(NamedTuple):
    label: str
    lines: tuple[TrendLine, ...]


class LimitLine(NamedTuple):
    """A limit, and when the trend meets it."""

    name: str
    value: str
    says: str
    note: str
    recalled: bool
    source: Source


class CloseLine(NamedTuple):
    """Two devices that come close to the claim."""

    first: str
    last: str
    years: str
    precision: str
    network_basis: str
    factors: tuple[tuple[str, bool], ...]  # compute, bus and network, and whether each holds


def groups_of(items: list[dict[str, Any]], sources: Sources) -> tuple[TrendGroup, ...]:
    """Every trend by its group."""
    return tuple(
        TrendGroup(label, tuple(_line(one, sources) for one in items if one["group"] == group))
        for group, label in GROUPS.items()
    )


def limit_lines(trend: dict[str, Any], sources: Sources) -> tuple[LimitLine, ...]:
    """The limits of a trend, the lowest first."""
    return tuple(
        LimitLine(
            name=limit["name"].capitalize(),
            value=figure_text(limit["value"], limit["unit"]),
            says=limit["says"],
            note=limit["note"],
            recalled=limit["confidence"] == "memory",
            source=_cited(sources, limit["source"]),
        )
        for limit in trend["limits"]
    )


def close_lines(claim: dict[str, Any]) -> tuple[CloseLine, ...]:
    """Pairs near the claim, the nearest first."""
    return tuple(
        CloseLine(
            first=f"{one['from']['name']} ({one['from']['year']})",
            last=f"{one['to']['name']} ({one['to']['year']})",
            years=str(one["years"]),
            precision=one["precision_name"],
            network_basis=one["network_basis_name"],
            factors=tuple((times(one[name]), name in one["holds"]) for name in CLAIMED),
        )
        for one in claim["closest"]
    )


def _line(one: dict[str, Any], sources: Sources) -> TrendLine:
    fit = one["fit"]
    return TrendLine(
        key=one["key"],
        name=one["name"],
        rate=times(fit["annual_factor"]) if fit else "",
        between=_between(fit["low"], fit["high"]) if fit else "",
        doubling=doubling_text(fit["doubling_years"]) if fit else "",
        doubling_between=_doubling_between(fit) if fit else "",
        figures=str(one["n"]),
        unknown=one["unknown"],
        rates=tuple(_rate(rate, sources) for rate in one["rates"]),
        differs=one["differs"] if any(_is_outside(rate) for rate in one["rates"]) else "",
    )


def _rate(rate: dict[str, Any], sources: Sources) -> RateLine:
    between = _between(rate["low"], rate["high"])
    chip, agrees = CHIPS[rate["agreement"]]
    return RateLine(
        basis=BASES[rate["basis"]],
        rate=f"{times(rate['annual_factor'])} ({between})" if between else times(rate["annual_factor"]),
        doubling=doubling_text(rate["doubling_years"]),
        window=rate["window"],
        source=_cited(sources, rate["source"]),
        chip=chip,
        agrees=agrees,
    )


def _is_outside(rate: dict[str, Any]) -> bool:
    """Return whether our rate is not what the other says, as far as the other says how sure it is."""
    return rate["agreement"] == "apart" or (rate["agreement"] == "overlap" and rate["low"] is not None)


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _doubling_between(fit: dict[str, Any]) -> str:
    low, high = fit["doubling_low_years"], fit["doubling_high_years"]
    if low is None:
        return ""
    return f"{doubling_text(low)} to {'never' if high is None else doubling_text(high)}"


def _cited(sources: Sources, text: str) -> Source:
    return sources.cite(text=text, url="", licence="")
