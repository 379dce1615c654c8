"""Numbers of the form: text in the unit people use, values in the unit of the document."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from app.charts.format import UNIT_TEXT
from app.engine.uncertainty.distributions import KINDS
from app.scenarios.reading.messages import TO
from app.surfaces.pages.studio.field import Field

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
    "s_of_a_wait": (Scale(1.0, "s"), Scale(1e-3, "ms")),
    "tokens_per_day": (Scale(1e12, "T/day"), Scale(1e9, "G/day")),
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


def range_of_box(text: str, scale: Scale, *, whole: bool = False) -> dict[str, Any] | None:
    """The range that is typed into a box, None where it is none.

    >>> range_of_box("8 to 12", Scale(0.01, "%")), range_of_box("2k to 8 to 9", Scale(1e3, "kW"))["typical"]
    ({'low': 0.08, 'high': 0.12}, 8000.0)
    >>> range_of_box("8 TO 12", Scale(0.01, "%"))
    {'low': 0.08, 'high': 0.12}
    """
    first, _, last = text.strip().rpartition(" ")
    distribution = last.lower() if last.lower() in KINDS else ""
    parts = re.split(TO, first if distribution else text.strip(), flags=re.IGNORECASE)
    ends = [number_of(end, scale, whole=whole) for end in parts]
    if len(ends) not in (2, 3) or any(isinstance(end, str) for end in ends):
        return None
    names = ("low", "high") if len(ends) == 2 else ("low", "typical", "high")
    return dict(zip(names, ends, strict=True)) | ({"distribution": distribution} if distribution else {})


def range_box_text(written: dict[str, Any], scale: Scale) -> str:
    """A range as a box shows it.

    >>> range_box_text({"low": 0.08, "typical": 0.1, "high": 0.14, "distribution": "pert"}, Scale(0.01, "%"))
    '8 to 10 to 14 pert'
    """
    ends = [written.get(name) for name in ("low", "typical", "high")]
    texts = [
        number_text(end, scale) if isinstance(end, int | float) else str(end)
        for end in ends
        if end is not None
    ]
    return " ".join([" to ".join(texts), *filter(None, [written.get("distribution")])])


COMPARED = re.compile(
    r"^(-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?) must be (above|at least|below|at most) (-?\d+(?:\.\d+)?)"
)
AS_SHARE = re.compile(r",? (?:\d[\d.]* for \d[^.,]*%|0 to below 1)")


def in_percent(words: str) -> str:
    """Faults of a share, where people type it in percent.

    >>> in_percent("2.0 must be below 1. Expected: share of the requests that are within, 0.95 for 95 %.")
    '200 % must be below 100 %. Expected: share of the requests that are within.'
    >>> in_percent("'ten' must be a number.")
    "'ten' must be a number."
    """
    found = COMPARED.match(words)
    if not found:
        return words
    value, limit = (f"{100 * float(found[group].replace(',', '')):.12g} %" for group in (1, 3))
    return f"{value} must be {found[2]} {limit}{AS_SHARE.sub('', words[found.end() :])}"
