"""Figures as people read them: three significant digits, SI prefixes, thin spaces, a true minus."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.charts.unit_choice import (
    BITS_PER_BYTE,
    CHOICES,
    TON_OF_REFRIGERATION_W,
    chosen_rate,
    chosen_units,
)
from app.engine.quantities import quantity_at
from app.engine.units import unit_of
from app.exchange import DOLLAR

THIN_SPACE = "\u202f"
WIDE_SPACE = "\u00a0"  # before a unit that is a word
MINUS = "\u2212"
TIMES = "\u00d7"
NOT_PUBLISHED = "not published"
NOISE = 1e-9
"""Of a count, that computing may have lost: not worth a whole one."""

PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
SMALL_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "\u00b5"), (1e-9, "n"))
PREFIXED_UNITS = frozenset({"B", "B/s", "bit/s", "W", "J", "FLOP", "FLOP/s", "tokens", "tokens/s"})
DURATIONS = (
    (2 * 86400.0, 86400.0, "days"), (2 * 3600.0, 3600.0, "h"), (120.0, 60.0, "min"), (0.9995, 1.0, "s"),
)  # fmt: skip
HEAT_FLOWS = re.compile(
    r"(?:.*\.)?cooling\.(?:(?:air_heat|liquid_heat|liquid_heat_design|heat_rejected|heat_reused)_w|heat_sinks\[\d*\]\.\w+_w)"
)
"""Heat of the cooling plant; that of racks is in kW, as racks are rated everywhere."""
CURRENCIES = CHOICES[-1]
AMOUNTS = (DOLLAR, f"{DOLLAR}/year")
"""Units shown in the currency of the reader; prices per hour or kWh stay as their sources state them."""
WORD_UNITS = ("days", "tokens", *CURRENCIES, "min", "tons")
HEAT = "W of heat"
"""Heat flow in W, which is read as tons of refrigeration where people choose so; power stays in W."""
TONS = "tons"
FAHRENHEIT = "\u00b0F"
UNIT_TEXT = {"1": "", "degC": "\u00b0C", HEAT: "W", "m3": "m\u00b3", "m2": "m\u00b2", "USD/m3": "USD/m\u00b3"}


class Shown(NamedTuple):
    """A value and its unit, apart so that the unit can be muted."""

    value: str
    unit: str = ""

    @property
    def text(self) -> str:
        return f"{self.value}{self.space}{self.unit}"

    @property
    def space(self) -> str:
        if not self.unit or self.unit.startswith(("\u00b0", TIMES)):
            return ""
        return WIDE_SPACE if any(word in self.unit for word in WORD_UNITS) else THIN_SPACE


UNKNOWN = Shown("unknown")
NOT_APPLICABLE = Shown("n/a")
RENT_ONLY = Shown("rent only")


def show(value: float | None, unit: str = "1") -> Shown:
    """A value in the unit people use for it.

    >>> show(1.62e7, "W").text.replace(THIN_SPACE, " ")
    '16.2 MW'
    >>> show(6773760, "s").text.replace(WIDE_SPACE, " ")
    '78.4 days'
    >>> show(None, "USD").text
    'not published'
    """
    if value is None or math.isnan(value):
        return Shown(NOT_PUBLISHED)
    value, unit = as_read(value, unit)
    if math.isinf(value):
        return Shown(f"{MINUS if value < 0 else ''}\u221e", UNIT_TEXT.get(unit, unit))
    if unit == "s":
        return _duration(value)
    if unit.removesuffix("/year") in CURRENCIES:
        return _money(value, unit)
    if unit == "kg" and abs(value) >= 1e4:
        return Shown(number(float(f"{value / 1e3:.2e}")), "t")
    if unit in PREFIXED_UNITS:
        return _prefixed(value, unit)
    if unit == TONS:
        return Shown(_three(value), unit)
    return Shown(number(value), UNIT_TEXT.get(unit, unit))


def as_read(value: float, unit: str) -> tuple[float, str]:
    """A value and its unit in the units that the reader has chosen.

    >>> as_read(50e9, "B/s"), as_read(7.0, HEAT)
    ((50000000000.0, 'B/s'), (7.0, 'W'))
    """
    units = chosen_units()
    if unit == "B/s" and units.bandwidth == "bits":
        return BITS_PER_BYTE * value, "bit/s"
    if unit == "degC" and units.temperature == "fahrenheit":
        return 1.8 * value + 32.0, FAHRENHEIT
    if unit in AMOUNTS and (rate := chosen_rate()) is not None:
        return value * rate.per_usd, unit.replace(DOLLAR, rate.currency)
    if unit == HEAT:
        return (value / TON_OF_REFRIGERATION_W, TONS) if units.heat == "tons" else (value, "W")
    return value, unit


def temperature_unit() -> str:
    """The unit in which the reader reads temperatures: \u00b0C or \u00b0F."""
    return FAHRENHEIT if chosen_units().temperature == "fahrenheit" else UNIT_TEXT["degC"]


def temperature(value: float, decimals: int = 1) -> Shown:
    """A temperature in so many decimals; differences are in K on every surface.

    >>> temperature(23.46).text
    '23.5\u00b0C'
    """
    if math.isnan(value):
        return Shown(NOT_PUBLISHED)
    read, _ = as_read(value, "degC")
    return Shown(f"{read:.{decimals}f}".replace("-", MINUS), temperature_unit())


def show_computed(value: float | None, unit: str = "1", digits: int = 3) -> Shown:
    """A computed value in so many digits, of large numbers too; unknown as such.

    >>> show_computed(12345.6).text, show_computed(math.nan, "USD").text
    ('12,300', 'unknown')
    """
    if value is None or math.isnan(value):
        return UNKNOWN
    return show(value if math.isinf(value) else rounded(value, digits), unit)


def unit_at(path: str) -> str:
    """The unit of the quantity at a place of the evaluation, else the one its name ends in."""
    record = quantity_at(path)
    return record.unit if record else unit_of(path)


def is_percent(path: str) -> bool:
    """Return whether the figure at a place is a share that people read as a percentage."""
    record = quantity_at(path)
    return record is not None and record.percent


def show_at(path: str, value: float | None) -> Shown:
    """A value as the figure at a place of the evaluation is read, on every surface.

    >>> show_at("reliability.ettr", 0.952).text.replace(THIN_SPACE, " ")
    '95.2 %'
    """
    if value is None:
        return UNKNOWN
    record = quantity_at(path)
    if record is not None and record.words and value in range(len(record.words)):
        return Shown(record.words[int(value)])
    return percent(value) if is_percent(path) else show(value, HEAT if is_heat(path) else unit_at(path))


def is_heat(path: str) -> bool:
    """Return whether the figure at a place is a flow of heat, not of electricity."""
    return unit_at(path) == "W" and HEAT_FLOWS.fullmatch(path) is not None


def span(low: Shown, high: Shown) -> str:
    """Both ends of an interval; the unit once where they share it.

    >>> span(Shown("74.0", "days"), Shown("84.6", "days")).replace(WIDE_SPACE, " ")
    '74.0 to 84.6 days'
    >>> span(Shown("47.0", "h"), Shown("2.10", "days")).replace(WIDE_SPACE, " ").replace(THIN_SPACE, " ")
    '47.0 h to 2.10 days'
    """
    return f"{low.value if low.unit == high.unit else low.text} to {high.text}"


def percent(value: float | None) -> Shown:
    """A fraction as a percentage: 0.404 -> 40.4 %."""
    if value is None or not math.isfinite(value):
        return Shown(NOT_PUBLISHED)
    return Shown(number(100 * value), "%")


def number(value: float, digits: int = 3) -> str:
    """Significant digits, integers to the unit, commas for thousands, a true minus.

    >>> number(49152), number(1.1), number(0.00213), number(-94.2)
    ('49,152', '1.10', '0.00213', '−94.2')
    """
    if value == 0:
        return "0"
    sign = MINUS if value < 0 else ""
    size = abs(value)
    if size == int(size) and size < 1e15:
        return f"{sign}{int(size):,}"
    if math.isinf(size):
        return f"{sign}\u221e"
    if size < 1e-4 or size >= 1e15:
        mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
        return f"{sign}{mantissa}{TIMES}10{_superscript(int(exponent))}"
    size = rounded(size, digits)
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{sign}{size:,.{decimals}f}"


def rounded(value: float, digits: int = 3) -> float:
    """A computed value to so many significant digits: `number` and `show` print all digits of an integer.

    A half goes up, whatever the noise of the way on which it was computed: one value reads alike on every
    surface.

    >>> rounded(12345), rounded(12345, 4), rounded(1.825), rounded(math.nan)
    (12300.0, 12350.0, 1.83, nan)
    """
    return float(f"{value * (1 + 10.0 ** -(digits + 6)):.{digits}g}")


def brief(value: float, digits: int = 3) -> str:
    """A computed value in so many digits, of large numbers too.

    >>> brief(18.43), brief(1234.0), brief(1234.0, 4)
    ('18.4', '1,230', '1,234')
    """
    return number(rounded(value, digits))


def counted(value: float) -> str:
    """Whole things that are counted, rounded down; a mean below ten keeps two digits.

    >>> counted(697.9), counted(62352), counted(440 - 1e-12), counted(2.97), counted(0.974), counted(math.nan)
    ('697', '62,352', '440', '2.9', '0.97', 'unknown')
    """
    if math.isnan(value):
        return "unknown"
    if not 0 < value < math.inf:
        return number(value)
    near = value * (1 + NOISE)
    step = 1.0 if near >= 10 else 10.0 ** (math.floor(math.log10(value)) - 1)
    return number(rounded(math.floor(near / step) * step, 15), digits=2)


def share_text(share: float, decimals: int = 0) -> str:
    """A share of a whole with so many decimals.

    >>> share_text(0.483).replace(THIN_SPACE, " "), share_text(-0.0681, 1).replace(THIN_SPACE, " ")
    ('48 %', '−6.8 %')
    """
    return f"{100 * share:.{decimals}f}{THIN_SPACE}%".replace("-", MINUS)


def signed_percent(fraction: float | None) -> str:
    """A relative difference: always signed, one decimal."""
    if fraction is None or not math.isfinite(fraction):
        return "n/a"
    size = f"{abs(100 * fraction):.1f}"
    sign = "" if size == "0.0" else (MINUS if fraction < 0 else "+")
    return f"{sign}{size}{THIN_SPACE}%"


def less(ratio: float) -> str:
    """How far one rung lies under another: "9.0x less" with a real multiplication sign."""
    text = f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:,.0f}"
    return f"{text}{TIMES} less"


class Measure(NamedTuple):
    """The prefix that all values of a chart share: over `divisor` they are in `unit`."""

    divisor: float
    unit: str

    def of(self, values: Iterable[float | None]) -> list[float | None]:
        """Values in this unit."""
        return [None if value is None else value / self.divisor for value in values]

    def words(self, value: float) -> str:
        """Three digits, without the unit."""
        return brief(value / self.divisor)

    def text(self, value: float) -> str:
        """A value with its unit."""
        return Shown(self.words(value), self.unit).text


def one_prefix(values: Sequence[float | None], unit: str) -> tuple[float, str]:
    """The divisor and unit that one column or axis keeps for all its values."""
    known = [abs(value) for value in values if value is not None and math.isfinite(value)]
    if unit == "B/s" and as_read(1.0, unit)[1] == "bit/s":
        scale, name = one_prefix([BITS_PER_BYTE * value for value in known], "bit/s")
        return scale / BITS_PER_BYTE, name
    if unit == HEAT:
        per_watt, name = as_read(1.0, unit)
        return (1.0 / per_watt, name) if name != "W" else one_prefix(values, "W")
    largest = max(known, default=0.0)
    if unit == DOLLAR:
        return in_currency(((1e5, 1e6, "M"),), largest)
    if unit == "s":
        return next(((scale, name) for at, scale, name in DURATIONS if largest >= at), (1e-3, "ms"))
    if unit not in PREFIXED_UNITS:
        return 1.0, UNIT_TEXT.get(unit, unit)
    scale, prefix = next((pair for pair in PREFIXES if largest >= pair[0]), (1.0, ""))
    return scale, f"{prefix}{unit}" if unit == "bit/s" or (
        len(unit) <= 6 and unit[0].isupper()
    ) else f"{prefix} {unit}".strip()


def in_currency(measures: Iterable[tuple[float, float, str]], largest: float) -> tuple[float, str]:
    """The divisor of dollars, and the unit, for amounts up to so many dollars in the currency of the reader.

    >>> in_currency(((1e5, 1e6, "M"),), 2e7)[0], in_currency(((1e5, 1e6, "M"),), 2.5)
    (1000000.0, (1.0, 'USD'))

    Parameters
    ----------
    measures : from how much on, divided by what, and its word; largest first
    """
    per_usd, currency = as_read(1.0, DOLLAR)
    for at_least, divisor, word in measures:
        if abs(largest) * per_usd >= at_least:
            return divisor / per_usd, f"{word}{WIDE_SPACE}{currency}"
    return 1.0 / per_usd, currency


def currency_note() -> tuple[str, str]:
    """The rate that amounts are read at and the address of its source; both empty where they are in
    dollars."""
    rate = chosen_rate()
    if rate is None:
        return "", ""
    day = f"{rate.published.day} {rate.published:%b %Y}"
    return f"{rate.words} ({rate.source}, {day})", rate.url


def _duration(value: float) -> Shown:
    size = abs(value)
    for at_least, scale, name in DURATIONS:
        if size >= at_least:
            return Shown(_three(value / scale), name)
    for scale, prefix in SMALL_PREFIXES[1:]:
        if size >= scale * 0.9995:
            return Shown(_three(value / scale), f"{prefix}s")
    return Shown("0" if value == 0 else number(value), "s")


def _money(value: float, unit: str) -> Shown:
    size = abs(value)
    if size >= 999.5e6:
        return Shown(_three(value / 1e9), f"billion{WIDE_SPACE}{unit}")
    if size >= 999.5e3:
        return Shown(_three(value / 1e6), f"M{WIDE_SPACE}{unit}")
    return Shown(number(rounded(value)) if size >= 1000 else _three(value), unit)


def _prefixed(value: float, unit: str) -> Shown:
    size = rounded(abs(value))
    word = unit.startswith("tokens")
    if word and 1e3 <= size < 1e6:
        return Shown(number(round(value)) if unit == "tokens" else f"{rounded(value):,.0f}", unit)
    scale, prefix = next((pair for pair in PREFIXES if size >= pair[0]), (1.0, ""))
    text = number(value) if scale == 1.0 else _three(value / scale)
    return Shown(text, f"{prefix}{WIDE_SPACE}{unit}" if word and prefix else f"{prefix}{unit}")


def _three(value: float) -> str:
    """Three significant digits, trailing noughts kept: 50 -> "50.0"."""
    if value == 0:
        return "0"
    size = rounded(abs(value))
    decimals = max(0, 2 - math.floor(math.log10(size)))
    return f"{MINUS if value < 0 else ''}{size:,.{decimals}f}"


def _superscript(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
