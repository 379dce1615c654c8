"""The tables of the bill tab, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.fabric.words import tier_name
from app.charts.format import UNKNOWN, Shown, number, show, span
from app.engine.fabric.materials.lines import ROLES

INCLUDED, NOTHING = Shown("included"), Shown("")


class LineRow(NamedTuple):
    """One line of the bill. `each` and `price` say their range beside them."""

    item: str
    part: str
    note: str
    installed: str
    spare: str
    each: Shown
    price: Shown
    between: str
    power: Shown
    work: str


class RoleRows(NamedTuple):
    title: str
    rows: tuple[LineRow, ...]


class NetworkTable(NamedTuple):
    """The lines of one network by role, their sum, and what its links are made of."""

    key: str
    title: str
    total: Shown
    between: str
    power: Shown
    units: Shown
    work: str
    unpriced: str
    roles: tuple[RoleRows, ...]
    media: tuple[tuple[str, ...], ...]


class KeyFigure(NamedTuple):
    label: str
    shown: Shown
    beside: str


class DifferenceRow(NamedTuple):
    group: str
    bought: str
    evaluated_bought: str
    price: Shown
    evaluated_price: Shown
    same: bool


def network_tables(bill: dict[str, Any]) -> tuple[NetworkTable, ...]:
    """A table a network."""
    tables = []
    for network in bill["networks"]:
        totals = network["totals"]
        lines = [line for line in bill["lines"] if line["network"] == network["network"]]
        tables.append(
            NetworkTable(
                key=network["network"],
                title=network["title"],
                total=_money(totals["price_usd"]["typical"]),
                between=between(totals["price_usd"]),
                power=_shown(totals["power_w"], "W"),
                units=_shown(totals["rack_units"], "1"),
                work=_hours(totals["installation_hours"]),
                unpriced=unpriced(totals),
                roles=tuple(
                    RoleRows(title, rows)
                    for role, title in ROLES.items()
                    if (rows := tuple(_line(line) for line in lines if line["role"] == role))
                ),
                media=tuple(_medium(medium) for medium in network["media"]),
            )
        )
    return tuple(tables)


def key_figures(bill: dict[str, Any]) -> tuple[KeyFigure, ...]:
    """What the whole bill comes to."""
    totals = bill["totals"]
    racks = sum(line["racks"] for line in bill["racks"])
    return (
        KeyFigure(
            "Price",
            _money(totals["price_usd"]["typical"]),
            between(totals["price_usd"]) or unpriced(totals),
        ),
        KeyFigure("Power", _shown(totals["power_w"], "W"), "typical, of what is installed"),
        KeyFigure("Rack units", _shown(totals["rack_units"], "1"), f"in {racks:,} racks with the SuperNodes"),
        KeyFigure("Work", Shown(_hours(totals["installation_hours"]), "h"), "of one person, by assumption"),
    )


def difference_rows(bill: dict[str, Any]) -> tuple[DifferenceRow, ...]:
    """Both bills side by side."""
    return tuple(
        DifferenceRow(
            group=line["group"],
            bought=_count(line["bought"]),
            evaluated_bought=_count(line["evaluated_bought"]),
            price=_money(line["price_usd"]),
            evaluated_price=_money(line["evaluated_price_usd"]),
            same=line["bought"] == line["evaluated_bought"]
            and _money(line["price_usd"]) == _money(line["evaluated_price_usd"]),
        )
        for line in bill["differences"]
    )


def tier_rows(bill: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Lengths on the floor beside those that the evaluation assumes, in metres."""
    return tuple(
        (
            tier_name(tier["tier"]),
            f"{tier['links']:,}",
            number(tier["mean_m"]),
            number(tier["longest_m"]),
            "unknown" if tier["assumed_m"] is None else number(tier["assumed_m"]),
        )
        for tier in bill["tier_lengths"]
    )


def rack_rows(bill: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Racks by kind."""
    return tuple(
        (
            _title(line["kind"]),
            f"{line['racks']:,}",
            f"{line['used_units']:,}",
            _hours(line["installation_hours"]),
        )
        for line in bill["racks"]
    )


def between(price: dict[str, float | None]) -> str:
    """Low to high; "" where there is no range."""
    low, high = price["low"], price["high"]
    if low is None or high is None or low == high:
        return ""
    return span(show(low, "USD"), show(high, "USD"))


def unpriced(totals: dict[str, Any]) -> str:
    """What is known of a sum that is not; "" where all of it is."""
    lines = totals["unpriced_lines"]
    if not lines:
        return ""
    return f"{show(totals['priced_usd'], 'USD').text} and {lines} {'line' if lines == 1 else 'lines'} without a price"


def _line(line: dict[str, Any]) -> LineRow:
    free = line["unit_price_usd"]["typical"] == 0
    return LineRow(
        item=line["item"],
        part=line["part"],
        note=line["note"],
        installed=_count(line["installed"]),
        spare=_count(line["spare"]) if line["spare"] else "",
        each=INCLUDED if free else _money(line["unit_price_usd"]["typical"]),
        price=NOTHING if free else _money(line["price_usd"]["typical"]),
        between=between(line["price_usd"]),
        power=_shown(line["power_w"], "W") if line["power_w"] != 0 else NOTHING,
        work=_hours(line["installation_hours"]),
    )


def _medium(medium: dict[str, Any]) -> tuple[str, ...]:
    links, length = medium["links"], medium["length_m"]
    return (
        tier_name(medium["tier"]),
        medium["name"] or "nothing reaches",
        f"{links:,}",
        "" if medium["cables"] is None else f"{medium['cables']:,}",
        "unknown" if length is None else number(length / links),
        "unknown" if medium["reach_m"] is None else number(medium["reach_m"]),
    )


def _money(value: float | None) -> Shown:
    return _shown(value, "USD")


def _shown(value: float | None, unit: str) -> Shown:
    return UNKNOWN if value is None else show(value, unit)


def _count(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


def _hours(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()
