"""The figures of an evaluation one by one, as tables hold them: place, label, value, unit, basis, source."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from app.engine.evaluation import Sections
from app.engine.quantities import Quantity, quantity_at
from app.engine.trace import Origin
from app.engine.units import unit_of, words_of
from app.scenarios.declared_fields import label_of_field

ROOMS = tuple(field.name for field in dataclasses.fields(Sections))
INITIALS = frozenset({"tp", "pp", "cp", "ep", "vpp", "wacc"})
ESTIMATED = "Rests on accepted estimates."
NAMES = ("name", "item")  # what an entry of a list calls itself


class FigureRow(NamedTuple):
    """One value of the evaluation. `value` None is unknown; `low` and `high` are its interval, if it has one."""

    path: str
    label: str
    value: float | int | str | bool | None
    unit: str
    basis: str = ""
    formula: str = ""
    source: str = ""
    low: float | None = None
    high: float | None = None


def figure_rows(evaluation: dict[str, Any]) -> Iterator[FigureRow]:
    """Every figure, room by room, arrays entry by entry."""
    for room in ROOMS:
        yield from room_rows(evaluation, room)


def room_rows(evaluation: dict[str, Any], room: str) -> Iterator[FigureRow]:
    """The figures that a design has of one room, with the interval of those that have one."""
    bounds = (evaluation.get("intervals") or {}).get(room, {})
    missing = frozenset(evaluation.get("not_applicable", ()))
    resting = {path for one in evaluation.get("estimates", ()) for path in one["affects"]}
    # results that were kept before pods were shared say nothing of workloads
    for row in _rows(evaluation.get(room, []) if room == "workloads" else evaluation[room], room, ""):
        if row.path in missing:
            continue
        marked = row.value is not None and bool(
            resting & {row.path, re.sub(r"(\[\d+\])+$", "", row.path)}  # entries of an array rest as it does
        )
        basis = f"{row.basis} {ESTIMATED}".lstrip() if marked else row.basis
        interval = bounds.get(row.path.removeprefix(f"{room}."))
        low, high = (row.low, row.high) if interval is None else (interval["low"], interval["high"])
        yield row._replace(basis=basis, low=low, high=high)


def quantity_of(path: str) -> Quantity | None:
    """The quantity behind a place, also where the place is an entry of an array.

    >>> quantity_of("cooling.pue_by_month_and_hour[0][13]") is not None
    True
    """
    found = quantity_at(path)
    while found is None and path.endswith("]"):
        path = path[: path.rindex("[")]
        found = quantity_at(path)
    return found


def basis_of(record: Quantity) -> str:
    """What a figure counts and what it leaves out: the second paragraph of its description."""
    paragraphs = record.description.split("\n\n")
    if len(paragraphs) < 2 or "\n---" in paragraphs[1]:  # a numpydoc heading, such as Parameters
        return ""
    return " ".join(paragraphs[1].split())


def input_label(origin: Origin) -> str:
    """Name of an input: the scenario's own numbers are known by their field only."""
    if origin.label != origin.field:
        return origin.label
    return label_of_field(origin.field)


def _rows(value: Any, path: str, belongs_to: str) -> Iterator[FigureRow]:
    if isinstance(value, dict):
        name = next((str(value[key]) for key in NAMES if key in value), belongs_to)
        for key, part in value.items():
            yield from _rows(part, f"{path}.{key}", name)
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from _rows(part, f"{path}[{position}]", belongs_to)
    else:
        yield _row(value, path, belongs_to)


def _row(value: Any, path: str, belongs_to: str) -> FigureRow:
    record = quantity_of(path)
    if record is None:
        words = words_of(path)
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        return FigureRow(path, words[:1].upper() + words[1:], value, unit_of(path) if numeric else "")
    label = f"{record.label}, {belongs_to}" if belongs_to else record.label
    return FigureRow(path, label, value, record.unit, basis_of(record), record.formula, record.source)
