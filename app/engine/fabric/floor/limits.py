"""What a rack may take and what things take of it, in the same five measures."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Measured, SuperNodeSize
from app.engine.specs import FloorRules, SuperNode
from app.engine.trace import first_of

MEASURES = ("height", "power", "air_heat", "liquid_heat", "weight")
"""The order of every vector of this module: U, W, W, W, kg."""

ALMOST = 1e-9  # a limit that is met exactly is met, whatever the rounding


def own_racks(supernode: SuperNode) -> int:
    """Racks that a SuperNode is delivered in: those it fills, where it fills them whole; 0 for servers."""
    racks = first_of(supernode.racks)
    return int(racks) if racks >= 1 and racks.is_integer() else 0


def room_of_rack(rules: FloorRules) -> Measured:
    """(5,) what a rack has left for devices: less its service units and its own weight."""
    own = np.array([first_of(rules.service_units), 0, 0, 0, first_of(rules.rack_own_weight_kg)])
    room: Measured = limits_of_rack(rules) - own
    return room


def limits_of_rack(rules: FloorRules) -> Measured:
    """(5,) limits of a rack with all that is in it."""
    limits = (
        rules.rack_units,
        rules.rack_power_w,
        rules.rack_air_heat_w,
        rules.rack_liquid_heat_w,
        rules.rack_weight_kg,
    )
    return np.array([first_of(limit) for limit in limits])


def demand_of_device(size: DeviceSize) -> Measured:
    """(5,) what one device takes."""
    return demand(size.units, size.power_w, size.liquid_share, size.weight_kg)


def demand_of_node(size: SuperNodeSize) -> Measured:
    """(5,) what one node takes that is put into a rack."""
    return demand(node_units(size), size.power_w / size.nodes, size.liquid_share, size.weight_kg / size.nodes)


def demand_of_own_rack(size: SuperNodeSize) -> Measured:
    """(5,) what one rack is that comes with its SuperNode."""
    parts = size.own_racks
    return demand(size.units / parts, size.power_w / parts, size.liquid_share, size.weight_kg / parts)


def node_units(size: SuperNodeSize) -> int:
    """Whole heights of one node."""
    return int(np.ceil(size.units / size.nodes - ALMOST))


def demand(units: float, power_w: float, liquid_share: float, weight_kg: float) -> Measured:
    air_w = power_w * (1 - liquid_share)
    return np.array([units, power_w, air_w, power_w * liquid_share, weight_kg])


def how_many_fit(room: Measured, each: Measured) -> int:
    """How many things of one demand go into a room. What is unknown limits nothing.

    >>> how_many_fit(np.array([42, 41e3, 41e3, 0, 1200]), np.array([8, 10.2e3, 10.2e3, 0, np.nan]))
    4
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(each > 0, (room + ALMOST) / each, np.inf)
    fewest = float(np.min(np.nan_to_num(times, nan=np.inf, posinf=np.inf)))
    return max(int(fewest), 0) if np.isfinite(fewest) else np.iinfo(np.int32).max
