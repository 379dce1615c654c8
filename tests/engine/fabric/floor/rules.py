"""Rules of a floor with round numbers, for tests."""

from __future__ import annotations

import numpy as np

from app.engine.specs import FloorRules

ROUND = {
    "rack_units": 48.0,
    "service_units": 6.0,
    "rack_power_w": 41e3,
    "rack_air_heat_w": 50e3,
    "rack_liquid_heat_w": 150e3,
    "rack_weight_kg": 1361.0,
    "rack_own_weight_kg": 161.0,
    "rack_width_m": 0.75,
    "rack_depth_m": 1.2,
    "row_racks": 20.0,
    "cold_aisle_m": 1.2,
    "hot_aisle_m": 0.9,
    "tray_height_m": 2.6,
    "slack_share": 0.1,
    "end_slack_m": 0.5,
    "node_units": 8.0,
    "switch_units": 2.0,
    "server_units": 2.0,
    "server_power_w": 1000.0,
}


def floor_rules(
    *, switch_position: str = "middle_of_row", nodes_per_rack: int | None = None, **changed: float
) -> FloorRules:
    """Rules with what is changed, as if a scenario stated it."""
    numbers = {name: np.full(1, float(value)) for name, value in (ROUND | changed).items()}
    asked = None if nodes_per_rack is None else np.full(1, float(nodes_per_rack))
    return FloorRules(switch_position=switch_position, nodes_per_rack=asked, stated=tuple(changed), **numbers)
