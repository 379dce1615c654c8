"""Which plant takes the heat away: what each is made of, who can use it, and which one `auto` takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.specs import Facility, SuperNode
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """What a plant is made of.

    `liquid` takes the coolant's heat outdoors: dry, adiabatic, tower or chiller; `hall` gives it to the
    hall's air, and `none` has no coolant. `air` takes the heat of the hall's air outdoors: dry (economiser
    and chiller in outdoor air) or tower (both cooled by a tower).
    """

    liquid: str
    air: str = "dry"
    immersed: bool = False


PLANTS = {
    AIR: Plant(liquid="none"),
    AIR_TOWER: Plant(liquid="none", air="tower"),
    DRY: Plant(liquid="dry"),
    ADIABATIC: Plant(liquid="adiabatic"),
    TOWER: Plant(liquid="tower"),
    CHILLER: Plant(liquid="chiller"),
    LIQUID_TO_AIR: Plant(liquid="hall"),
    IMMERSION_DRY: Plant(liquid="dry", immersed=True),
    IMMERSION_TOWER: Plant(liquid="tower", immersed=True),
}

WITHOUT_COOLANT = tuple(name for name, plant in PLANTS.items() if plant.liquid == "none")
WITHOUT_LIQUID_PLANT = tuple(name for name, plant in PLANTS.items() if plant.liquid in ("none", "hall"))
IMMERSED = tuple(name for name, plant in PLANTS.items() if plant.immersed)


def choose_plant(*, supernode: SuperNode, facility: Facility, assumptions: FacilityAssumptions) -> str:
    """The plant that the scenario asks for; `auto` follows the SuperNode and the coolant.

    Servers without liquid get the air plant. With liquid, dry coolers suit a warm coolant, towers a
    cold one, at any site: a trim chiller covers the hours that are too hot. Where the share of liquid
    is not known the liquid plant is named, and what depends on the share stays unknown.
    """
    if facility.cooling != "auto":
        return facility.cooling
    share = plain(supernode.liquid_share)
    no_liquid = np.all(share == 0) or (np.all(np.isnan(share)) and supernode.cooling == "air")
    if no_liquid:
        return AIR
    warm_c = plain(assumptions.dry_cooler_least_coolant_supply_c)
    return DRY if np.mean(plain(facility.coolant_supply_c)) >= np.mean(warm_c) else TOWER


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
