"""Numbers with units in a text such as `2.788M H800 h; 2 USD/h`.

Only what carries a unit, or follows a word that names it, is a quantity. Arithmetic (`128*720*2.5`) is not
evaluated: numbers without a unit of their own are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.validation.cost.units import HOUR, RATIO, UNITS, USD, USD_EACH, USD_HOST

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
    """Whether a number is a bare operand: after a stroke, or joined to another number without a unit."""
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
    """What a number measures, the size of its unit, and the unit as it stands."""
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
