"""What a rack cannot carry, by how much, and the nearest design that works; and what could not be checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Floor, Measured, SuperNodeSize
from app.engine.fabric.floor.limits import (
    ALMOST,
    MEASURES,
    demand_of_device,
    demand_of_node,
    demand_of_own_rack,
    how_many_fit,
    limits_of_rack,
    room_of_rack,
)
from app.engine.fabric.floor.template import NETWORK, nodes_of_rack
from app.engine.fabric.graph.graph import NONE
from app.engine.problems import Fix, Problem
from app.engine.specs import FloorRules

LIMITS = {
    "height": ("pod.floor.rack_units", "U", "is {0:,.0f} U high", "has {0:,.0f} U"),
    "power": ("pod.floor.rack_power_w", "W", "draws {0:,.0f} W", "may draw {0:,.0f} W"),
    "air_heat": ("pod.floor.rack_air_heat_w", "W", "gives {0:,.0f} W to air", "may give {0:,.0f} W to air"),
    "liquid_heat": (
        "pod.floor.rack_liquid_heat_w", "W", "gives {0:,.0f} W to liquid", "may give {0:,.0f} W to liquid",
    ),
    "weight": ("pod.floor.rack_weight_kg", "kg", "weighs {0:,.0f} kg", "may weigh {0:,.0f} kg"),
}  # fmt: skip
"""By measure: the field of its limit, the unit, what a thing does, and what a rack may do."""

NAMES = {
    "height": "height", "power": "power", "air_heat": "heat to air", "liquid_heat": "heat to liquid",
    "weight": "weight",
}  # fmt: skip


def floor_problems(
    supernodes: Sequence[SuperNodeSize],
    devices: Mapping[str, Mapping[str, DeviceSize]],
    floor: Floor,
    rules: FloorRules,
) -> list[Problem]:
    """Racks over a limit, switches that do not fit where they were asked to stand, and unknown sizes."""
    found: list[Problem] = []
    unchecked: dict[str, list[str]] = {}
    for name, load, own in _loads(supernodes, devices):
        limits = limits_of_rack(rules) if own else room_of_rack(rules)
        taken = limits_of_rack(rules) - limits  # by the rack itself
        over = (load > limits + ALMOST) & ~np.isnan(load)
        if own:  # it is powered and cooled for what is in it, as far as the scenario does not say otherwise
            over &= [
                LIMITS[measure][0].removeprefix("pod.floor.") in rules.stated or measure == "weight"
                for measure in MEASURES
            ]
        found += [
            _over(name, int(measure), load + taken, limits_of_rack(rules), own)
            for measure in np.flatnonzero(over)
        ]
        for measure in _unknown(load):
            unchecked.setdefault(measure, []).append(name)
    found += too_many_asked(supernodes, rules)
    if rules.switch_position == "in_rack" and np.any(
        (floor.racks.kind == NETWORK) & (floor.racks.unit > NONE)
    ):
        found.append(
            _no_room_for_switches(
                max((nodes_of_rack(size, rules) for size in supernodes if not size.own_racks), default=0)
            )
        )
    return [*found, *(_unchecked(measure, names) for measure, names in unchecked.items())]


def too_many_asked(supernodes: Sequence[SuperNodeSize], rules: FloorRules) -> list[Problem]:
    """Servers that a scenario asks to put into one rack, and that no rack carries: fewer stand in each."""
    found = []
    for size in supernodes:
        asked = size.servers_asked
        if not asked or size.own_racks:
            continue
        fitting = how_many_fit(room_of_rack(rules), demand_of_node(size))
        if 0 < fitting < asked:
            found.append(_too_many(size, asked, fitting, rules))
    return found


def _loads(
    supernodes: Sequence[SuperNodeSize], devices: Mapping[str, Mapping[str, DeviceSize]]
) -> Iterator[tuple[str, Measured, bool]]:
    """Every kind of thing once: name, what one takes, and whether it is a rack of its own."""
    for size in supernodes:
        if size.own_racks:
            yield size.name, demand_of_own_rack(size), True
        else:
            yield size.name, demand_of_node(size), False
    sizes = {size.name: size for kinds in devices.values() for size in kinds.values() if size.units}
    for name, device in sizes.items():
        yield name, demand_of_device(device), False


def _unknown(load: Measured) -> list[str]:
    """Measures that are not published; where the power is unknown, both its parts are, which says no more."""
    unknown = [measure for measure, value in zip(MEASURES, load, strict=True) if np.isnan(value)]
    return [measure for measure in unknown if "heat" not in measure or "power" not in unknown]


def _over(name: str, measure: int, load: Measured, limits: Measured, own: bool) -> Problem:
    field, unit, does, may = LIMITS[MEASURES[measure]]
    needed, limit = float(load[measure]), float(limits[measure])
    thing = f"A rack of {name}" if own else f"A rack with one {name}"
    way_out = f"racks of {needed:,.0f} {unit}"
    if MEASURES[measure] == "air_heat":
        share = 1 - limit / float(load[MEASURES.index("power")])
        way_out += f", or {share:.0%} or more of its heat to liquid (supernode.override.liquid_share)"
    return Problem(
        kind="infeasible",
        field=field,
        constraint=f"rack {NAMES[MEASURES[measure]]}",
        message=f"{thing} {does.format(needed)}, and a rack {may.format(limit)}. It takes {way_out}.",
        value=needed,
        limit=limit,
        missed_by=needed - limit,
        unit=unit,
        fix=Fix(field=field, value=float(np.ceil(needed)), message=f"Use {way_out}."),
        affects=("floor",),
    )


def _too_many(size: SuperNodeSize, asked: int, fitting: int, rules: FloorRules) -> Problem:
    load, room = asked * demand_of_node(size), room_of_rack(rules)
    measure = int(np.flatnonzero((load > room + ALMOST) & ~np.isnan(load))[0])
    field, unit, _, may = LIMITS[MEASURES[measure]]
    whole = limits_of_rack(rules)
    needed, limit = float((load + whole - room)[measure]), float(whole[measure])
    verb = {"height": "need", "weight": "weigh", "power": "draw"}.get(MEASURES[measure], "give")
    return Problem(
        kind="infeasible",
        field="pod.floor.nodes_per_rack",
        constraint=f"rack {NAMES[MEASURES[measure]]}",
        message=f"{asked} {size.name} in a rack {verb} {needed:,.0f} {unit}, and a rack "
        f"{may.format(limit)}: {fitting} fit. {asked} take racks of {needed:,.0f} {unit} ({field}).",
        value=float(asked),
        limit=float(fitting),
        missed_by=float(asked - fitting),
        unit="1",
        fix=Fix(
            field="pod.floor.nodes_per_rack",
            value=float(fitting),
            message=f"Put {fitting} into a rack.",
        ),
        affects=("floor",),
    )


def _no_room_for_switches(servers: int) -> Problem:
    fewer = Fix(
        field="pod.floor.nodes_per_rack",
        value=float(servers - 1),
        message=f"Leave room for them: {servers - 1} to a rack.",
    )
    beside = Fix(
        field="pod.floor.switch_position",
        value="middle_of_row",
        message="Stand them in the middle of their row.",
    )
    return Problem(
        kind="infeasible",
        field="pod.floor.switch_position",
        constraint="rack height",
        message="The racks of SuperNodes have no room for switches: those are in racks of their own.",
        fix=fewer if servers > 1 else beside,
        affects=("floor",),
    )


def _unchecked(measure: str, names: Sequence[str]) -> Problem:
    return Problem(
        kind="warning",
        field=LIMITS[measure][0],
        constraint=f"rack {NAMES[measure]}",
        message=f"Unpublished: the {NAMES[measure]} of {', '.join(names)}: the limit of racks with them "
        "was not checked.",
        affects=("floor",),
    )
