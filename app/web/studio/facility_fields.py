"""The inputs of the building: site, plant, power train and what the utility grants."""

from __future__ import annotations

from app.web.studio.field import Field, choice, field_info, literals, number, segments

PLANTS = {
    "auto": "Auto", "air": "Air", "air_tower": "Air, tower", "direct_liquid_dry": "Liquid, dry",
    "direct_liquid_adiabatic": "Liquid, adiabatic", "direct_liquid_tower": "Liquid, tower",
    "direct_liquid_chiller": "Liquid, chiller", "liquid_to_air": "Liquid to air",
    "immersion_dry": "Immersion, dry", "immersion_tower": "Immersion, tower",
}  # fmt: skip
AIR_HANDLING = {"perimeter": "Perimeter", "in_row": "In-row", "rear_door": "Rear door"}
COOLANTS = {"pg25": "PG 25 %", "pg30": "PG 30 %", "eg25": "EG 25 %"}
DISTRIBUTION = {"ac_415": "415 V", "ac_480": "480 V", "dc_800": "800 V DC"}
UPS = {"double_conversion": "Double conversion", "eco": "Eco mode", "rack_batteries": "Rack batteries"}
LOADS = {
    "auto": "Auto", "large_batch": "Large batch", "strong_scaled": "Strong-scaled", "serving": "Serving",
}  # fmt: skip


def facility_fields() -> tuple[Field, ...]:
    """Site, plant, coolant and redundancy."""
    redundancy = {word: word for word in literals(field_info("facility.redundancy"))}
    return (
        choice("facility.site", "Site", "sites", used="facility.site.elevation_m"),
        segments("facility.cooling", "Cooling plant", names=PLANTS),
        segments("facility.redundancy", "Power redundancy", names=redundancy | {"block_redundant": "Catcher"}),
        number("facility.coolant_supply_c", "Coolant supply", slider=(5, 70), snap="step",
               used="facility.coolant_supply_c"),
    )  # fmt: skip


def facility_details() -> tuple[Field, ...]:
    """What most scenarios leave as it is."""
    return (
        segments("facility.air_handling", "Air handling", names=AIR_HANDLING),
        segments("facility.coolant", "Coolant", names=COOLANTS),
        segments("facility.distribution", "Feeds of the racks", names=DISTRIBUTION),
        segments("facility.ups", "Ride-through", names=UPS),
        segments("facility.load_profile", "Load of the nodes", names=LOADS),
        number("facility.power_cap", "Power cap", unit="of TDP", slider=(0.3, 1), snap="step", step=0.05),
        number("facility.utility_limit_w", "Utility limit", slider=(1e5, 1e10)),
        number("facility.warming_k", "Warmer climate", slider=(0, 5), snap="step", step=0.5),
        number("facility.clean_energy_share", "Clean energy contracted", slider=(0, 1), snap="step", step=0.05),
        number("facility.heat_reuse.share", "Heat reused", slider=(0, 1), snap="step", step=0.05),
        number("facility.heat_reuse.supply_c", "Heat taken at", slider=(20, 120), snap="step"),
    )  # fmt: skip
