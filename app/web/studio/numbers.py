"""Numbers of the form: text in the unit people use, values in the unit of the document."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from app.figures.format import UNIT_TEXT
from app.web.studio.field import Field

PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
TEXT = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))(e[-+]?\d+)?([kMGTP]?)", re.IGNORECASE)


class Scale(NamedTuple):
    """`factor` times the text is the value."""

    factor: float
    unit: str


# Largest first: the first whose factor the value reaches is shown, the last where it is unknown.
SCALES: dict[str, tuple[Scale, ...]] = {
    "tokens": (Scale(1e12, "T"), Scale(1e9, "G")),
    "tokens_each": (Scale(1.0, "tokens"),),
    "B": (Scale(1e9, "GB"),),
    "B/s": (Scale(1e12, "TB/s"), Scale(1e9, "GB/s")),
    "FLOP/s": (Scale(1e12, "TFLOP/s"),),
    "FLOP": (Scale(1e15, "PFLOP"), Scale(1e12, "TFLOP"), Scale(1e9, "GFLOP")),
    "W": (Scale(1e3, "kW"), Scale(1.0, "W")),
    "W_of_site": (Scale(1e6, "MW"),),
    "s": (Scale(1e-6, "\u00b5s"),),
    "USD": (Scale(1.0, "USD"),),
    "years": (Scale(1.0, "years"),),
}


def scale_of(field: Field, value: float | None) -> Scale:
    """The unit a value is shown in."""
    if field.percent:
        return Scale(0.01, "%")
    scales = SCALES.get(field.unit)
    if scales is None:
        return Scale(1.0, UNIT_TEXT.get(field.unit, field.unit))
    size = abs(value or 0.0)
    return next((scale for scale in scales if size >= scale.factor), scales[-1])


def number_text(value: float, scale: Scale) -> str:
    """A value in a unit, exact to twelve digits.

    >>> number_text(15.6e12, Scale(1e12, "T")), number_text(8192, Scale(1.0, "tokens"))
    ('15.6', '8,192')
    """
    exact = float(f"{value / scale.factor:.12g}")
    written = np.format_float_positional(exact, trim="-")
    whole, point, decimals = written.partition(".")
    return f"{int(whole):,}{point}{decimals}" if whole.lstrip("-").isdigit() and whole != "-0" else written


def number_of(text: str, scale: Scale, *, whole: bool = False) -> float | int | str:
    """The value of a text; text that is no number stays as it is, for the document to refuse.

    A prefix or an exponent counts from the base unit, whatever unit is shown.

    >>> number_of("15.6", Scale(1e12, "T")), number_of("2e12", Scale(1e9, "G")), number_of("400k", Scale(1.0, ""))
    (15600000000000.0, 2000000000000.0, 400000.0)
    """
    bare = re.sub(r"[\s,\u00a0\u202f_%]", "", text).replace("\u2212", "-")
    found = TEXT.fullmatch(bare)
    if not found:
        return text
    digits, exponent, prefix = found.groups()
    if exponent or prefix:
        upper = prefix if prefix == "k" else prefix.upper()
        value = float(f"{digits}{exponent or ''}") * PREFIXES[{"K": "k"}.get(upper, upper)]
    else:
        value = float(digits) * scale.factor
    value = float(f"{value:.15g}")
    return int(value) if whole and value.is_integer() else value
