"""Which plant takes the heat away."""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.specs import Facility, SuperNode
from app.engine.trace import plain

AIR = "air"
DRY = "direct_liquid_dry"
TOWER = "direct_liquid_tower"


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
