"""A SuperNode in a tank of dielectric oil: its fans are taken out, and all of its heat goes to the oil."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.plants import IMMERSED
from app.engine.quantities import quantity
from app.engine.specs import SuperNode
from app.engine.trace import Array


@quantity(unit="W", source="definition")
def rating_without_fans_w(*, max_power_w: Array, liquid_share: Array, fan_power_share_air: Array) -> Array:
    """Rating of an immersed SuperNode: that of the data sheet less the fans of what air would cool."""
    return max_power_w * (1 - fan_power_share_air * (1 - liquid_share))


@quantity(unit="1", source="definition of single-phase immersion")
def immersed_liquid_share(*, liquid_share: Array) -> Array:
    """Share of an immersed SuperNode's heat that the oil takes: all of it, whatever it is otherwise."""
    return np.ones_like(liquid_share)


def as_cooled(*, supernode: SuperNode, plant: str, assumptions: FacilityAssumptions) -> SuperNode:
    """The SuperNode as it stands in a plant's hall: immersed ones lose their fans, others stay as they are."""
    if plant not in IMMERSED:
        return supernode
    return dataclasses.replace(
        supernode,
        max_power_w=rating_without_fans_w(
            max_power_w=supernode.max_power_w,
            liquid_share=supernode.liquid_share,
            fan_power_share_air=assumptions.fan_power_share_air,
        ),
        liquid_share=immersed_liquid_share(liquid_share=supernode.liquid_share),
    )
