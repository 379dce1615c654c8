"""What lets a rack take more, check by check."""

from __future__ import annotations

from app.engine.specs import Facility

FEWER = "put fewer servers into a rack (pod.floor.nodes_per_rack)"
WAYS_OUT = {
    "density": "Spread it over more racks (supernode.override.racks), or take all of its heat with liquid",
    "coolant_flow": "Let the coolant rise further (assumption facility.coolant_temperature_rise_k), or lead a second hose to the rack",
    "current_kind": "Feed it with 800 V direct current (facility.distribution: dc_800)",
    "power": "Plan more power for a rack (pod.floor.rack_power_w)",
    "liquid_heat": "Plan more heat to liquid for a rack (pod.floor.rack_liquid_heat_w)",
    "weight": "Use racks that carry more (pod.floor.rack_weight_kg), or put less into one",
    "floor_load": "Strengthen the floor (assumption facility.floor_load_limit_n_per_m2), or widen the aisles (pod.floor.hot_aisle_m)",
    "panel_load": "Stand the racks on the slab, or on stronger panels (assumption facility.floor_panel_load_limit_n)",
    "height": "Use higher racks (pod.floor.rack_units)",
}
AIR = {
    "perimeter": "Take the heat at the racks (facility.air_handling: in_row or rear_door)",
    "in_row": "Take it at the racks' rear doors (facility.air_handling: rear_door)",
    "rear_door": "Take more of it with liquid, or " + FEWER,
}
FEEDS = {
    "ac_415": "Feed it at 480 V or with 800 V direct current (facility.distribution: ac_480 or dc_800)",
    "ac_480": "Feed it with 800 V direct current (facility.distribution: dc_800)",
    "dc_800": "Use feeds of more current (assumptions electrical.feeder_current_nec_a and feeder_current_iec_a)",
}


def way_out(key: str, facility: Facility) -> str:
    """One sentence for a check, naming the field that changes."""
    words = {"air_heat": AIR[facility.air_handling], "feeds": FEEDS[facility.distribution]} | WAYS_OUT
    return f"{words[key]}."
