"""All units and the racks they share, one after another: which rack holds what, before rows are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import SuperNodeSize
from app.engine.fabric.floor.limits import demand_of_device, room_of_rack
from app.engine.fabric.floor.listed import Listed
from app.engine.fabric.floor.packing import packed
from app.engine.fabric.floor.rows import slots_of_blocks
from app.engine.fabric.floor.template import NETWORK, SERVICE, UnitTemplate, unit_template
from app.engine.fabric.graph.graph import NONE, Whole
from app.engine.specs import FloorRules
from app.engine.trace import first_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """r racks in the order in which they stand, and the places of hosts and of listed devices in them."""

    rack_kind: Whole  # (r,)
    rack_unit: Whole  # (r,) -1 for what the units share
    slot: Whole  # (r,) place, counted through all rows
    host_rack: Whole
    host_bottom_u: Whole
    device_rack: Whole
    device_bottom_u: Whole


def standing(
    supernodes: Sequence[SuperNodeSize],
    kind_of_unit: Whole,
    unit_of_host: Whole,
    listed: Listed,
    rules: FloorRules,
) -> Standing:
    """Units by their templates; what they share stands in the middle of them."""
    templates, chosen = _templates(supernodes, kind_of_unit, unit_of_host, listed, rules)
    shared_kind, shared, shared_rack, shared_bottom_u = _shared_racks(listed, rules)
    racks_of_unit = np.array([each.rack_kind.size for each in templates], np.int32)[chosen]
    before = -(-chosen.size // 2)
    blocks = np.insert(racks_of_unit, before, shared_kind.size)
    starts = np.cumsum(blocks) - blocks
    start_of_unit, start_of_shared = np.delete(starts, before), int(starts[before])
    in_shared = np.zeros(int(blocks.sum()), bool)
    in_shared[start_of_shared : start_of_shared + shared_kind.size] = True

    rack_kind = np.empty(in_shared.size, np.int32)
    rack_kind[in_shared] = shared_kind
    rack_kind[~in_shared] = _gathered([each.rack_kind for each in templates], chosen)
    rack_unit = np.full(in_shared.size, NONE, np.int32)
    rack_unit[~in_shared] = np.repeat(np.arange(chosen.size), racks_of_unit)

    hosts = np.argsort(unit_of_host, kind="stable")
    host_rack, host_bottom_u = np.empty((2, hosts.size), np.int32)
    host_rack[hosts] = _gathered([each.host_rack for each in templates], chosen)
    host_rack += start_of_unit[unit_of_host]
    host_bottom_u[hosts] = _gathered([each.host_bottom_u for each in templates], chosen)

    with_unit = listed.unit > NONE
    devices = np.lexsort((listed.size, listed.unit))[np.count_nonzero(~with_unit) :]
    device_rack, device_bottom_u = np.empty((2, listed.size.size), np.int32)
    device_rack[devices] = _gathered([each.device_rack for each in templates], chosen)
    device_rack[devices] += start_of_unit[listed.unit[devices]]
    device_bottom_u[devices] = _gathered([each.device_bottom_u for each in templates], chosen)
    device_rack[shared] = start_of_shared + shared_rack
    device_bottom_u[shared] = shared_bottom_u
    dealt = np.flatnonzero(np.array([size.rack == "every" for size in listed.sizes], bool)[listed.size])
    device_rack[dealt] = np.arange(dealt.size) * in_shared.size // max(dealt.size, 1)
    device_bottom_u[dealt] = int(first_of(rules.rack_units)) // 2  # they run along the side of the rack
    alone = [False] * blocks.size
    alone[before] = rules.switch_position == "network_rows"
    return Standing(
        rack_kind=rack_kind,
        rack_unit=rack_unit,
        slot=slots_of_blocks(blocks.tolist(), alone, int(first_of(rules.row_racks))),
        host_rack=host_rack,
        host_bottom_u=host_bottom_u,
        device_rack=device_rack,
        device_bottom_u=device_bottom_u,
    )


def _templates(
    supernodes: Sequence[SuperNodeSize],
    kind_of_unit: Whole,
    unit_of_host: Whole,
    listed: Listed,
    rules: FloorRules,
) -> tuple[list[UnitTemplate], Whole]:
    """The different units there are, and which of them each unit is."""
    units, sizes = kind_of_unit.size, len(listed.sizes)
    mine = listed.unit > NONE
    flat = listed.unit[mine] * sizes + listed.size[mine]
    counts = np.bincount(flat, minlength=units * sizes).reshape(units, sizes)
    make_up = np.column_stack([kind_of_unit, np.bincount(unit_of_host, minlength=units), counts])
    distinct, chosen = np.unique(make_up, axis=0, return_inverse=True)
    templates = [
        unit_template(supernodes[kind], count, devices, listed.sizes, rules)
        for kind, count, *devices in distinct.tolist()
    ]
    return templates, chosen.ravel()


def _shared_racks(listed: Listed, rules: FloorRules) -> tuple[Whole, Whole, Whole, Whole]:
    """Kinds of the racks that no unit has for itself; the devices in them, with rack and height of each."""
    room = room_of_rack(rules)
    kinds, devices, racks, bottoms, found = [], [], [], [], 0
    for kind, name in ((NETWORK, "network"), (SERVICE, "service")):
        sizes = [index for index, size in enumerate(listed.sizes) if size.rack == name]
        mine = [np.flatnonzero((listed.size == size) & (listed.unit == NONE)) for size in sizes]
        places = packed(
            [each.size for each in mine], [demand_of_device(listed.sizes[size]) for size in sizes], room
        )
        kinds.append(np.full(places.racks, kind, np.int32))
        devices.append(np.concatenate([np.empty(0, np.int32), *mine]))
        racks.append(places.rack + found)
        bottoms.append(places.bottom_u)
        found += places.racks
    kind_of_rack, device, rack, bottom_u = (
        np.concatenate(parts) for parts in (kinds, devices, racks, bottoms)
    )
    return kind_of_rack, device, rack, bottom_u


def _gathered(parts: list[Whole], chosen: Whole) -> Whole:
    """The chosen parts one after another, without a loop over the choices.

    >>> _gathered([np.array([7]), np.array([1, 2])], np.array([1, 0, 1])).tolist()
    [1, 2, 7, 1, 2]
    """
    sizes = np.array([part.size for part in parts], np.int64)
    starts, lengths = (np.cumsum(sizes) - sizes)[chosen], sizes[chosen]
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.concatenate([np.empty(0, np.int32), *parts])[np.repeat(starts, lengths) + within]
