"""The fields of a document that hold one number: what may be a range."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo

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
    """The names that lead to each of them, and whether it counts something."""
    return tuple((tuple(path.split(".")), is_whole(info)) for path, info in number_fields(document).items())


def is_whole(info: FieldInfo) -> bool:
    """Return whether a field counts something."""
    return int in set(_kinds(info.annotation)) and float not in set(_kinds(info.annotation))


@functools.cache
def adapter_of(document: type[BaseModel], path: str) -> TypeAdapter[Any]:
    """What checks one value of a field by the field's own rules.

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
    """What may stand in a field, the words of a short list aside."""
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
