"""Ranges in the plain values of a scenario: finding, setting and taking out one, all else as it was."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo

Values = dict[str, Any]


def range_at(values: Values, field: str) -> dict[str, Any] | None:
    """The range of a field, None where it has none.

    >>> range_at({"uncertainty": {"inputs": {"economics.wacc": {"low": 1, "high": 2}}}}, "economics.wacc")
    {'low': 1, 'high': 2}
    """
    found = _part(_part(values, "uncertainty"), "inputs").get(field)
    return found if isinstance(found, dict) else None


def with_range(values: Values, field: str, written: dict[str, Any]) -> Values:
    """With a range in `uncertainty.inputs`, in place of the one that the field had."""
    doubt = _part(values, "uncertainty")
    return {**values, "uncertainty": {**doubt, "inputs": {**_part(doubt, "inputs"), field: written}}}


def without_range(values: Values, field: str) -> Values:
    """Without the range of a field and without its correlations; the field keeps its number.

    >>> without_range({"uncertainty": {"inputs": {"economics.wacc": {"low": 1, "high": 2}}}}, "economics.wacc")
    {}
    """
    doubt = _part(values, "uncertainty")
    inputs = _part(doubt, "inputs")
    if field not in inputs:
        return values
    left = {**doubt, "inputs": {name: one for name, one in inputs.items() if name != field}}
    pairs = doubt.get("correlations")
    if isinstance(pairs, list | tuple):
        left["correlations"] = [pair for pair in pairs if field not in (_part(pair, "").get("between") or ())]
    left = {name: part for name, part in left.items() if part not in ({}, [])}
    return {
        name: part for name, part in {**values, "uncertainty": left}.items() if name != "uncertainty" or left
    }


RANGES = "uncertainty.inputs."


def ranged_field(path: str) -> tuple[str, str]:
    """The field and the part of its range that stand at a place, ("", "") elsewhere.

    >>> ranged_field("uncertainty.inputs.economics.wacc.low"), ranged_field("economics.wacc")
    (('economics.wacc', 'low'), ('', ''))
    """
    if not path.startswith(RANGES):
        return "", ""
    field, _, part = path.removeprefix(RANGES).rpartition(".")
    return field, part


def field_of_fault(path: str, fields: Collection[str]) -> str:
    """The field that a fault is told beside: of a range the field that has it.

    >>> field_of_fault("uncertainty.inputs.economics.wacc.low", ["economics.wacc"])
    'economics.wacc'
    """
    inside = path.removeprefix(RANGES)
    return next(
        (name for name in (inside, inside.rpartition(".")[0]) if inside != path and name in fields), path
    )


def _part(values: Any, name: str) -> dict[str, Any]:
    """A mapping inside values, empty where there is none; of no name the values themselves."""
    part = values.get(name) if name and isinstance(values, dict) else values if not name else None
    return part if isinstance(part, dict) else {}


ASSUMPTIONS = "assumptions"
NOT_OF_THE_DESIGN = ("uncertainty", "schema_version", "published")
"""Parts that say nothing of what is built, and so never vary."""


@functools.cache
def number_fields(document: type[BaseModel]) -> dict[str, FieldInfo]:
    """By path. Fields in lists have none of their own, so they are not among them."""
    found: dict[str, FieldInfo] = {}
    for path, info in _fields(document, ""):
        if _is_number(info.annotation) and path.split(".")[0] not in NOT_OF_THE_DESIGN:
            found.setdefault(path, info)
    return found


@functools.cache
def number_places(document: type[BaseModel]) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """The names that lead to each, and whether it counts something."""
    return tuple((tuple(path.split(".")), is_whole(info)) for path, info in number_fields(document).items())


def is_whole(info: FieldInfo) -> bool:
    """Return whether a field counts something."""
    return int in set(_kinds(info.annotation)) and float not in set(_kinds(info.annotation))


@functools.cache
def adapter_of(document: type[BaseModel], path: str) -> TypeAdapter[Any]:
    """Check of one value of a field by the field's own rules.

    Raises
    ------
    KeyError : the document has no such number
    """
    if path.startswith(f"{ASSUMPTIONS}."):
        return TypeAdapter(get_args(document.model_fields[ASSUMPTIONS].annotation)[1])
    info = number_fields(document)[path]
    kind: Any = info.annotation
    for rule in info.metadata:
        kind = Annotated[kind, rule]
    return TypeAdapter(kind, config={"allow_inf_nan": False, "strict": True})


def _fields(part: type[BaseModel], above: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, info in part.model_fields.items():
        yield above + name, info
        for inner in _parts_of(info.annotation):
            yield from _fields(inner, f"{above}{name}.")


def _parts_of(annotation: Any) -> Iterator[type[BaseModel]]:
    """Parts that stand in a field by themselves: not those of lists and mappings."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in _alternatives(annotation):
        yield from _parts_of(inner)


def _is_number(annotation: Any) -> bool:
    """Return whether a number is wanted, beside words of a short list at most."""
    kinds = set(_kinds(annotation))
    return bool(kinds & {int, float}) and kinds <= {int, float, type(None)}


def _kinds(annotation: Any) -> Iterator[Any]:
    """Type of the values of a field, the words of a short list aside."""
    inner = tuple(_alternatives(annotation))
    if inner:
        for one in inner:
            yield from _kinds(one)
    elif not str(get_origin(annotation)).endswith("Literal"):
        yield annotation


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    origin = get_origin(annotation)
    if origin is Annotated:
        return get_args(annotation)[:1]
    return get_args(annotation) if origin in (Union, UnionType) else ()
