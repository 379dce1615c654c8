"""Adopting a layout of a search: a short text for each layout, so that a page names its scenario once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.scenarios.document.pod import ParallelismDocument
from app.surfaces.pages.studio.form import Values
from app.surfaces.pages.studio.state import value_at, with_value

SUPERNODES = "supernodes"
MOST_DIGITS = 10
WORDS = {"true": True, "false": False}


def layout_text(layout: Mapping[str, Any], supernodes: int | None = None) -> str:
    """A layout as an address carries it.

    >>> layout_text({"tp": 8, "sequence_parallel": True}, 4)
    'tp:8 sequence_parallel:true supernodes:4'
    """
    stated = {**layout, **({} if supernodes is None else {SUPERNODES: supernodes})}
    return " ".join(f"{name}:{str(value).lower()}" for name, value in stated.items())


def adopted(values: Values, text: str) -> Values:
    """The scenario with the layout of such a text; the studio checks whether they are compatible.

    Raises
    ------
    ValueError : the text is none of a layout
    """
    layout: dict[str, Any] = {}
    for part in text.split():
        name, _, value = part.partition(":")
        if name not in (SUPERNODES, *ParallelismDocument.model_fields) or not value:
            raise ValueError(f"{part[:40]!r} is no part of a layout.")
        whole = value.isascii() and value.isdigit() and len(value) < MOST_DIGITS
        layout[name] = int(value) if whole else WORDS.get(value, value)
    supernodes = layout.pop(SUPERNODES, None)
    return with_layout(values, layout, supernodes)


def with_layout(values: Values, layout: Mapping[str, Any], supernodes: int | None = None) -> Values:
    """The scenario with a layout, and where another size is adopted, with as many SuperNodes."""
    changed = with_value(values, "parallelism", dict(layout))
    if supernodes is None:
        return changed
    changed = with_value(changed, "pod.supernodes", supernodes)
    whole = value_at(changed, "pod.accelerators_used")
    return with_value(changed, "pod.accelerators_used", "all") if isinstance(whole, int | float) else changed
