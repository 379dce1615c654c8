"""Catalog values as the pages show them: what is used, beside what was printed."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from app.catalog.columns import Column, numeric_columns
from app.catalog.kinds import KINDS
from app.catalog.values import Fact, Price
from app.charts.format import MINUS, THIN_SPACE, UNIT_TEXT, Shown, number, one_prefix, percent, show
from app.charts.unit_choice import in_units

BILLION = "billion"


class Scale(NamedTuple):
    """The divisor and unit that a column keeps for all its values."""

    divisor: float
    unit: str
    whole: bool = True  # no value of the column has decimals

    def text(self, value: float) -> str:
        """Three significant digits, all shown where the column has decimals at all."""
        shown = value / self.divisor
        if self.whole or not 0 < abs(shown) < 100 or shown != int(shown):
            return number(shown)
        return f"{shown:,.{2 if abs(shown) < 10 else 1}f}".replace("-", MINUS)


def column_of(kind: str, field: str) -> Column | None:
    """How the files print a field, if they do."""
    return next((column for column in numeric_columns(KINDS[kind]) if column.field == field), None)


def scale_of(values: Sequence[float], unit: str, printed_unit: str) -> Scale:
    """One prefix for a column: the one that suits its middle value, so that few rows need many digits.

    >>> scale_of([400.0, 700.0, 23000.0], "W", "W")
    Scale(divisor=1.0, unit='W', whole=True)
    """
    with in_units():  # filters of a column are typed in its unit, and are in addresses that others open
        divisor, text = _prefix(statistics.median(values) if values else 0.0, unit, printed_unit)
    return Scale(divisor, text, all(value / divisor == int(value / divisor) for value in values))


def _prefix(middle: float, unit: str, printed_unit: str) -> tuple[float, str]:
    if printed_unit == "thousand million":
        return 1e9, BILLION
    if printed_unit == "%":
        return 0.01, "%"
    if unit == "USD":
        return (1e3, "thousand USD") if middle >= 1e3 else (1.0, "USD")
    if unit == "FLOP/s":
        return 1e12 if middle < 1e16 else 1e15, "TFLOP/s" if middle < 1e16 else "PFLOP/s"
    if unit == "s" and middle < 1e-6:
        return 1e-9, "ns"
    if unit == "tokens":
        return (1e12, "trillion") if middle >= 1e11 else (1.0, "tokens")
    return one_prefix([middle], unit)


def shown_value(value: float, unit: str, printed_unit: str = "") -> Shown:
    """A value in SI with a prefix; whole sums of money to the dollar.

    >>> shown_value(31250.0, "USD").value, shown_value(4.05e11, "1", "thousand million").text
    ('31,250', '405\\u202fbillion')
    """
    if printed_unit == "thousand million" and value >= 1e9:
        return Shown(number(value / 1e9), BILLION)
    if printed_unit == "%":
        return percent(value)
    if printed_unit == "fraction" and unit == "1":
        return Shown(number(100 * value), "%")
    if unit == "USD" and value == int(value) and abs(value) < 1e6:
        return Shown(number(value), "USD")
    if unit in ("USD", "USD/year") and abs(value) < 1e3:
        return Shown(number(value), unit)
    if unit == "deg":
        return Shown(number(value, 4), "°")
    return show(value, unit)


def shown_fact(fact: Fact) -> Shown:
    return shown_value(fact.value, fact.unit, fact.printed_unit)


def range_text(fact: Fact | Price) -> str:
    """Low to high, and how the value stands for them; "" for a figure without a range."""
    if fact.low is None and fact.high is None:
        return ""
    low, high = (
        None if end is None else shown_value(end, fact.unit, fact.printed_unit)
        for end in (fact.low, fact.high)
    )
    if low and high:
        text = f"{low.value if low.unit == high.unit else low.text} to {high.text}"
    else:
        text = f"at least {low.text}" if low else f"at most {high.text}" if high else ""
    return f"{text}, {fact.value_basis}"


def printed_text(fact: Fact) -> str:
    """What was printed, with its unit."""
    unit = "" if fact.printed_unit in ("", "1") else fact.printed_unit
    return f"{fact.printed_value}{THIN_SPACE if unit else ''}{UNIT_TEXT.get(unit, unit)}"


def ends_text(low: float | None, high: float | None, value: float, scale: Scale) -> str:
    """A range in the unit of its column, else the value."""
    if low is None or high is None or math.isclose(low, high):
        return number(value / scale.divisor)
    return f"{number(low / scale.divisor)} to {number(high / scale.divisor)}"


def newest(dates: Iterable[str]) -> str:
    """The newest of several dates; what is said more exactly counts as newer."""
    return max(dates, default="")


OTHER = "Other figures"

_HARDWARE = (
    ("Arithmetic", r"flop_per_s|process_nm"),
    ("Power", r"_w$|liquid"),
    ("Cost", r"usd"),
    ("Memory", r"memory"),
    ("Storage", r"read_|write_|capacity_bytes$"),
    ("Links", r"bandwidth|scale_|nic|port|latency|links|reach|capacity_bytes_per_s"),
    ("Size", r"accelerators|nodes|cpus|cores|racks|rack_units|weight|job"),
)
_GROUPS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "models": (
        ("Parameters", r"parameters"),
        ("Experts", r"expert"),
        ("Attention", r"attention|heads|head_dim|latent|window|kv_"),
        ("Shape", r"layers|hidden|vocabulary|embedding|matrices|context"),
        ("Training", r"training"),
    ),
    "reference_architectures": (
        ("Size", r"^(tiers|planes|scalable_units|nodes|accelerators|accelerators_per_node)$|scale_up"),
        ("Switches", r"switch|port"),
        ("Cables", r"cables"),
        ("Links", r"nic|oversubscription"),
    ),
    "sites": (
        ("Energy", r"electricity|carbon"),
        ("Water", r"water"),
        ("Place", r"latitude|longitude|elevation_m$|climate"),
    ),
    "climate": (
        ("Dry bulb", r"dry_bulb"),
        ("Wet bulb and dew point", r"wet_bulb|dew_point"),
        ("Place", r"latitude|longitude|elevation|utc"),
    ),
    "cloud_regions": (("Efficiency", r"pue|wue"), ("Carbon", r"carbon"), ("Place", r"latitude|longitude")),
    "prices": (("Value", r"value"),),
    "rentals": (("Value", r"value"), ("Offer", r"accelerators")),
    "assumptions": (("Value", r"value"),),
}
_ORDER = ("Arithmetic", "Memory", "Links", "Power", "Size")


def grouped(kind: str, fields: Iterable[str]) -> dict[str, list[str]]:
    """Fields by group, in reading order.

    >>> grouped("accelerators", ["tdp_w", "memory_bandwidth_bytes_per_s", "bf16_flop_per_s"])
    {'Arithmetic': ['bf16_flop_per_s'], 'Memory': ['memory_bandwidth_bytes_per_s'], 'Power': ['tdp_w']}
    """
    rules = _GROUPS.get(kind, _HARDWARE)
    titles = [title for title, _ in rules]
    found: dict[str, list[str]] = {title: [] for title in [*_reading_order(titles), OTHER]}
    for field in fields:
        title = next((title for title, pattern in rules if re.search(pattern, field)), OTHER)
        found[title].append(field)
    return {title: names for title, names in found.items() if names}


def _reading_order(titles: list[str]) -> list[str]:
    first = [title for title in _ORDER if title in titles and "Arithmetic" in titles]
    return first + [title for title in titles if title not in first]
