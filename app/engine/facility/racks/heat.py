"""Heat of a rack by loop, as its plant takes it: in sum, and by height unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.elevation import FullRack, Shelf
from app.engine.fabric.floor.floor import DeviceSize, SuperNodeSize
from app.engine.fabric.graph.kinds import HOST
from app.engine.facility.cooling.plants import WITHOUT_COOLANT
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class CooledSuperNode:
    """What a SuperNode takes of a rack, and its rating and share of liquid as its plant cools it."""

    size: SuperNodeSize
    power_w: float
    liquid_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfHeat:
    """Heat of what fills some height units of a rack, for each of them. Unknown is NaN."""

    name: str
    what: str
    bottom_u: int
    units: int
    air_w_per_u: float
    liquid_w_per_u: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RackHeat:
    """Rated power and heat of one rack as it is cooled."""

    power_w: float
    air_heat_w: float
    liquid_heat_w: float
    shelves: tuple[ShelfHeat, ...]  # from the bottom up


@quantity(unit="W/U", source="definition")
def heat_w_per_u(*, power_w: Array, loop_share: Array, units: Array) -> Array:
    """Heat that one height unit gives to a loop."""
    return power_w * loop_share / units


def rack_heat(
    rack: FullRack,
    *,
    supernode: CooledSuperNode | None,
    devices: Mapping[str, Mapping[str, DeviceSize]],
    plant: str,
) -> RackHeat:
    """A rack as a plant cools it: without coolant all goes to air, in a tank all of the SuperNode to oil.

    Parameters
    ----------
    rack : with powers and heats as the catalog states them
    supernode : whose servers stand in it; None where there are none
    devices : sizes of all else, by network and kind
    """
    shelves = [shelf for shelf in rack.shelves if shelf.units]
    loads = [_load(shelf, supernode, devices, plant) for shelf in shelves]
    power_w = sum((power for power, _ in loads), 0.0)
    liquid_w = sum((power * share if power else 0.0 for power, share in loads), 0.0)
    if supernode and supernode.size.own_racks:  # shared parts of a rack that comes whole are in its rating
        power_w = supernode.power_w / supernode.size.own_racks
        liquid_w = power_w * liquid_share_in(plant, supernode.liquid_share)
    return RackHeat(
        power_w=power_w,
        air_heat_w=power_w - liquid_w,
        liquid_heat_w=liquid_w,
        shelves=tuple(_by_unit(shelf, *load) for shelf, load in zip(shelves, loads, strict=True)),
    )


def _load(
    shelf: Shelf,
    supernode: CooledSuperNode | None,
    devices: Mapping[str, Mapping[str, DeviceSize]],
    plant: str,
) -> tuple[float, float]:
    """Power of a thing, and the share of its heat that goes to liquid."""
    if shelf.kind == HOST and supernode:
        return supernode.power_w / supernode.size.nodes, liquid_share_in(plant, supernode.liquid_share)
    return shelf.power_w, liquid_share_in(plant, devices[shelf.network][shelf.kind].liquid_share)


def liquid_share_in(plant: str, liquid_share: float) -> float:
    """Share of its heat that a thing gives to liquid: none in a hall without coolant."""
    return 0.0 if plant in WITHOUT_COOLANT else liquid_share


def _by_unit(shelf: Shelf, power_w: float, liquid_share: float) -> ShelfHeat:
    thing = {"power_w": np.full(1, power_w), "units": np.full(1, float(shelf.units))}
    return ShelfHeat(
        name=shelf.name,
        what=shelf.what,
        bottom_u=shelf.bottom_u,
        units=shelf.units,
        air_w_per_u=float(heat_w_per_u(loop_share=np.full(1, 1 - liquid_share), **thing)[0]),
        liquid_w_per_u=float(heat_w_per_u(loop_share=np.full(1, liquid_share), **thing)[0]),
    )
