"""The first law, hour by hour: what the meter takes in, and where each watt of it goes.

One side reads the electricity, stage by stage; the other follows the heat through its plants to the sky.
They are computed apart, and must meet.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.figures import for_heat
from app.engine.facility.cooling.heat_reuse import share_reused
from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.year import full_year
from app.engine.facility.results import Cooling, Power
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Both sides of every hour [W], of shape (8760,) or (1,) where an hour is like the other."""

    utility_w: Array
    useful_w: Array  # reaches silicon, drives and switches
    losses_w: Array  # node fans, power supplies, electrical chain, cooling and house
    heat_w: dict[str, Array]  # liquid_plant, air_plant, uncooled_rooms, network

    @property
    def heat_out_w(self) -> Array:
        """All the heat that leaves."""
        total: Array = sum(self.heat_w.values(), 0 * self.utility_w)
        return total


@quantity(unit="W", source="definition")
def cooling_by_hour_w(
    *, liquid_heat_w: Array, liquid_w_per_w: Array, air_heat_w: Array, air_w_per_w: Array
) -> Array:
    """Electricity of both plants in each hour."""
    return for_heat(liquid_heat_w, liquid_w_per_w) + air_heat_w * air_w_per_w


@quantity(unit="W", source="first law")
def liquid_plant_heat_w(
    *, liquid_heat_w: Array, liquid_w_per_w: Array, heat_reused_w: Array, liquid_to_hall_w: Array
) -> Array:
    """Heat that the liquid plant gives to the sky in each hour: what went neither to a network nor to the hall."""
    return for_heat(liquid_heat_w, 1 + liquid_w_per_w) - heat_reused_w - liquid_to_hall_w


@quantity(unit="W", source="first law")
def air_plant_heat_w(*, air_heat_w: Array, air_w_per_w: Array) -> Array:
    """Heat that the air plant gives to the sky in each hour: what the air held, and all that moved it on."""
    return air_heat_w * (1 + air_w_per_w)


def balance(
    *, power: Power, cooling: Cooling, facility: Facility, assumptions: FacilityAssumptions
) -> Balance:
    """Both sides of every hour of a design that `evaluate_facility` gave `power` and `cooling` of."""
    liquid, air = plants_over(
        year=full_year(facility.site.climate),
        plant=cooling.plant,
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=assumptions,
        heat_reuse_share=share_reused(facility=facility, plant=cooling.plant),
    )
    cooling_w = cooling_by_hour_w(
        liquid_heat_w=cooling.liquid_heat_w,
        liquid_w_per_w=liquid.power_w_per_w,
        air_heat_w=cooling.air_heat_w,
        air_w_per_w=air.power_w_per_w,
    )
    idle_in_nodes_w = power.it_breakdown_w["fans"] + power.it_breakdown_w["power_supplies"]
    reused_w = 0 * power.it_power_mean_w if cooling.heat_reused_w is None else cooling.heat_reused_w
    uncooled_share = 1 - assumptions.electrical_loss_share_in_hall
    overhead_w = power.electrical_losses_w + power.house_load_w + cooling_w
    return Balance(
        utility_w=power.it_power_mean_w + overhead_w,
        useful_w=power.it_power_mean_w - idle_in_nodes_w,
        losses_w=idle_in_nodes_w + overhead_w,
        heat_w={
            "liquid_plant": liquid_plant_heat_w(
                liquid_heat_w=cooling.liquid_heat_w,
                liquid_w_per_w=liquid.power_w_per_w,
                heat_reused_w=reused_w,
                liquid_to_hall_w=for_heat(cooling.liquid_heat_w, liquid.to_hall_w_per_w),
            ),
            "air_plant": air_plant_heat_w(air_heat_w=cooling.air_heat_w, air_w_per_w=air.power_w_per_w),
            "uncooled_rooms": power.electrical_losses_w * uncooled_share + power.house_load_w,
            "network": reused_w,
        },
    )
