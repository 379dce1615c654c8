"""Chillers of both plants: what condenses in outdoor air, and what a tower cools."""

from __future__ import annotations

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.heat_rejection import chiller_cop
from app.engine.facility.cooling.year import Year
from app.engine.trace import Array


def air_cooled_cop(*, year: Year, supply_c: Array, a: FacilityAssumptions) -> Array:
    """Of a chiller that makes water of `supply_c` and condenses in outdoor air."""
    return chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.dry_bulb_c,
        condenser_approach_k=a.chiller_condenser_approach_air_k,
        carnot_share=a.chiller_carnot_share_air,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )


def water_cooled_cop(*, year: Year, supply_c: Array, a: FacilityAssumptions) -> Array:
    """Of a chiller that a tower cools."""
    return chiller_cop(
        supply_c=supply_c,
        evaporator_approach_k=a.chiller_evaporator_approach_k,
        cooled_by_c=year.wet_bulb_c,
        condenser_approach_k=a.tower_approach_k + a.chiller_condenser_approach_water_k,
        carnot_share=a.chiller_carnot_share_water,
        least_cop=a.chiller_least_cop,
        greatest_cop=a.chiller_greatest_cop,
    )
