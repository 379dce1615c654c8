"""Ranges that are written in the fields themselves, as `wacc: 0.08 to 0.12`.

They are moved to `uncertainty.inputs`, and the field keeps the value that stands for the range: whatever reads
a scenario finds numbers where numbers belong. Only fields in which the document wants a number are looked at, so
names and descriptions may say what they like, and parts of the document stay parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from app.scenarios.document.ranges import ASSUMPTIONS, Values, number_places, range_at, with_range
from app.scenarios.document.uncertainty import RangeDocument
from app.scenarios.document.uncertainty_faults import Line, end_faults, own_faults, refused
from app.scenarios.fields import fault
from app.scenarios.reading.messages import point_of, range_of_text

Place = tuple[str, ...]


def ranges_moved(document: type[BaseModel], values: Any) -> Any:
    """The plain values of a scenario with every range in `uncertainty.inputs`; the same object without ranges.

    Raises
    ------
    ValidationError : a range cannot be used; its place is the field that it was written in
    """
    if not isinstance(values, dict):
        return values
    moved = values
    lines: list[Line] = []
    for place, stated, whole in _stated(document, values):
        written = range_of_text(stated) if isinstance(stated, str) else stated
        if not isinstance(written, dict):
            continue
        field = ".".join(place)
        faults = _faults(document, field, place, stated, written, already=range_at(values, field))
        lines += faults
        if not faults:
            found = RangeDocument.model_validate(written)
            point = point_of(found.low, found.typical, found.high, whole=whole)
            moved = with_range(_with_value(moved, place, point), field, written)
    if lines:
        raise refused(document, lines)
    return moved


def _stated(document: type[BaseModel], values: Values) -> Iterator[tuple[Place, Any, bool]]:
    """Values of the numeric fields, each with its place and whether it is a whole number."""
    for place, whole in number_places(document):
        stated: Any = values
        for name in place:
            stated = stated.get(name) if isinstance(stated, dict) else None
            if stated is None:
                break
        if stated is not None:
            yield place, stated, whole
    assumptions = values.get(ASSUMPTIONS)
    for name, stated in assumptions.items() if isinstance(assumptions, dict) else ():
        yield (ASSUMPTIONS, name), stated, False


def _faults(
    document: type[BaseModel],
    field: str,
    place: Place,
    stated: Any,
    written: Values,
    *,
    already: Values | None,
) -> list[Line]:
    if already is not None:
        error = fault("range_once", "is a range, and uncertainty.inputs has one too", hint="keep one")
        return [Line(error, place, stated)]
    try:
        found = RangeDocument.model_validate(written)
    except ValidationError as error:
        return own_faults(error.errors(include_url=False), place, stated)
    return end_faults(document, field, found, place, stated)


def _with_value(values: Values, place: Place, value: Any) -> Values:
    name, *below = place
    return {**values, name: _with_value(values[name], tuple(below), value) if below else value}
