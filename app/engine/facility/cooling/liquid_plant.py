"""The liquid plant: coolant loop, CDUs, and what takes their heat on.

Everything is for one watt of heat that liquid takes from the racks, in each hour of a `Year`.
"""

from __future__ import annotations

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.dry_plant import adiabatic, chilled, dry_cooled
from app.engine.facility.cooling.liquid_loops import LiquidPlant, loops_of, to_hall
from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.cooling.source_water import source_cooled
from app.engine.facility.cooling.tower_plant import tower_cooled
from app.engine.facility.cooling.year import Year
from app.engine.trace import Array

__all__ = ["LiquidPlant", "liquid_plant"]

BUILT_BY = {
    "none": dry_cooled,  # carries nothing: its figures for a watt multiply no heat
    "dry": dry_cooled,
    "adiabatic": adiabatic,
    "tower": tower_cooled,
    "chiller": chilled,
    "source": source_cooled,
}


def liquid_plant(
    *,
    year: Year,
    plant: str,
    coolant_supply_c: Array,
    altitude_factor: Array,
    assumptions: FacilityAssumptions,
) -> LiquidPlant:
    """The liquid side of a plant of `plants.PLANTS`."""
    liquid = PLANTS[plant].liquid
    if liquid == "hall":
        return to_hall(
            year=year,
            coolant_supply_c=coolant_supply_c,
            altitude_factor=altitude_factor,
            assumptions=assumptions,
        )
    loops = loops_of(
        year=year,
        coolant_supply_c=coolant_supply_c,
        altitude_factor=altitude_factor,
        assumptions=assumptions,
    )
    return BUILT_BY[liquid](loops=loops, a=assumptions)
