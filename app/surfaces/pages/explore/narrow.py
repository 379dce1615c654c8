"""Narrowing the axes of a search that was made: from one value to another, and the search made again of that part.

A sample of layouts could be filtered in the page, but the best of what is left may not be in it. So a narrowed
axis is held, and the search looks at every layout of the part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.declared_fields import label_of_field
from app.surfaces.pages.explore.form import HOLD
from app.views.searching.options import AXES, NUMBERS

LOW, HIGH, ONLY, VALUES = "from.", "to.", "only.", "values."


class NarrowAxis(NamedTuple):
    """An axis on which layouts differ; numbers from the least on, words as they come."""

    name: str
    label: str
    values: tuple[str, ...]
    numeric: bool


def narrow_axes(answer: Mapping[str, Any]) -> tuple[NarrowAxis, ...]:
    """The axes of a search that can be narrowed, with the values that its layouts take."""
    layouts = [point["parallelism"] for point in (*answer["sample"], *answer["pareto"], *answer["best"])]
    found = []
    for name in AXES:
        values = {layout[name] for layout in layouts if layout and layout.get(name) is not None}
        if len(values) > 1:
            numeric = name in NUMBERS and all(isinstance(value, int | float) for value in values)
            order = sorted(values) if numeric else sorted(values, key=str)
            texts = tuple(str(value).lower() for value in order)
            found.append(NarrowAxis(name, label_of_field(f"parallelism.{name}"), texts, numeric))
    return tuple(found)


def narrowed(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters of the search of a narrowed part, from those of the form that asks for it.

    >>> narrowed({"top": "5", "values.tp": "1,2,4,8", "from.tp": "2", "to.tp": "4"})
    {'top': '5', 'hold.tp': '2,4'}
    """
    kept = {
        name: text for name, text in query.items() if text and not name.startswith((LOW, HIGH, ONLY, VALUES))
    }
    for name in AXES:
        if chosen := _chosen(query, name):
            kept[f"{HOLD}{name}"] = ",".join(chosen)
    return kept


def _chosen(query: Mapping[str, str], name: str) -> list[str]:
    """The values that an axis is narrowed to, none where all are left."""
    if only := query.get(f"{ONLY}{name}"):
        return [only]
    values = [text for text in query.get(f"{VALUES}{name}", "").split(",") if _is_number(text)]
    ends = [text for side in (LOW, HIGH) if _is_number(text := query.get(f"{side}{name}", ""))]
    if len(ends) < 2:
        return []
    low, high = sorted(map(float, ends))  # either way round means the same
    found = [text for text in values if low <= float(text) <= high]
    return [] if len(found) == len(values) else found


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).isdigit()
