"""Which plant takes the heat away: what each is made of, and who can use it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array, plain

AIR = "air"
AIR_TOWER = "air_tower"
DRY = "direct_liquid_dry"
ADIABATIC = "direct_liquid_adiabatic"
TOWER = "direct_liquid_tower"
CHILLER = "direct_liquid_chiller"
LIQUID_TO_AIR = "liquid_to_air"
IMMERSION_DRY = "immersion_dry"
IMMERSION_TOWER = "immersion_tower"
OUTDOOR_AIR = "outdoor_air"
INDIRECT_EVAPORATIVE = "indirect_evaporative"
AIR_SOURCE_WATER = "air_source_water"
ALL_TOWER = "direct_liquid_all_tower"
SOURCE_WATER = "direct_liquid_source_water"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """What a plant is called and made of.

    `liquid` takes the coolant's heat outdoors: dry, adiabatic, tower, chiller or source (sea or lake water);
    `hall` gives it to the hall's air, and `none` has no coolant. `air` takes the heat of the hall's air
    outdoors: dry (economiser and chiller in outdoor air), tower (both cooled by a tower), outdoor (outdoor
    air blown through the hall behind wet pads), indirect (hall air against wetted outdoor air in an exchanger)
    or source.
    """

    label: str
    liquid: str
    air: str = "dry"
    immersed: bool = False

    @property
    def by_water_body(self) -> bool:
        """Whether it needs a sea or a lake, which no site is known to have."""
        return self.air == "source"


PLANTS = {
    AIR: Plant(label="Air, chillers", liquid="none"),
    AIR_TOWER: Plant(label="Air, cooling tower", liquid="none", air="tower"),
    OUTDOOR_AIR: Plant(label="Air, outdoor air and wet pads", liquid="none", air="outdoor"),
    INDIRECT_EVAPORATIVE: Plant(label="Air, indirect evaporative", liquid="none", air="indirect"),
    AIR_SOURCE_WATER: Plant(label="Air, sea or lake water", liquid="none", air="source"),
    DRY: Plant(label="Liquid, dry coolers", liquid="dry"),
    ADIABATIC: Plant(label="Liquid, adiabatic coolers", liquid="adiabatic"),
    TOWER: Plant(label="Liquid, cooling tower", liquid="tower"),
    ALL_TOWER: Plant(label="Liquid and hall air, cooling tower", liquid="tower", air="tower"),
    SOURCE_WATER: Plant(label="Liquid and hall air, sea or lake water", liquid="source", air="source"),
    CHILLER: Plant(label="Liquid, chillers", liquid="chiller"),
    LIQUID_TO_AIR: Plant(label="Liquid to the hall's air", liquid="hall"),
    IMMERSION_DRY: Plant(label="Immersion, dry coolers", liquid="dry", immersed=True),
    IMMERSION_TOWER: Plant(label="Immersion, cooling tower", liquid="tower", immersed=True),
}

WITHOUT_COOLANT = tuple(name for name, plant in PLANTS.items() if plant.liquid == "none")
WITHOUT_LIQUID_PLANT = tuple(name for name, plant in PLANTS.items() if plant.liquid in ("none", "hall"))
WITHOUT_CHILLED_WATER = tuple(name for name, plant in PLANTS.items() if plant.air in ("outdoor", "indirect"))
IMMERSED = tuple(name for name, plant in PLANTS.items() if plant.immersed)


def cannot_use(*, plant: str, liquid_share: Array) -> Array:
    """Where a plant does not take the heat of such a SuperNode: cold plates without coolant, or air
    servers in a tank. A liquid plant for air servers only stands idle.

    Parameters
    ----------
    liquid_share : of the SuperNode as it is built, before a tank takes all of its heat
    """
    if plant in WITHOUT_COOLANT:
        return np.asarray(plain(liquid_share) > 0)
    return np.asarray((plain(liquid_share) == 0) & (plant in IMMERSED))
