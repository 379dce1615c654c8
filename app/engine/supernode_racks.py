"""The racks of a SuperNode from the front: the trays, switch trays and power shelves that its parts come to.

Counts, power and weight are those of the build-up, dealt over racks: trays evenly over racks, chips of the
lower or only tier stand with the trays that they join, chips of the upper tier in racks of their own. Over all racks,

    sum(racks x power of one) + circuit switches = rated power          sum(racks x weight of one) = weight      [1]

[1] definition; the order of devices in a rack is a convention (power at both ends, switches between the trays)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from app.engine.fabric.scale_up.network import is_upper
from app.engine.fabric.scale_up.shape import Shape
from app.engine.supernode import BuildUp, Contents, rated_power_w
from app.engine.trace import Array, first_of

TRAY, SWITCH_TRAY, POWER_SHELF = "tray", "switch_tray", "power_shelf"
COMPUTE, SWITCHES, SERVER = "compute", "switches", "server"
"""Kinds of racks: a server is one device that shares a rack with others, and is drawn alone."""
_ALMOST = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsShelf:
    """One device of a rack, and the parts in it."""

    kind: str  # TRAY | SWITCH_TRAY | POWER_SHELF
    bottom_u: float  # from 1
    units: float
    accelerators: float
    processors: float
    nics: float
    switches: float
    power_w: float  # nan where unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsRack:
    """Racks that hold the same."""

    kind: str  # COMPUTE | SWITCHES | SERVER
    count: float  # a share of one where several SuperNodes stand in it
    height_u: float
    shelves: tuple[PartsShelf, ...]  # from the bottom up
    links_power_w: float  # of the ends of cables in it
    power_w: float
    weight_kg: float

    @property
    def used_u(self) -> float:
        """Rack units of its devices."""
        return sum(shelf.units for shelf in self.shelves)


def parts_racks(contents: Contents, parts: BuildUp, shape: Shape | None) -> tuple[PartsRack, ...]:
    """Racks of one SuperNode, those alike together; none where the power of a part, and so their number, is unknown.

    Parameters
    ----------
    shape : of the networks of all its domains; None where nothing is joined
    """
    c, powers = contents, {line.name: first_of(line.power_w) for line in parts.lines}
    compute, upper_racks = first_of(parts.compute_racks), first_of(parts.switch_racks)
    if np.isnan(compute):
        return ()
    trays, in_rack = first_of(parts.trays), first_of(parts.trays_per_rack)
    upper = _chips(shape, upper=True)
    lower = _chips(shape) - upper
    chip_w = _fed(c, powers.get("scale_up_switches", 0.0))
    near_w, compute_far_w, upper_far_w = _ends_w(c, parts, upper_racks)
    per_tray_w = (near_w + compute_far_w) / trays
    every = _Dealt(c, powers, trays, chip_w, lower / trays)
    if c.shares_a_rack:
        return (_server(c, every.trays(trays, ends=True), per_tray_w * trays, every),)
    sharing = np.floor(in_rack / trays + _ALMOST) if trays < in_rack else 1.0
    found: list[PartsRack] = []
    first = 0.0
    for racks, held in _dealt(trays, max(round(compute), 1)):
        first += racks * held
        shelves = every.trays(held, ends=first > trays - _ALMOST and racks <= 1) * int(sharing)
        switches = every.switch_trays(held * sharing * every.lower_each)
        number = racks * min(compute, 1.0)  # a share of one where several SuperNodes stand in it
        found.append(_rack(c, COMPUTE, number, shelves, switches, per_tray_w * held * sharing))
    most = first_of(c.switches_per_upper_rack)
    for racks, held in ((float(np.floor(upper / most + _ALMOST)), most), (1.0, upper % most)):
        if racks and held > _ALMOST:
            ends_w = upper_far_w * held / upper
            found.append(_rack(c, SWITCHES, racks, (), every.switch_trays(held), ends_w))
    return _alike(found)


@dataclass(frozen=True, slots=True)
class _Dealt:
    """What is in trays and switch trays of a SuperNode."""

    contents: Contents
    powers: Mapping[str, float]
    trays_total: float
    chip_w: float
    lower_each: float  # chips of the lower tier by the tray

    def trays(self, count: float, *, ends: bool) -> tuple[PartsShelf, ...]:
        """Some trays; the last of the SuperNode holds the accelerators that are left."""
        each = first_of(self.contents.accelerators_per_tray)
        whole = first_of(self.contents.accelerators)
        left = whole - each * (self.trays_total - 1)
        return tuple(
            self._tray(left if ends and place == round(count) - 1 else min(each, whole))
            for place in range(round(count))
        )

    def _tray(self, accelerators: float) -> PartsShelf:
        c, powers = self.contents, self.powers
        processors = first_of(c.processors_per_tray)
        nics = first_of(c.nics) * accelerators / first_of(c.accelerators)
        chips = self.lower_each if self.contents.switches_on_trays else 0.0
        drawn = (
            accelerators * powers["accelerators"] + processors * powers["processors"] + powers["host_memory"]
            + nics * powers["nics"] + powers["trays"]
        )  # fmt: skip
        return PartsShelf(
            kind=TRAY, bottom_u=0.0, units=first_of(c.tray_rack_units), accelerators=accelerators,
            processors=processors, nics=nics, switches=chips, power_w=_fed(c, drawn) + chips * self.chip_w,
        )  # fmt: skip

    def switch_trays(self, chips: float) -> tuple[PartsShelf, ...]:
        """Trays of 1 U with as many chips as go into one."""
        if self.contents.switches_on_trays or chips < _ALMOST:
            return ()
        each = first_of(self.contents.switches_per_rack_unit)
        count = int(np.ceil(chips / each - _ALMOST))
        return tuple(
            PartsShelf(
                kind=SWITCH_TRAY, bottom_u=0.0, units=1.0, accelerators=0.0, processors=0.0, nics=0.0,
                switches=held, power_w=held * self.chip_w,
            )
            for held in (min(each, chips - place * each) for place in range(count))
        )  # fmt: skip


def _alike(racks: Iterable[PartsRack]) -> tuple[PartsRack, ...]:
    """Racks that hold the same, counted together."""
    found: dict[tuple[object, ...], PartsRack] = {}
    for rack in racks:
        key = (rack.kind, *((one.kind, one.accelerators, round(one.switches, 9)) for one in rack.shelves))
        known = found.get(key)
        found[key] = rack if known is None else replace(known, count=known.count + rack.count)
    return tuple(found.values())


def _rack(
    c: Contents,
    kind: str,
    racks: float,
    trays: tuple[PartsShelf, ...],
    switches: tuple[PartsShelf, ...],
    ends_w: float,
) -> PartsRack:
    """A rack: half of its power shelves below, half of its trays, its switches, and the rest."""
    power_w = float(sum(shelf.power_w for shelf in (*trays, *switches)) + ends_w)
    count = 0 if np.isnan(power_w) else int(np.ceil(power_w / first_of(c.shelf_w_per_rack_unit) - _ALMOST))
    shelf = PartsShelf(
        kind=POWER_SHELF, bottom_u=0.0, units=1.0, accelerators=0.0, processors=0.0, nics=0.0, switches=0.0,
        power_w=0.0,
    )  # fmt: skip
    half = len(trays) // 2
    order = (
        *(shelf,) * (count // 2),
        *trays[:half],
        *switches,
        *trays[half:],
        *(shelf,) * (count - count // 2),
    )
    weight = first_of(c.rack_weight_kg) + len(trays) * first_of(c.tray_weight_kg)
    stacked = tuple(_stacked(order))
    used = sum(one.units for one in stacked)
    return PartsRack(
        kind=kind, count=racks, height_u=max(first_of(c.rack_units), used), shelves=stacked,
        links_power_w=ends_w, power_w=power_w, weight_kg=weight,
    )  # fmt: skip


def _server(c: Contents, trays: tuple[PartsShelf, ...], ends_w: float, dealt: _Dealt) -> PartsRack:
    switches = dealt.switch_trays(dealt.lower_each * len(trays))
    stacked = tuple(_stacked((*trays, *switches)))
    return PartsRack(
        kind=SERVER, count=1.0, height_u=sum(one.units for one in stacked), shelves=stacked,
        links_power_w=ends_w, power_w=float(sum(one.power_w for one in stacked) + ends_w),
        weight_kg=len(trays) * first_of(c.tray_weight_kg),
    )  # fmt: skip


def _stacked(shelves: Iterable[PartsShelf]) -> Iterable[PartsShelf]:
    at = 1.0
    for one in shelves:
        yield replace(one, bottom_u=at)
        at += one.units


def _dealt(trays: float, racks: int) -> tuple[tuple[float, float], ...]:
    """Racks and trays in each, as even as whole trays are; the last tray, perhaps not full, has an entry of its own.

    >>> _dealt(127.0, 43)
    ((41.0, 3.0), (1.0, 2.0), (1.0, 2.0))
    """
    least, more = divmod(trays, racks)
    found = ((more, least + 1), (racks - more - 1, least), (1.0, least))
    return tuple(one for one in found if one[0] > 0)


def _ends_w(c: Contents, parts: BuildUp, upper_racks: float) -> tuple[float, float, float]:
    """Power of the ends of near cables, of far ones at trays, and of far ones at upper switches [W]."""
    totals = {line.name: first_of(line.total_power_w) for line in parts.lines}
    near, far = (_fed(c, totals.get(name, 0.0)) for name in ("scale_up_links", "scale_up_far_links"))
    return (near, far / 2, far / 2) if upper_racks > 0 else (near, far, 0.0)


def _chips(shape: Shape | None, *, upper: bool = False) -> float:
    layers = () if shape is None else shape.layers
    return sum(first_of(one.switches) for one in layers if is_upper(one) or not upper)


def _fed(c: Contents, power_w: float) -> float:
    fed: Array = rated_power_w(
        np.full(1, power_w), supply_efficiency=c.supply_efficiency, fan_share=c.fan_share
    )
    return first_of(fed)
