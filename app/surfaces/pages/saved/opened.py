"""The scenario that an address is about: a design as it is, or what is unsaved of it."""

from __future__ import annotations

from typing import Any

from fastapi import HTTPException

from app.saved.expand import DESIGN_KINDS, expanded
from app.saved.records import Kind, Saved
from app.saved.store import SavedWork
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studio.form import Values, stated_values
from app.surfaces.pages.studio.state import decode_state


def opened_values(source: Designs, key: str, state: str) -> Values:
    """The scenario of the design `key`, or the unsaved one that the address carries in `state`."""
    try:
        return decode_state(state) or stated_values(source.evaluated(key).document)
    except KeyError:
        raise HTTPException(404, f"There is no design {key}.") from None


def expanded_values(values: dict[str, Any], work: SavedWork, holder: Saved | None = None) -> dict[str, Any]:
    """The values with saved designs put in; `holder` is what they were made from."""
    return expanded(values, work.finder(holder)).document


def detached(
    values: dict[str, Any], part: Kind, work: SavedWork, holder: Saved | None = None
) -> dict[str, Any]:
    """The scenario with the values of one design written out in its place; the other one stays named."""
    others = {kind: values[kind] for kind in DESIGN_KINDS if kind != part and kind in values}
    only = {name: value for name, value in values.items() if name not in others}
    return {**values, part: expanded_values(only, work, holder)[part]} if part in values else values
