"""The inputs of the building: site, plant, power train and what the utility grants."""

from __future__ import annotations

from app.scenarios.declared_fields import declared_field
from app.surfaces.pages.studio.field import Field, choice, number, segments, select

PLANTS = {
    "auto": "Auto: from the SuperNode", "air": "Air, chillers", "air_tower": "Air, cooling tower",
    "direct_liquid_dry": "Liquid, dry coolers", "direct_liquid_adiabatic": "Liquid, adiabatic coolers",
    "direct_liquid_tower": "Liquid, cooling tower", "direct_liquid_chiller": "Liquid, chillers",
    "liquid_to_air": "Liquid to the hall's air", "immersion_dry": "Immersion, dry coolers",
    "immersion_tower": "Immersion, cooling tower",
}  # fmt: skip
AIR_HANDLING = {"perimeter": "Perimeter", "in_row": "In-row", "rear_door": "Rear door"}
COOLANTS = {"pg25": "PG 25 %", "pg30": "PG 30 %", "eg25": "EG 25 %"}
DISTRIBUTION = {"ac_415": "415 V", "ac_480": "480 V", "dc_800": "800 V DC"}
UPS = {"double_conversion": "Double conversion", "eco": "Eco mode", "rack_batteries": "Rack batteries"}
LOADS = {
    "auto": "Auto: from the workload", "large_batch": "Training, large batch",
    "strong_scaled": "Training, strong-scaled", "serving": "Serving",
}  # fmt: skip
SPARE = {"block_redundant": "Block redundant (catcher)"}


def facility_fields() -> tuple[Field, ...]:
    """Site, plant, coolant and redundancy."""
    redundancy = {word: word for word in declared_field("facility.redundancy").words} | SPARE
    return (
        choice("facility.site", "sites", used="facility.site.elevation_m"),
        select("facility.cooling", names=PLANTS),
        select("facility.redundancy", names=redundancy),
        number("facility.coolant_supply_c", slider=(5, 70), snap="step",
               used="facility.coolant_supply_c"),
    )  # fmt: skip


def facility_details() -> tuple[Field, ...]:
    """Details that most scenarios leave at their defaults."""
    return (
        segments("facility.air_handling", names=AIR_HANDLING),
        segments("facility.coolant", names=COOLANTS),
        segments("facility.distribution", names=DISTRIBUTION),
        select("facility.ups", names=UPS),
        select("facility.load_profile", names=LOADS),
        number("facility.power_cap", slider=(0.3, 1), snap="step", step=0.05,
               empty="none", rest=1),
        number("facility.utility_limit_w", slider=(1e5, 1e10),
               empty="unlimited", rest=1e10),
        number("facility.warming_k", slider=(0, 5), snap="step", step=0.5, empty="none"),
        number("facility.clean_energy_share", slider=(0, 1),
               snap="step", step=0.05, empty="not stated"),
        number("facility.heat_reuse.share", slider=(0, 1), snap="step", step=0.05,
               empty="none"),
        number("facility.heat_reuse.supply_c", slider=(20, 120), snap="step"),
    )  # fmt: skip
