"""The assumptions of the engine's rooms, looked up for a design."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.pinned import RecordingCatalog
from app.catalog.view import CatalogView
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.assumptions import CoolingAssumptions
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.scenarios.resolve.inputs import Inputs

ROOMS: dict[str, Any] = {
    "fabric": FabricAssumptions,
    "performance": PerformanceAssumptions,
    "serving": ServingAssumptions,
    "operations": OperationsAssumptions,
    "facility": FacilityAssumptions,
    "electrical": ElectricalAssumptions,
    "cooling": CoolingAssumptions,
    "economics": EconomicsAssumptions,
}
SERVING_ONLY = frozenset({"serving"})
"""Rooms of designs that serve a model: nothing else reads them."""


def room_assumptions(inputs: Inputs, rooms: tuple[str, ...]) -> dict[str, Any]:
    """The assumptions of some rooms, those that the scenario states in place of the catalog's.

    Designs of one context have the catalog's in common, so these are made once; a view of other values is
    asked again.
    """
    if not isinstance(inputs.catalog, Catalog | RecordingCatalog):
        return _looked_up(inputs, rooms)
    context = dict(inputs.context)

    def in_common(catalog: CatalogView) -> tuple[dict[str, Any], Inputs]:
        asked = Inputs(catalog=catalog, context=context)
        return _looked_up(asked, rooms), asked

    found, common = inputs.catalog.made_once((rooms, *sorted(context.items())), in_common)
    inputs.origins.update(common.origins)
    inputs.values.update(common.values)
    found = dict(found)
    for name in inputs.overrides:
        room, _, field_name = name.partition(".")
        if room in found:
            value = inputs.assumption(f"assumptions.{name}", name)
            found[room] = dataclasses.replace(found[room], **{field_name: value})
    return found


def _looked_up(inputs: Inputs, rooms: tuple[str, ...]) -> dict[str, Any]:
    return {
        room: ROOMS[room](
            **{
                field.name: inputs.assumption(f"assumptions.{room}.{field.name}", f"{room}.{field.name}")
                for field in dataclasses.fields(ROOMS[room])
            }
        )
        for room in rooms
    }
