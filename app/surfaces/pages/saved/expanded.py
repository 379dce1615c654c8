"""Scenarios with the values of the designs that they name."""

from __future__ import annotations

from typing import Any

from app.saved.expand import DESIGN_KINDS, expanded
from app.saved.records import Kind, Saved
from app.saved.store import SavedWork


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
