"""The scenario of each state of a what-if: the same job in another building, as a scenario document.

A state is the set of its steps, so a state is the same whatever order it was reached in; what a step
saves is the difference of two states, and that does depend on the order.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.facility.it.supernode import node_fan_share
from app.engine.facility.savings.saved import rated_power_with_other_fans_w
from app.engine.specs import SuperNode
from app.engine.trace import Array, first_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.facility.savings.values import Values

AIR_PLANTS = ("air", "air_tower")
BASELINE: dict[str, str | None] = {
    "facility.cooling": "air",
    "facility.air_handling": "perimeter",
    "facility.redundancy": "2N",
    "facility.ups": "double_conversion",
    "facility.distribution": "ac_415",
    "facility.power_cap": None,
    "facility.heat_reuse": None,
}
CHILLED_WATER = ("facility.chilled_water_supply_c", "facility.chilled_water_return_c")


def variant(
    scenario: EvaluatedScenario, steps: Collection[str], values: Values, catalog: CatalogView
) -> ScenarioDocument:
    """The scenario after some steps; those that no scenario has a field for leave it as it is."""
    document = scenario.document.as_dict()
    for field, value in BASELINE.items():
        document = with_field(document, field, value)
    if "warmer_chilled_water" not in steps:
        cold = (values.chilled_water_supply.value, values.chilled_water_return.value)
        for name, supply_or_return in zip(CHILLED_WATER, cold, strict=True):
            document = with_field(document, f"assumptions.{name}", supply_or_return)
    if "liquid_cooling" in steps:
        own = scenario.document.facility.cooling
        coolant = values.warm_coolant if "warmer_coolant" in steps else values.cold_coolant
        document = with_field(document, "facility.cooling", "auto" if own in AIR_PLANTS else own)
        document = with_field(document, "facility.coolant_supply_c", coolant.value)
    if "rack_batteries" in steps:
        document = with_field(document, "facility.ups", "rack_batteries")
    if "dc_800" in steps:
        document = with_field(document, "facility.distribution", "dc_800")
    if "power_cap" in steps:
        document = with_field(document, "facility.power_cap", values.power_cap.value)
    document = _servers(document, scenario, "liquid_cooling" in steps, catalog)
    return build_scenario(document)


def _servers(
    document: dict[str, Any], scenario: EvaluatedScenario, liquid: bool, catalog: CatalogView
) -> dict[str, Any]:
    """The same servers cooled by air or by liquid: their fans change their rating, nothing else does."""
    design = scenario.resolved.design
    own_share = first_of(design.supernode.liquid_share)
    if liquid and own_share > 0:
        return document  # as they are sold
    other = 0.0
    if liquid:
        other = catalog.assumption("scenario", "liquid_share", {"cooling": "liquid"}).value
    if own_share == other:
        return document
    pod = document["pod"]
    cooled = _cooled(document["supernode"], scenario, design.supernode, other, liquid)
    also = [
        {**one, "supernode": _cooled(one["supernode"], scenario, kind.supernode, other, liquid)}
        for one, kind in zip(pod.get("also", ()), design.kinds, strict=True)
    ]
    document = document | {"supernode": cooled, "pod": pod | ({"also": also} if also else {})}
    # storage is a share of the servers' rating, and does not change with their fans
    share = design.assumptions.rooms["facility"].storage_power_share
    same = first_of(share * design.supernode.max_power_w / _rated(scenario, design.supernode, other))
    if np.isnan(same):
        return document
    return with_field(document, "assumptions.facility.storage_power_share", same)


def _cooled(
    document: dict[str, Any], scenario: EvaluatedScenario, supernode: SuperNode, share: float, liquid: bool
) -> dict[str, Any]:
    """A SuperNode whose heat goes another way; an unpublished rating stays unknown."""
    override: dict[str, Any] = {"liquid_share": share, "cooling": "liquid" if liquid else "air"}
    rated_w = first_of(_rated(scenario, supernode, share))
    if not np.isnan(rated_w):
        override["max_power_w"] = rated_w
    return document | {"override": (document.get("override") or {}) | override}


def _rated(scenario: EvaluatedScenario, supernode: SuperNode, liquid_share: float) -> Array:
    room = scenario.resolved.design.assumptions.rooms["facility"]
    fans = {
        "fan_power_share_air": room.fan_power_share_air,
        "fan_power_share_liquid": room.fan_power_share_liquid,
    }
    return rated_power_with_other_fans_w(
        max_power_w=supernode.max_power_w,
        fan_share=node_fan_share(liquid_share=supernode.liquid_share, **fans),
        other_fan_share=node_fan_share(liquid_share=np.array([liquid_share]), **fans),
    )
