"""A count written as 3.0, which JSON Schema calls an integer, is one in every body of a request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from app.scenarios.fields import Part
from app.settings import get_settings
from app.surfaces.rest.router import create_api


def parts(base: type[Part] = Part) -> Iterator[type[Part]]:
    for part in base.__subclasses__():
        yield part
        yield from parts(part)


def refused(part: type[Part], field: str, value: float) -> set[str]:
    """Why a field refuses a value."""
    info = part.model_fields[field]
    declared: Any = Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
    try:
        TypeAdapter(declared).validate_python(value, strict=True)
    except ValidationError as error:
        return {found["type"] for found in error.errors()}
    return set()


@pytest.mark.slow
def test_a_whole_number_may_be_written_with_a_point() -> None:
    create_api(get_settings())  # imports every body
    bodies = {part for part in parts() if part.__module__.startswith("app.")}
    counts = 0
    for part in bodies:
        for field in part.model_fields:
            if not refused(part, field, 3):
                counts += 1
                assert not refused(part, field, 3.0), f"{part.__name__}.{field} refuses 3.0 and takes 3"
    assert counts > 100
