"""Scenarios with the values of the designs that they name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.saved.expand import DESIGN_KINDS, expanded
from app.saved.records import Kind, Saved
from app.saved.store import SavedWork
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.form import stated_values


def expanded_document(
    document: ScenarioDocument, work: Callable[[], SavedWork], holder: Saved | None = None
) -> ScenarioDocument:
    """The scenario with saved designs put in; itself where it names none. `holder` is what it was made from.

    Raises
    ------
    ScenarioError : it names a design that is not there
    """
    if document.supernode.design is None and document.pod.design is None:
        return document
    return build_scenario(expanded_values(stated_values(document), work(), holder))


def expanded_values(values: dict[str, Any], work: SavedWork, holder: Saved | None = None) -> dict[str, Any]:
    """The same for plain values."""
    return expanded(values, work.finder(holder)).document


def detached(
    values: dict[str, Any], part: Kind, work: SavedWork, holder: Saved | None = None
) -> dict[str, Any]:
    """The scenario with the values of one design written out in its place; the other one stays named."""
    others = {kind: values[kind] for kind in DESIGN_KINDS if kind != part and kind in values}
    only = {name: value for name, value in values.items() if name not in others}
    return {**values, part: expanded_values(only, work, holder)[part]} if part in values else values
