"""Where the value of a field comes from: its mark, and the words behind the mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.engine.trace import Origin
from app.surfaces.pages.explain_page import MARKS
from app.surfaces.pages.studio.field import Field

RANGE = "figures are of its typical value, or of the middle of its ends; How sure draws from the range"


class Source(NamedTuple):
    mark: str
    kind: str  # in words
    text: str
    catalog: str  # "accelerators/nvidia_h100_sxm"


def source_of(
    field: Field, stated: bool, changed: bool, origins: Mapping[str, Origin], *, ranged: bool = False
) -> Source:
    """The source of one field."""
    if ranged:
        mark = "scenario by-you" if changed else "scenario"
        return Source(mark, "Range by you" if changed else "Range in the scenario", RANGE, "")
    if stated and field.control != "choice":
        return _set(changed)
    origin = origins.get(field.origin or field.used)
    if origin is None or (origin.kind == "scenario" and not stated):
        return Source(
            "assumption", "Default assumption", "The scenario does not say; this is the default.", ""
        )
    if origin.kind == "scenario":
        return _set(changed)
    words = [origin.label, origin.source, f"printed as {origin.printed}" if origin.printed else ""]
    text = ": ".join(word for word in words[:2] if word)
    text += f" ({words[2]})" if words[2] else ""
    dated = f"{text}, {origin.date}" if origin.date else text
    return Source(
        origin.kind,
        MARKS.get(origin.kind, origin.kind),
        f"{dated}. {origin.own}" if origin.own else dated,
        origin.catalog,
    )


def _set(changed: bool) -> Source:
    mark = "scenario by-you" if changed else "scenario"
    return Source(mark, "Set by you" if changed else "Set in the scenario", "", "")
