"""Text boxes for what can be stated beside a scenario: label, unit, typed text and error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fastapi import Request

from app.surfaces.pages.studio.numbers import Scale

MOST_TYPED = 40
"""Characters of a box."""


class Box(NamedTuple):
    """One text box; `empty` is shown while nothing is typed."""

    name: str
    label: str
    unit: str
    empty: str
    text: str
    error: str


def typed_in(request: Request, names: tuple[str, ...]) -> dict[str, str]:
    """Text of each box in the address of a request."""
    return {name: request.query_params.get(name, "").strip()[:MOST_TYPED] for name in names}


def boxes_of(
    declared: Mapping[str, tuple[str, Scale]],
    empty: Callable[[str, Scale], str],
    typed: Mapping[str, str],
    faults: Mapping[str, str],
) -> list[Box]:
    """The boxes of a form.

    Parameters
    ----------
    declared : label and scale, by name of the option
    empty : text of an empty box, its default, by name and scale
    """
    return [
        Box(name, label, scale.unit, empty(name, scale), typed[name], faults.get(name, ""))
        for name, (label, scale) in declared.items()
    ]
