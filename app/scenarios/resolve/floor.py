"""The rules of a pod's floor."""

from __future__ import annotations

from app.engine.specs import FloorRules
from app.engine.trace import Array
from app.scenarios.document.scenario import FloorDocument
from app.scenarios.resolve.inputs import Inputs

USUAL_POSITION = "middle_of_row"
ASSUMED = (
    "rack_units", "service_units", "rack_air_heat_w", "rack_liquid_heat_w", "rack_weight_kg", "rack_own_weight_kg", "rack_width_m", "rack_depth_m", "row_racks",
    "cold_aisle_m", "hot_aisle_m", "tray_height_m", "slack_share", "end_slack_m",
)  # fmt: skip
LIMITS = ("rack_units", "rack_power_w", "rack_air_heat_w", "rack_liquid_heat_w", "rack_weight_kg")
UNPUBLISHED = ("node_units", "switch_units", "server_units", "server_power_w")
"""Sizes where no one published them; a scenario states those of its own parts with the parts."""


def floor_rules(inputs: Inputs, document: FloorDocument) -> FloorRules:
    """Inputs of the scenario, else assumptions."""
    numbers = {name: _assumed(inputs, document, name, f"scenario.floor_{name}") for name in ASSUMED}
    numbers |= {
        name: inputs.assumption(f"pod.floor.{name}", f"scenario.floor_{name}") for name in UNPUBLISHED
    }
    asked, position = document.nodes_per_rack, document.switch_position
    return FloorRules(
        rack_power_w=_assumed(inputs, document, "rack_power_w", "scenario.server_rack_power_w"),
        switch_position=USUAL_POSITION if position == "auto" else position,
        nodes_per_rack=None if asked is None else inputs.scenario("pod.floor.nodes_per_rack", asked),
        stated=tuple(name for name in LIMITS if getattr(document, name) is not None),
        **numbers,
    )


def _assumed(inputs: Inputs, document: FloorDocument, name: str, assumption: str) -> Array:
    return inputs.assumption(
        f"pod.floor.{name}",
        assumption,
        given=getattr(document, name),
        scenario_field=f"pod.floor.{name}",
    )
