"""The columns of the bill, the same in every file: what they are called, and where they stand in a line."""

from __future__ import annotations

from typing import Any, NamedTuple


class Column(NamedTuple):
    """`path` leads into a line as plain values; words have no unit."""

    title: str
    path: tuple[str, ...]
    unit: str | None = None
    width: float = 12.0


COLUMNS = (
    Column("Network", ("network",), width=13),
    Column("Role", ("role",), width=12),
    Column("Tier", ("tier",), width=11),
    Column("Item", ("item",), width=30),
    Column("Part", ("part",), width=30),
    Column("Installed", ("installed",), "1"),
    Column("Spare", ("spare",), "1", 9),
    Column("Bought", ("bought",), "1"),
    Column("Unit price low, USD", ("unit_price_usd", "low"), "USD"),
    Column("Unit price, USD", ("unit_price_usd", "typical"), "USD"),
    Column("Unit price high, USD", ("unit_price_usd", "high"), "USD"),
    Column("Price low, USD", ("price_usd", "low"), "USD", 14),
    Column("Price, USD", ("price_usd", "typical"), "USD", 14),
    Column("Price high, USD", ("price_usd", "high"), "USD", 14),
    Column("Power, W", ("power_w",), "W"),
    Column("Rack units", ("rack_units",), "1"),
    Column("Work, h", ("installation_hours",), "h"),
    Column("Note", ("note",), width=40),
)
SUMMED = ("price_usd", "power_w", "rack_units", "installation_hours")


def value_in(line: dict[str, Any], column: Column) -> Any:
    """The value of a column in a line."""
    value: Any = line
    for name in column.path:
        value = value[name]
    return value
