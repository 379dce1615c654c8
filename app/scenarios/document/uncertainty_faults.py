"""Faults of ranges that depend on the whole scenario."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from app.likeness import nearest_names
from app.scenarios.document.ranges import ASSUMPTIONS, adapter_of, number_fields
from app.scenarios.document.uncertainty import RangeDocument, UncertaintyDocument
from app.scenarios.fields import fault
from app.scenarios.reading.messages import all_paths, input_errors

PEAKED = ("triangular", "log_triangular", "pert")
"""Distributions whose most likely value is that of the field, where none is stated."""


class Line(NamedTuple):
    """A fault, where it stands, and what stands there."""

    error: PydanticCustomError
    place: tuple[str | int, ...]
    value: Any


def own_faults(found: list[ErrorDetails], place: tuple[str | int, ...], stated: Any) -> list[Line]:
    """Faults of a range, reported at the field that it is written in."""
    lines = [
        Line(PydanticCustomError("fault", "{message}", one["ctx"]), place, stated)
        for one in found
        if one["type"] == "fault"
    ]
    for told in input_errors([one for one in found if one["type"] != "fault"], RangeDocument):
        error = fault(told.rule, told.message.rstrip("."), hint=told.hint)
        lines.append(Line(error, (*place, told.path), {}))
    return lines


def refused(document: type[BaseModel], lines: list[Line]) -> ValidationError:
    """All faults as one error."""
    details = [InitErrorDetails(type=line.error, loc=line.place, input=line.value) for line in lines]
    return ValidationError.from_exception_data(document.__name__, details)


def check_ranges(scenario: BaseModel, doubt: UncertaintyDocument) -> None:
    """Refuse ranges and correlations of what cannot vary, and ends that the field itself would not take.

    Raises
    ------
    ValidationError : one line a fault
    """
    document = type(scenario)
    lines: list[Line] = []
    for field, found in doubt.inputs.items():
        place = ("uncertainty", "inputs", field)
        unknown = _field_fault(scenario, field)
        if unknown:
            lines.append(Line(unknown, place, field))
        else:
            lines += end_faults(document, field, found, place, found)
            lines += _peak_faults(scenario, field, found, place)
    lines += _correlation_faults(scenario, doubt)
    if lines:
        raise refused(document, lines)


def end_faults(
    document: type[BaseModel], field: str, found: RangeDocument, place: tuple[str | int, ...], stated: Any
) -> list[Line]:
    """Faults of either end and of the typical value by the field's own rules."""
    lines = []
    named = (("low end", found.low), ("typical value", found.typical), ("high end", found.high))
    for name, value in named:
        try:
            if value is not None:
                adapter_of(document, field).validate_python(int(value) if value.is_integer() else value)
        except ValidationError as error:
            details = error.errors(include_url=False)
            own = [one | ErrorDetails(loc=(*field.split("."), *one["loc"])) for one in details]  # type: ignore[typeddict-item]
            for told in input_errors(own, document):
                words = f"has a {name} that the field does not take: {told.message.rstrip('.')}"
                lines.append(Line(fault(told.rule, words, hint=told.hint), place, stated))
    return lines


def _field_fault(scenario: BaseModel, field: str) -> PydanticCustomError | None:
    """Why a field cannot have a range; None where it can."""
    document = type(scenario)
    if field.startswith(f"{ASSUMPTIONS}.") or (field in number_fields(document) and _is_in(scenario, field)):
        return None
    if "[" in field:
        return fault("field", "stands in a list, where nothing can vary", hint="vary a field outside lists")
    known = [path for path in number_fields(document) if _is_in(scenario, path)]
    if field in set(all_paths(document)) - set(number_fields(document)):
        return fault(
            "number_field",
            "is not a number, so it has no range",
            hint=f"nearest: {nearest_names(field, known)}",
        )
    return fault(
        "unknown_field",
        "is not a field of this scenario that holds a number",
        hint=f"nearest: {nearest_names(field, known)}",
    )


def _is_in(scenario: BaseModel, field: str) -> bool:
    """Return whether the parts of this scenario have the field: a generic job has no tokens."""
    part: Any = scenario
    for name in field.split("."):
        if not isinstance(part, BaseModel):
            return True  # a part that is not written out, or a word in its place
        if name not in type(part).model_fields:
            return False
        part = getattr(part, name)
    return True


def _peak_faults(
    scenario: BaseModel, field: str, found: RangeDocument, place: tuple[str | int, ...]
) -> Iterator[Line]:
    if found.typical is not None or found.distribution not in PEAKED:
        return
    stated: Any = scenario
    for name in field.split("."):
        stated = getattr(stated, name, None)
    if isinstance(stated, int | float) and not found.low <= stated <= found.high:
        words = f"is around the field's own {stated:,.12g}, which is outside {found.low:,.12g} to {found.high:,.12g}"
        yield Line(fault("typical_inside", words, hint="state a typical value, or move an end"), place, found)


def _correlation_faults(scenario: BaseModel, doubt: UncertaintyDocument) -> Iterator[Line]:
    for index, pair in enumerate(doubt.correlations):
        for field in pair.between:
            if field in doubt.inputs:
                continue
            place = ("uncertainty", "correlations", index, "between")
            if unknown := _field_fault(scenario, field):
                yield Line(unknown, place, field)
            elif not doubt.catalog_ranges:
                words = "has no range, so nothing can be correlated with it"
                yield Line(
                    fault("range_wanted", words, hint="give it a range, or drop the pair"), place, field
                )
