"""A floor as arrays: its racks, and the rack and height of every device of every network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import Whole

Measured = NDArray[np.float64]

RACK_KINDS = ("compute", "network", "service")
"""What a rack is for: SuperNodes with their leaves; switches; storage and management servers."""

RACK_UNIT_M = 0.04445  # EIA-310: 1.75 inches


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSize:
    """What one device takes of a rack. Unknown is NaN."""

    name: str
    units: int  # height units, U; 0 where it is mounted beside them
    power_w: float  # rated, with its modules
    weight_kg: float
    liquid_share: float  # of its heat
    rack: Literal["network", "service", "every"]  # kind of rack it stands in; every: dealt out over all


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeSize:
    """Space and power of SuperNodes of one kind: whole racks as delivered, or servers that are put into
    racks.

    Power and share of liquid are those of the data sheet, by which racks are filled.
    """

    name: str
    count: int
    nodes: int  # of one, as all below
    own_racks: int  # racks it is delivered in; 0 for servers
    units: float  # of all its nodes; of all its racks where it has its own
    power_w: float
    weight_kg: float
    liquid_share: float
    spares: int = 0  # beside `count`: in racks, joined by no network
    servers_per_rack: int | None = None  # of a full rack; None: as many as the rules allow
    servers_asked: int | None = None  # of a rack, where the scenario states it, whatever fits
    rating_w: float | None = None  # as it is installed: capped and fed as the scenario says
    installed_liquid_share: float | None = None  # as its hall cools it

    @property
    def as_installed(self) -> SuperNodeSize:
        """The same with the power and the share of liquid that it has where it stands."""
        share = self.installed_liquid_share
        return replace(
            self,
            power_w=self.power_w if self.rating_w is None else self.rating_w,
            liquid_share=self.liquid_share if share is None else share,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Racks:
    """r racks, row by row, in each from its left end. Unknown is NaN."""

    kind: Whole  # (r,) index into RACK_KINDS
    row: Whole  # (r,) from 0; rows stand side by side in lines
    position: Whole  # (r,) in its row, from 0
    unit: Whole  # (r,) scalable unit it stands in, -1 for none
    x_m: Measured  # (r,) of its middle, along the row
    y_m: Measured  # (r,) of its middle, across the rows
    used_u: Whole  # (r,) heights that devices fill
    power_w: Measured  # (r,) rated
    weight_kg: Measured  # (r,) of what stands in it and of the rack itself
    air_heat_w: Measured  # (r,) part of the power that leaves by air
    liquid_heat_w: Measured  # (r,) part of the power that leaves by liquid

    @property
    def count(self) -> int:
        return int(self.kind.size)

    @property
    def air_heat_w_per_u(self) -> Measured:
        """(r,) mean over the heights that devices fill; unknown where they fill none."""
        return self._by_unit(self.air_heat_w)

    @property
    def liquid_heat_w_per_u(self) -> Measured:
        return self._by_unit(self.liquid_heat_w)

    def _by_unit(self, heat_w: Measured) -> Measured:
        return np.where(self.used_u > 0, heat_w / np.maximum(self.used_u, 1), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where n devices stand, in the order of their graph. Every device has a place."""

    rack: Whole  # (n,) index into the racks
    bottom_u: Whole  # (n,) lowest height it fills, from 1
    units: Whole  # (n,) heights it fills
    power_w: Measured  # (n,) rated


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """Racks, and the places of the devices by network; a host has the same place in every network."""

    racks: Racks
    hosts: Places  # of all nodes of all SuperNodes, joined or not
    places: Mapping[str, Places]
    rack_units: int  # heights of the highest rack
    row_count: int
    length_m: float  # along the rows, an aisle at both ends included
    width_m: float  # across them, an aisle at both sides included
