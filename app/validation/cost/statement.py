"""Inputs of a row, told from its own columns; never from its id, and never from its published value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.validation.study import Row, UnsupportedRowError

# Units as costs are printed in: what they measure, and how much of the base unit one is.

NAMED_DEVICE = r"TPU ?v\d\w?|Trainium ?\d|Gaudi ?\d|Ascend ?\d+\w?|MI\d{3}X?|(?:[ABHLPV]|GB|GH)\d{2,3}S?"
"""Names of accelerators by their form."""
DEVICE = (
    r"(?:(?:GPU|accelerator|chip|NPU|device|card)s?\b"
    rf"|{NAMED_DEVICE}|TPUs?\b)(?:[ -](?:SXM\d?|PCIe|\d{{2,3}} ?GB|(?:GPU|accelerator|chip)s?\b))*"
)
"""An accelerator, by a common noun or by its name."""
HOUR = r"(?:hours?|hrs?|h)\b"
OF_HOUR = rf"(?:/|per) ?(?:(?:{DEVICE})(?:[ -]| ?(?:/|per) ?))?{HOUR}"
"""The hour of an accelerator: `/h`, `/GPU-h`, `/GPU/h`, `per GPU per hour`."""
MONEY = r"(?:USD|US\$|\$|dollars?)"
CENTS = r"(?:cents?|¢|ct)"
TOKENS_M = r"(?:M|1M|million)\b ?(?:\w+ )?tok(?:en)?s?\b"
HOST = r"(?:server|node|rack|system|host|pod|tray)"
OF_DEVICE = rf"(?:/|per|each|a) ?(?:{DEVICE})\b"
CARBON = r"(?:CO2(?:-?eq?)?)?"

USD, USD_H, USD_TOKENS = "USD", "USD/h", "USD/M tokens"
ACCELERATOR_H, HOURS, TOKENS = "accelerator h", "h", "tokens"
POWER, ENERGY, KG, KG_EACH, RATIO = "W", "kWh", "kg", "kg/accelerator", "1"
USD_HOST, USD_EACH, HOSTS, DEVICES = "USD/host", "USD/accelerator", "hosts", "accelerators"
W_HOST = "W/host"
H_PER_T, HOURS_PER_T = "accelerator h/T tokens", "h/T tokens"


class Unit(NamedTuple):
    """How a unit is printed after its number, what it measures, and its size in the base unit."""

    pattern: re.Pattern[str]
    dimension: str
    factor: float


def _unit(pattern: str, dimension: str, factor: float = 1.0) -> Unit:
    return Unit(re.compile(rf"[ -]?(?:{pattern})", re.IGNORECASE), dimension, factor)


PER_T = r" ?(?:/|per) ?(?:T|trillion)\b ?tok(?:en)?s?"
UNITS = (
    _unit(rf"{MONEY} ?{OF_HOUR}", USD_H),
    _unit(rf"{CENTS} ?{OF_HOUR}", USD_H, 0.01),
    _unit(rf"{MONEY} ?(?:/|per) ?{TOKENS_M}", USD_TOKENS),
    _unit(rf"{CENTS} ?(?:/|per) ?{TOKENS_M}", USD_TOKENS, 0.01),
    _unit(rf"{MONEY} ?(?:/|per) ?\(?kW[ -]?(?:mo\b|month)\)?", "USD/(kW month)"),
    _unit(rf"{MONEY} ?(?:/|per) ?kWh", "USD/kWh"),
    _unit(rf"{CENTS} ?(?:/|per) ?kWh", "USD/kWh", 0.01),
    _unit(rf"{MONEY} ?(?:/|per) ?MWh", "USD/kWh", 1e-3),
    _unit(rf"{MONEY} ?(?:/|per) ?(?:yr|year|a\b)", "USD/year"),
    _unit(rf"{MONEY} ?(?:/|per) ?switch", "USD/switch"),
    _unit(rf"{MONEY} ?(?:/|per) ?(?P<devices>\d+)[- ]?(?:GPU|accelerator|chip)s? {HOST}", USD_HOST),
    _unit(rf"{MONEY} ?(?:/|per|each) ?{HOST}\b(?! ?(?:[-/]|per)? ?{HOUR})", USD_HOST),
    _unit(rf"{MONEY} ?{OF_DEVICE}", USD_EACH),
    _unit(r"J ?/ ?tok(?:en)?\b", "J/token"),
    _unit(rf"kg ?{CARBON} ?/ ?kWh", "kg/kWh"),
    _unit(rf"g ?{CARBON} ?/ ?kWh", "kg/kWh", 1e-3),
    _unit(rf"t ?{CARBON} ?/ ?MWh", "kg/kWh"),
    _unit(rf"kg ?{CARBON} ?/ ?MWh", "kg/kWh", 1e-3),
    _unit(rf"g ?{CARBON} ?/ ?MWh", "kg/kWh", 1e-6),
    _unit(rf"kg ?{CARBON} ?(?:per|/) ?(?:{DEVICE})\b", KG_EACH),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+{HOUR}{PER_T}", H_PER_T),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+{HOUR}", ACCELERATOR_H),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+(?:days?|d)\b", ACCELERATOR_H, 24.0),
    _unit(rf"(?:(?:{DEVICE})[ -]{{0,2}})+(?:years?|yr?)\b", ACCELERATOR_H, 8766.0),
    _unit(rf"(?:days?|d)\b{PER_T}", HOURS_PER_T, 24.0),
    _unit(HOUR, HOURS),
    _unit(r"(?:days?|d)\b", HOURS, 24.0),
    _unit(r"weeks?\b", HOURS, 168.0),
    _unit(r"months?\b", HOURS, 730.5),
    _unit(r"(?:minutes?|min)\b", HOURS, 1 / 60),
    _unit(r"(?:years?|yr|y)\b", "years"),
    _unit(r"tok(?:en)?s? ?(?:/|per) ?s(?:ec(?:ond)?)?\b", "tokens/s"),
    _unit(r"kWh", ENERGY), _unit(r"MWh", ENERGY, 1e3), _unit(r"GWh", ENERGY, 1e6), _unit(r"TWh", ENERGY, 1e9),
    _unit(rf"kW ?(?:/|per|a) ?(?:NVL\d+ )?{HOST}\b", W_HOST, 1e3), _unit(r"kW\b", POWER, 1e3), _unit(r"MW\b", POWER, 1e6), _unit(r"W\b", POWER),
    _unit(r"TFLOPS?(?:/s|P/s)?\b", "FLOP/s", 1e12), _unit(r"PFLOPS?(?:/s|P/s)?\b", "FLOP/s", 1e15),
    _unit(r"FLOPs? ?/ ?s\b|peak\b", "FLOP/s"), _unit(r"FLOPs?\b", "FLOP"),
    _unit(r"tok(?:en)?s?\b", TOKENS),
    _unit(r"param(?:eter)?s?\b", "parameters"),
    _unit(r"%(?= ?(?:\w+ )?MFU)", "MFU", 0.01),
    _unit(r"%", "share", 0.01),
    _unit(r"(?:homes?|households?)\b", "homes"),
    _unit(r"switch(?:es)?\b", "switches"),
    _unit(rf"{HOST}s?\b", HOSTS),
    _unit(rf"(?:x ?)?(?:(?:NVIDIA|AMD|Google|AWS|Intel|Huawei) )?(?:{DEVICE})\b", DEVICES),
    _unit(r"kg ?(?:CO2(?:-?eq?)?)?\b", KG), _unit(r"t ?CO2(?:-?eq?)?\b|tonnes?\b|tons?\b|t\b", KG, 1e3),
    _unit(r"ratio\b|fraction\b|x\b", RATIO),
    _unit(MONEY + r"(?!\w)", USD),
)  # fmt: skip
"""The first that fits: what says more stands before what says less."""


# Numbers with units in a text such as `2.788M H800 h; 2 USD/h`.
#
# Only what carries a unit, or follows a word that names it, is a quantity. Arithmetic (`128*720*2.5`) is not
# evaluated: numbers without a unit of their own are passed over.

PLAIN = ""
"""The dimension of a number that nothing names."""

NUMBER = re.compile(
    r"(?P<money>(?:USD|US\$|\$) ?)?"
    r"(?<![\w.,^])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"(?P<size>[kKMBGT](?![A-Za-z0-9])| ?(?:thousand|million|billion|trillion)\b| [MBT](?= (?:GPU|tok|H\d|A\d|acc)))?"
)
SIZES = {
    "k": 1e3, "K": 1e3, "thousand": 1e3, "M": 1e6, "million": 1e6, "B": 1e9, "G": 1e9, "billion": 1e9,
    "T": 1e12, "trillion": 1e12,
}  # fmt: skip
LARGE = ("k", "K", "thousand", "M", "million", "B", "billion")
"""Sizes by which a number before "server" is its price: 310k node."""

NAMES = (
    (r"\bPUE(?: of)?", "PUE"), (r"\bMFU(?: of)?", "MFU"), (r"\b(?:ETTR|goodput)(?: of)?", "ETTR"),
    (r"\bcloud(?: price| cost| rental)?", "USD rented"),
    (r"\b(?:acquisition|cluster)(?: price| cost)?", "USD bought"),
    (r"\b(?:utili[sz]ation|load)(?: of)?", "load"),
)  # fmt: skip
"""Words before a number without a unit that say what it is."""
CRF = re.compile(r"CRF ?\( ?(\d+(?:\.\d+)?) ?%?,? ?(\d+(?:\.\d+)?) ?(?:y|years?)? ?\)", re.IGNORECASE)
SWITCHES_AT = re.compile(r"switch(?:es)? ?(?:[*x]|at|@) ?(\d+(?:\.\d+)?)([kK]?)\b", re.IGNORECASE)
SIGN = "USD"
NOT_HOURLY = rf"(?! ?(?:[-/]|per)? ?{HOUR})"
PRICED_HOST = re.compile(
    r"[ -]?(?:/|per|each)? ?(?:(?P<devices>\d+)[- ]?(?:GPU|accelerator|chip)s? )?"
    rf"(?:server|node|rack|system|host)\b(?!s){NOT_HOURLY}",
    re.IGNORECASE,
)
PRICED_DEVICE = re.compile(
    rf"[ -]?(?:/|per|each|a) ?(?:GPU|accelerator|chip|[ABHV]\d{{2,3}})\b{NOT_HOURLY}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number in the base unit of its dimension, with the words around it.

    `devices` is how many accelerators a host has, where the price of the host says so.
    """

    value: float
    dimension: str
    before: str
    after: str
    text: str
    devices: int | None = None


def quantities_in(text: str) -> tuple[Stated, ...]:
    """Every number of a text that is no part of an arithmetic expression."""
    found, read_to = [], 0
    for match in NUMBER.finditer(text):
        if match.start() >= read_to and not _in_arithmetic(text, match):
            stated, read_to = _read(text, match)
            found.append(stated)
    terms = CRF.search(text)
    if terms:
        found = [one for one in found if not terms.start() <= text.find(one.text) < terms.end()]
        found.append(Stated(float(terms[1]) / 100, "rate", "", "", terms[0]))
        found.append(Stated(float(terms[2]), "years", "", "", terms[0]))
    priced = SWITCHES_AT.search(text)
    if priced:
        price = float(priced[1]) * (1e3 if priced[2] else 1.0)
        found = [one for one in found if one.dimension != PLAIN or not priced[0].endswith(one.text.strip())]
        found.append(Stated(price, "USD/switch", "", "", priced[0]))
    return tuple(found)


def unit_of(printed: str) -> tuple[str, float]:
    """Dimension and size of a unit that stands alone; a plain number where it is none that is known.

    >>> unit_of("H100 GPU-h"), unit_of("tCO2e"), unit_of("days per trillion tokens")
    (('accelerator h', 1.0), ('kg', 1000.0), ('h/T tokens', 24.0))
    """
    alone = re.sub(r"^M (?=USD)", "million ", printed.strip())
    (read,) = quantities_in(f"1 {alone}")[:1] or (Stated(1.0, PLAIN, "", "", ""),)
    return read.dimension, read.value


def _in_arithmetic(text: str, match: re.Match[str]) -> bool:
    """Return whether a number is a bare operand: after a stroke, or joined to another number without a unit."""
    before, after = text[: match.start()].rstrip(), text[match.end() :]
    if before.endswith("/") and before[:-1].strip() and before[-2:-1].isalnum():
        return True
    if before[-1:] in "*x^" and before[-2:-1].isdigit():
        return True
    return after[:1] in ("*", "/", "^") and after[1:2].isdigit()


def _read(text: str, match: re.Match[str]) -> tuple[Stated, int]:
    """A number with its unit, and where the two end."""
    size = (match["size"] or "").strip()
    value = float(match["digits"].replace(",", "")) * SIZES.get(size, 1.0)
    before, after = text[: match.start()], text[match.end() :]
    dimension, factor, unit = _dimension(before, after, bool(match["money"]), size)
    devices = unit.groupdict().get("devices") if unit else None
    stated = Stated(
        value=value * factor,
        dimension=dimension,
        before=_words_before(before),
        after=_words_after(after),
        text=match[0].strip(),
        devices=int(devices) if devices else None,
    )
    return stated, match.end() + (
        unit.end() - (len(SIGN) if unit.string.startswith(SIGN) and match["money"] else 0) if unit else 0
    )


def _dimension(before: str, after: str, money: bool, size: str) -> tuple[str, float, re.Match[str] | None]:
    """What a number measures, the size of its unit, and the unit as it is."""
    if money or size in LARGE:
        if found := PRICED_HOST.match(after):
            return USD_HOST, 1.0, found
        if found := PRICED_DEVICE.match(after):
            return USD_EACH, 1.0, found
    for unit in UNITS:
        found = unit.pattern.match(SIGN + after if money else after)
        times = unit.dimension == RATIO and re.match(r"[ -]?x ?\d", after)
        if found and not times:
            return unit.dimension, unit.factor, found
    for words, dimension in NAMES:
        if re.search(rf"{words}[ :=]*$", before, re.IGNORECASE):
            return dimension, 1.0, None
    return (USD if money else PLAIN), 1.0, None


def _words_before(before: str) -> str:
    """The words between the last sign of punctuation and a number."""
    return re.split(r"[;,+*=()]", before)[-1].strip()


def _words_after(after: str) -> str:
    return re.split(r"[;,+*=()]|\d", after)[0].strip()


# What a row states, told from its own columns; never from its id, and never from its published value.

READ = ("inputs", "subject", "check_formula")
"""Columns that quantities are read from, the first that has one. What was `recomputed` is never read."""


@dataclass(frozen=True)
class Statement:
    """One row, read."""

    row: Row

    def all(self, dimension: str) -> tuple[Stated, ...]:
        """Every quantity of a dimension, of the first column that has one."""
        for column in READ:
            found = tuple(one for one in self._stated[column] if one.dimension == dimension)
            if found:
                return found
        return ()

    def get(self, dimension: str) -> float | None:
        """The first quantity of a dimension, None where none is stated."""
        found = self.all(dimension)
        return found[0].value if found else None

    def inputs(self) -> tuple[Stated, ...]:
        """Every quantity of the inputs alone."""
        return self._stated["inputs"]

    @cached_property
    def _stated(self) -> dict[str, tuple[Stated, ...]]:
        """Quantities by column, without what only repeats the published value."""
        answer = self._answer
        return {
            column: tuple(
                one
                for one in quantities_in(self.row.text(column))
                if answer is None
                or one.dimension not in (answer[0], PLAIN)
                or not _same(one.value, answer[1])
            )
            for column in READ
        }

    @cached_property
    def _answer(self) -> tuple[str, float] | None:
        try:
            value, (dimension, factor) = self.row.number("published_value"), self.unit
        except UnsupportedRowError:
            return None
        return None if value is None else (dimension, value * factor)

    @cached_property
    def unit(self) -> tuple[str, float]:
        """Dimension of the published value, and its unit in the base unit.

        Raises
        ------
        UnsupportedRowError : the unit is none that costs are counted in
        """
        printed = self.row.text("unit")
        dimension, factor = unit_of(printed)
        if dimension == PLAIN:
            raise UnsupportedRowError(
                f"the unit {printed!r} is none of money, hours, energy, carbon or a ratio"
            )
        return dimension, factor

    def published(self) -> float:
        """The value as printed.

        Raises
        ------
        UnsupportedRowError : it is not one number above zero
        """
        value = self.row.number("published_value")
        if value is None:
            raise UnsupportedRowError("published_value is empty")
        if value <= 0:
            raise UnsupportedRowError(f"published_value is {value:g}, not above 0: it has no relative error")
        return value

    def says(self, pattern: str, *columns: str) -> bool:
        """Return whether one of these columns matches; subject, unit, inputs and formula where none is named."""
        named = columns or ("subject", "unit", "inputs", "check_formula")
        return any(re.search(pattern, self.row.text(column), re.IGNORECASE) for column in named)

    @property
    def year(self) -> float | None:
        """The date of the row as a year with a fraction."""
        found = re.match(r"(\d{4})(?:-(\d{2}))?", self.row.text("date"))
        return None if found is None else int(found[1]) + ((int(found[2]) - 0.5) / 12 if found[2] else 0.5)


@dataclass(frozen=True)
class Asked:
    """A row with the other rows of its source, which may state terms that this one leaves out."""

    statement: Statement
    neighbours: tuple[Statement, ...]
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A figure in the base unit, how it came about in words, and what was assumed."""

    value: float
    arithmetic: str
    assumed: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * abs(other)
