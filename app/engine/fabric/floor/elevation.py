"""Racks with all that stands in them, from the bottom up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.contents import Contents
from app.engine.fabric.floor.floor import RACK_KINDS, Floor
from app.engine.fabric.graph.graph import Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """One thing in a rack. Unknown is NaN."""

    name: str
    what: str  # the model of it
    kind: str  # host | leaf | spine | ...
    network: str  # "" for nodes
    rack_kind: str  # kind of rack that it usually stands in
    bottom_u: int
    units: int  # 0 beside the units
    power_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FullRack:
    """A rack and what it comes to. Unknown is NaN."""

    name: str
    kind: str  # of RACK_KINDS
    row: int  # from 1
    position: int  # from 1
    height_u: int
    used_u: int
    power_w: float
    air_heat_w: float
    liquid_heat_w: float
    weight_kg: float
    shelves: tuple[Shelf, ...]


def full_racks(
    floor: Floor, found: Contents, wanted: Whole, rack_names: Sequence[str], names: Sequence[str]
) -> list[FullRack]:
    """Some racks; `names` are those of all devices of `found`."""
    racks = floor.racks
    return [
        FullRack(
            name=rack_names[rack],
            kind=RACK_KINDS[racks.kind[rack]],
            row=int(racks.row[rack]) + 1,
            position=int(racks.position[rack]) + 1,
            height_u=floor.rack_units,
            used_u=int(racks.used_u[rack]),
            power_w=float(racks.power_w[rack]),
            air_heat_w=float(racks.air_heat_w[rack]),
            liquid_heat_w=float(racks.liquid_heat_w[rack]),
            weight_kg=float(racks.weight_kg[rack]),
            shelves=_shelves(found, int(rack), names),
        )
        for rack in wanted
    ]


def _shelves(found: Contents, rack: int, names: Sequence[str]) -> tuple[Shelf, ...]:
    inside = np.flatnonzero(found.rack == rack)
    inside = inside[np.argsort(found.bottom_u[inside], kind="stable")]
    return tuple(_shelf(found, device, names[device]) for device in inside.tolist())


def _shelf(found: Contents, device: int, name: str) -> Shelf:
    sort = found.sorts[found.sort[device]]
    return Shelf(
        name=name,
        what=sort.name,
        kind=sort.kind,
        network=sort.network,
        rack_kind=sort.rack,
        bottom_u=int(found.bottom_u[device]),
        units=int(found.units[device]),
        power_w=float(found.power_w[device]),
    )
