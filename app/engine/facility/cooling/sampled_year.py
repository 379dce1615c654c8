"""Both plants over a year for many samples at once, by as few weighted entries as each side can tell apart."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plant_year import PlantYear, air_over, liquid_over, means_of
from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.cooling.year import year_for
from app.engine.specs import Climate
from app.engine.trace import Array

BLOCK = 65_536
"""Samples times hours that are held at once: a few arrays of half a megabyte stay in cache."""


def means_of_samples(
    *,
    climate: Climate,
    plant: str,
    coolant_supply_c: Array,
    assumptions: FacilityAssumptions,
    heat_reuse_share: Array | None = None,
) -> PlantYear:
    """The year's means for inputs of shape (s, 1), in blocks of samples that bound the memory."""
    inputs = _inputs(
        coolant_supply_c=coolant_supply_c, assumptions=assumptions, heat_reuse_share=heat_reuse_share
    )
    samples = max(int(value.size) for value in inputs.values())
    built = PLANTS[plant]
    year, air_year = year_for(built.liquid, climate), year_for(built.air, climate)
    rows = max(1, BLOCK // max(year.hours.size, air_year.hours.size))
    blocks = []
    for start in range(0, samples, rows):
        part = {
            name: value[start : start + rows] if value.size > 1 else value for name, value in inputs.items()
        }
        supply_c, reuse = part.pop("coolant_supply_c"), part.pop("heat_reuse_share", None)
        rules = FacilityAssumptions(**part)
        liquid = liquid_over(
            year=year,
            plant=plant,
            coolant_supply_c=supply_c,
            heat_reuse_share=reuse,
            assumptions=rules,
        )
        air = air_over(year=air_year, plant=plant, assumptions=rules)
        blocks.append(means_of(liquid=liquid, air=air, hours=year.hours, air_hours=air_year.hours))
    if len(blocks) == 1:
        return blocks[0]
    return PlantYear(
        **{
            field.name: _joined([getattr(block, field.name) for block in blocks])
            for field in dataclasses.fields(PlantYear)
        }
    )


def sample_count(
    *, coolant_supply_c: Array, assumptions: FacilityAssumptions, heat_reuse_share: Array | None = None
) -> int:
    """Number of samples in the inputs of the plants."""
    inputs = _inputs(
        coolant_supply_c=coolant_supply_c, assumptions=assumptions, heat_reuse_share=heat_reuse_share
    )
    return max(int(value.size) for value in inputs.values())


def _inputs(
    *, coolant_supply_c: Array, assumptions: FacilityAssumptions, heat_reuse_share: Array | None
) -> dict[str, Array]:
    inputs = {
        field.name: getattr(assumptions, field.name) for field in dataclasses.fields(FacilityAssumptions)
    }
    reuse = {} if heat_reuse_share is None else {"heat_reuse_share": heat_reuse_share}
    return inputs | reuse | {"coolant_supply_c": coolant_supply_c}


def _joined(parts: list[Array]) -> Array:
    """Blocks of samples in a row; what does not vary between samples stays of shape (1,)."""
    return parts[0] if parts[0].ndim == 1 else np.concatenate(parts)
