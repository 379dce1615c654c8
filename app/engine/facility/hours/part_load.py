"""Partial-load PUE: what stays as it is, what follows the load, and what grows with its square.

The same chain and the same plants as at full load, for a share of the IT that the building was made for.
No-load losses of transformers and UPS, and the house load, do not wait for racks. What cools a rack comes
with it, so the plants follow the heat. The parts are taken from the model itself: nothing is fitted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.figures import for_heat
from app.engine.facility.cooling.heat_reuse import share_reused
from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.year import full_year, year_mean
from app.engine.facility.electrical.chain import chain_losses
from app.engine.facility.results import Cooling, Power
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array

LOAD_SHARES = np.linspace(0.1, 1.0, 19)
MONTHS_OF_A_YEAR = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLoad:
    """Arrays by share of the full mean load. The three parts and 1 add up to the PUE."""

    load_share: Array
    pue: Array
    fixed: Array
    proportional: Array
    quadratic: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstYear:
    """Twelve months in which the load grows evenly to its full share."""

    ramp_months: int
    load_share_by_month: Array
    pue_by_month: Array
    pue: float  # by energy


@quantity(unit="1", source="definition")
def pue_at_part_load(*, fixed: Array, proportional: Array, quadratic: Array) -> Array:
    """PUE at a share of the full load: PUE(l) = 1 + fixed / l + proportional + quadratic l.

    Each part is its power over the IT power at that load.
    """
    return 1 + fixed + proportional + quadratic


@quantity(unit="W", source="second difference of the loss polynomials at no, half and present load")
def quadratic_losses_w(*, losses_w: Array, losses_at_half_w: Array, losses_at_none_w: Array) -> Array:
    """Electrical losses that grow with the square of the load."""
    return 2 * (losses_w - 2 * losses_at_half_w + losses_at_none_w)


@quantity(unit="1", source="definition")
def first_year_pue(*, pue_by_month: Array, load_share_by_month: Array) -> Array:
    """PUE of the first year, by energy: months of little load weigh little."""
    by_energy: Array = (pue_by_month * load_share_by_month).sum(keepdims=True) / load_share_by_month.sum()
    return by_energy


def part_load(
    *,
    load_share: Array,
    power: Power,
    cooling: Cooling,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> PartLoad:
    """The PUE of a design at shares of its mean load, annual means."""
    it_w = power.it_power_mean_w * load_share

    def losses_at(share: Array) -> Array:
        return chain_losses(
            it_power_w=power.it_power_mean_w * share,
            it_power_design_w=power.it_power_design_w,
            redundancy=facility.redundancy,
            assumptions=assumptions,
        )[0]

    losses_w, none_w = losses_at(load_share), losses_at(0 * load_share)
    squared_w = quadratic_losses_w(
        losses_w=losses_w, losses_at_half_w=losses_at(load_share / 2), losses_at_none_w=none_w
    )
    liquid_w_per_w, air_w_per_w = _plants_w_per_w(cooling, facility, assumptions)
    with_cooling = 1 + assumptions.electrical_loss_share_in_hall * air_w_per_w  # lost power is cooled too
    hall_losses_w = power.electrical_losses_w * assumptions.electrical_loss_share_in_hall
    it_air_heat_w = cooling.air_heat_w - hall_losses_w
    plants_w = load_share * (for_heat(cooling.liquid_heat_w, liquid_w_per_w) + it_air_heat_w * air_w_per_w)
    fixed = (none_w * with_cooling + power.house_load_w) / it_w
    proportional = ((losses_w - none_w - squared_w) * with_cooling + plants_w) / it_w
    quadratic = squared_w * with_cooling / it_w
    return PartLoad(
        load_share=load_share,
        pue=pue_at_part_load(fixed=fixed, proportional=proportional, quadratic=quadratic),
        fixed=fixed,
        proportional=proportional,
        quadratic=quadratic,
    )


def ramp(ramp_months: int) -> Array:
    """Mean share of the full load in each month of the first year, growing evenly from zero."""
    ends = np.arange(MONTHS_OF_A_YEAR + 1.0)
    if ramp_months == 0:
        return np.ones(MONTHS_OF_A_YEAR)
    share_months = np.where(ends < ramp_months, ends**2 / (2 * ramp_months), ends - ramp_months / 2)
    return np.diff(share_months)


def first_year(*, months: PartLoad, ramp_months: int) -> FirstYear:
    """The first year of a hall, from its part load in each month of `ramp(ramp_months)`."""
    share = months.load_share
    pue = first_year_pue(pue_by_month=months.pue, load_share_by_month=share)
    return FirstYear(
        ramp_months=ramp_months, load_share_by_month=share, pue_by_month=months.pue, pue=float(pue[0])
    )


def _plants_w_per_w(
    cooling: Cooling, facility: Facility, assumptions: FacilityAssumptions
) -> tuple[Array, Array]:
    """Power of the liquid and of the air plant for each watt of their heat, means over the year."""
    year = full_year(facility.site.climate)
    liquid, air = plants_over(
        year=year,
        plant=cooling.plant,
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=assumptions,
        heat_reuse_share=share_reused(facility=facility, plant=cooling.plant),
    )
    return (
        year_mean(liquid.power_w_per_w + 0 * year.hours, year.hours),
        year_mean(air.power_w_per_w + 0 * year.hours, year.hours),
    )
