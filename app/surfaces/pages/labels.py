"""Labels and values of figures."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import estimated_words, get_path, is_rent_only
from app.charts.format import Shown
from app.charts.key_figures import RENTED, show_figure
from app.engine.quantities import label_at, short_label_at
from app.engine.units import ENDINGS

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
    """The figure at a place of the evaluation."""
    known = get_path(evaluation, path) is not None
    badge = estimated_words(evaluation, path) if known else ""
    return Fact(label or label_at(path), show_figure(evaluation, path), path, known, estimated=badge)


def headline(evaluation: dict[str, Any], path: str) -> tuple[str, str]:
    """Short label and place of a figure; of a cost whose parts are rent only, of the cost of renting in its place."""
    label = short_label_at(path)
    if get_path(evaluation, path) is not None or not is_rent_only(evaluation, path):
        return label, path
    known = (path + ending for ending in RENTED if get_path(evaluation, path + ending) is not None)
    return f"{label}, rented", next(known, path + RENTED[0])


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
