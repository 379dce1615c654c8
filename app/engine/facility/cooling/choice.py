"""Which plant `auto` takes."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plant_year import liquid_over
from app.engine.facility.cooling.plants import ADIABATIC, AIR, DRY, TOWER
from app.engine.facility.cooling.year import binned_year, year_mean
from app.engine.specs import Facility, SuperNode
from app.engine.trace import Array, plain

BY_WATER = (DRY, ADIABATIC, TOWER)
"""Liquid plants that `auto` chooses from, that of the least water first. The hall's air is cooled alike in each."""


def choose_plant(*, supernode: SuperNode, facility: Facility, assumptions: FacilityAssumptions) -> str:
    """The plant that the scenario asks for; `auto` follows the SuperNode, the coolant and the site.

    Servers without liquid get the air plant. With liquid it is the plant that draws least over the year, and of
    those within `plant_choice_margin` of it the one with the least water. Where the share of
    liquid is not known the liquid plant is named, and what depends on the share stays unknown. Samples share the
    plant of their means.
    """
    if facility.cooling != "auto":
        return facility.cooling
    share = plain(supernode.liquid_share)
    no_liquid = np.all(share == 0) or (np.all(np.isnan(share)) and supernode.cooling == "air")
    if no_liquid:
        return AIR
    typical = FacilityAssumptions(
        **{
            field.name: _mean(getattr(assumptions, field.name))
            for field in dataclasses.fields(FacilityAssumptions)
        }
    )
    drawn = [_power_w_per_w(plant, facility=facility, assumptions=typical) for plant in BY_WATER]
    within = min(drawn) + typical.plant_choice_margin.item()
    return next(plant for plant, power in zip(BY_WATER, drawn, strict=True) if power <= within)


def _power_w_per_w(plant: str, *, facility: Facility, assumptions: FacilityAssumptions) -> float:
    """Mean power of the liquid side over the year for a watt of liquid heat, without heat reuse."""
    year = binned_year(facility.site.climate)
    liquid = liquid_over(
        year=year,
        plant=plant,
        coolant_supply_c=_mean(facility.coolant_supply_c),
        assumptions=assumptions,
    )
    power = liquid.pumps_w_per_w + liquid.rejection_w_per_w + liquid.chiller_w_per_w
    return float(plain(year_mean(plain(power) + 0 * year.hours, year.hours)).item())


def _mean(values: Array) -> Array:
    values = plain(values)
    mean: Array = values if values.size == 1 else values.mean(keepdims=True).reshape(1)
    return mean
