"""What a figure of the evaluation is called and how its value is shown."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from app.charts.figure import at, estimated_words, is_rent_only
from app.charts.format import Shown, show_at
from app.engine.quantities import quantity_at
from app.engine.units import ENDINGS

UNKNOWN = Shown("unknown")
NOT_APPLICABLE = Shown("n/a")
RENT_ONLY = Shown("rent only")
RENTED = ("_rented_on_demand", "_rented_reserved")
"""Endings of the cost of the same work on rented accelerators."""
INITIALS = {"mfu": "MFU", "hfu": "HFU", "ettr": "ETTR", "mtbf": "MTBF", "pue": "PUE", "wue": "WUE",
            "tco": "TCO", "it": "IT", "capex": "Capital cost", "opex": "Operating cost"}  # fmt: skip


class Fact(NamedTuple):
    """One line of a table of figures."""

    label: str
    shown: Shown
    path: str
    known: bool
    between: str = ""  # the ends of its interval, and what lies between them
    meaning: str = ""
    estimated: str = ""  # the accepted estimates that it rests on


def fact(evaluation: dict[str, Any], path: str, label: str = "") -> Fact:
    """The figure at a place of the evaluation, in words."""
    value = at(evaluation, path)
    words = shown(path, value)
    if path in evaluation.get("not_applicable", ()):
        words = NOT_APPLICABLE
    elif value is None and is_rent_only(evaluation, path):
        words = RENT_ONLY
    known = value is not None
    badge = estimated_words(evaluation, path) if known else ""
    return Fact(label or label_of(path), words, path, known, estimated=badge)


def rented_instead(evaluation: dict[str, Any], label: str, path: str) -> tuple[str, str]:
    """A cost of owning, or the cost of renting in its place where its parts are rent only."""
    if at(evaluation, path) is not None or not is_rent_only(evaluation, path):
        return label, path
    known = (path + ending for ending in RENTED if at(evaluation, path + ending) is not None)
    return f"{label}, rented", next(known, path + RENTED[0])


def label_of(path: str) -> str:
    """What its quantity says of itself, up to a colon, else its name without the unit."""
    record = quantity_at(path)
    return re.split("[:;]", record.label)[0] if record else in_words(path.rsplit(".", 1)[-1])


def shown(path: str, value: float | None) -> Shown:
    """A value as the figure at `path` is read."""
    return UNKNOWN if value is None else show_at(path, value)


def in_words(name: str) -> str:
    """A field name as people write it.

    >>> in_words("it_power_mean_w"), in_words("global_batch_sequences")
    ('IT power mean', 'Global batch')
    """
    words = name.split("_")
    for start in range(1, len(words)):
        if "_".join(words[start:]) in ENDINGS:
            words = words[:start]
            break
    words = [INITIALS.get(word, word) for word in words]
    return " ".join([words[0][0].upper() + words[0][1:], *words[1:]])
