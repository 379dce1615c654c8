"""The floor of an evaluated scenario: every network's devices in racks, and the lengths of its cables."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from app.engine.fabric.cabling.ports import device_names
from app.engine.fabric.cabling.schedule import rack_names
from app.engine.fabric.floor.contents import Contents, alike, contents
from app.engine.fabric.floor.elevation import FullRack, full_racks
from app.engine.fabric.floor.floor import RACK_KINDS, DeviceSize, Floor, Measured, SuperNodeSize
from app.engine.fabric.floor.lengths import link_lengths_m
from app.engine.fabric.floor.plan import floor_plan
from app.engine.fabric.floor.problems import floor_problems
from app.engine.fabric.floor.sizes import device_sizes, one_and_the_same, supernode_size, with_spares
from app.engine.fabric.floor.totals import CableTotals, FloorTotals, cable_totals, floor_totals
from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.facility.it.power import installed_supernodes
from app.engine.facility.racks.kind import liquid_share_in
from app.engine.facility.racks.loads import Racked, racked
from app.engine.mixed import all_kinds
from app.engine.problems import Problem
from app.engine.specs import FloorRules, SuperNode
from app.engine.trace import Array, count_of, first_of
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.fabric.graphs import network_graphs
from app.views.table import Column, fixed, number, text_rows, text_table


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """Graphs, sizes and lengths by network: compute, storage, in_band, out_of_band."""

    graphs: Mapping[str, FabricGraph]
    floor: Floor
    rules: FloorRules
    supernodes: tuple[SuperNodeSize, ...]
    devices: Mapping[str, Mapping[str, DeviceSize]]  # by network and kind
    lengths_m: Mapping[str, Measured]  # of the cable of every link, in the order of its graph
    problems: tuple[Problem, ...]


def racked_of(evaluated: EvaluatedScenario) -> list[tuple[tuple[SuperNode, Array], Racked]]:
    """Every kind of SuperNode with its count, and its racks as the evaluation counts them."""
    design, sections = evaluated.resolved.design, evaluated.evaluation.sections
    of_kinds = [(kind.supernode, kind.supernodes) for kind in all_kinds(design)]
    of_kinds = of_kinds or [(design.supernode, design.pod.supernodes)]
    racks = racked(
        of_kinds,
        pod=design.pod,
        installed=installed_supernodes(
            supernodes=design.pod.supernodes,
            spare_supernodes_installed=sections.reliability.spare_supernodes_installed,
        ),
        plant=sections.cooling.plant,
        facility=design.facility,
        assumptions=design.assumptions.rooms["facility"],
    )
    return list(zip(of_kinds, racks, strict=True))


def floor_of(evaluated: EvaluatedScenario, *, with_ports: bool = True) -> LaidOut:
    """Positions, cable lengths, and equipment that fits no rack.

    Faster without ports, for callers that only count and measure.
    """
    design = evaluated.resolved.design
    rules = design.pod.floor
    assert rules is not None  # resolving a scenario always says them
    graphs = network_graphs(design, with_ports=with_ports)
    for (supernode, _), _ in racked_of(evaluated):
        if not math.isfinite(first_of(supernode.nodes)):
            raise refuse(
                f"How many servers or trays {supernode.name} is made of is not known, so its racks cannot be laid out.",
                rule="unknown", path="supernode.system", value=supernode.key,
                hint="State nodes in its row of your own catalog, or take another system.",
            )  # fmt: skip
    supernodes = [
        part
        for (supernode, count), kind in racked_of(evaluated)
        for part in with_spares(
            supernode_size(
                supernode,
                count_of(count),
                rules,
                rating_w=first_of(kind.rating_w),
                liquid_share=liquid_share_in(
                    evaluated.evaluation.sections.cooling.plant, first_of(kind.liquid_share)
                ),
            ),
            round(first_of((kind.installed - count) * supernode.nodes)),
        )
    ]
    devices = device_sizes(design, graphs, rules)
    floor = floor_plan(
        graphs,
        supernodes=supernodes,
        devices=devices,
        rules=rules,
        one_and_the_same=one_and_the_same(graphs),
    )
    return LaidOut(
        graphs=graphs,
        floor=floor,
        rules=rules,
        supernodes=tuple(supernodes),
        devices=devices,
        lengths_m={name: link_lengths_m(graph, floor, rules, name) for name, graph in graphs.items()},
        problems=tuple(floor_problems(supernodes, devices, floor, rules)),
    )


class FloorOptions(Part):
    """Parts of the floor to show in detail."""

    rack: Annotated[str, Field(max_length=20)] = Field(
        default="", description="Name of a rack, such as R01-05, whose devices are listed."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorAnswer:
    """A floor with the names of its racks, and the rack that was asked for."""

    laid: LaidOut
    totals: FloorTotals
    cables: tuple[CableTotals, ...]
    rack_names: tuple[str, ...]
    rack: FullRack | None
    make_up: Whole  # (racks,) index into examples: racks that hold the same have the same
    examples: tuple[FullRack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RackLine:
    """One rack. Unknown is NaN."""

    name: str
    kind: str  # of RACK_KINDS
    row: int  # from 1
    position: int  # in its row, from 1
    x_m: float  # of its middle
    y_m: float
    used_u: int
    power_w: float
    air_heat_w: float
    liquid_heat_w: float
    weight_kg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorReport:
    """Report of a floor."""

    totals: FloorTotals
    cables: tuple[CableTotals, ...]
    rack_units: int
    racks: tuple[RackLine, ...]
    rack: FullRack | None
    problems: tuple[Problem, ...]


def floor_answer(evaluated: EvaluatedScenario, options: FloorOptions) -> FloorAnswer:
    """The floor of a scenario.

    Raises
    ------
    ScenarioError : there is no rack of that name; the nearest names are in the message
    """
    laid = floor_of(evaluated)
    racks = laid.floor.racks
    names = tuple(name.decode() for name in rack_names(racks.row, racks.position).tolist())
    found = contents(laid.graphs, laid.floor, laid.supernodes, laid.devices, one_and_the_same(laid.graphs))
    devices = _device_names(laid, found)
    make_up, example = alike(found, racks.count)
    rack = None
    if options.rack:
        wanted = np.array([_rack(options.rack, names)])
        (rack,) = full_racks(laid.floor, found, wanted, names, devices)
    return FloorAnswer(
        laid=laid,
        totals=floor_totals(laid.floor),
        cables=tuple(
            total
            for network, graph in laid.graphs.items()
            for total in cable_totals(network, graph, laid.lengths_m[network])
        ),
        rack_names=names,
        rack=rack,
        make_up=make_up,
        examples=tuple(full_racks(laid.floor, found, example, names, devices)),
    )


def floor_report(answer: FloorAnswer) -> FloorReport:
    """The answer with every rack as a line."""
    racks = answer.laid.floor.racks
    columns = (
        answer.rack_names,
        [RACK_KINDS[kind] for kind in racks.kind.tolist()],
        (racks.row + 1).tolist(),
        (racks.position + 1).tolist(),
        racks.x_m.round(3).tolist(),
        racks.y_m.round(3).tolist(),
        racks.used_u.tolist(),
        racks.power_w.tolist(),
        racks.air_heat_w.tolist(),
        racks.liquid_heat_w.tolist(),
        racks.weight_kg.tolist(),
    )
    names = [field.name for field in dataclasses.fields(RackLine)]
    return FloorReport(
        totals=answer.totals,
        cables=answer.cables,
        rack_units=answer.laid.floor.rack_units,
        racks=tuple(RackLine(**dict(zip(names, line, strict=True))) for line in zip(*columns, strict=True)),
        rack=answer.rack,
        problems=answer.laid.problems,
    )


def _rack(name: str, names: tuple[str, ...]) -> int:
    wanted = name.strip().upper()
    if wanted not in names:
        raise refuse(
            f"{shorten(name)} is not a rack of this floor.",
            rule="unknown_rack",
            path="rack",
            value=name,
            hint=f"Nearest: {nearest_names(wanted, names)}.",
        )
    return names.index(wanted)


def _device_names(laid: LaidOut, found: Contents) -> list[str]:
    """Names of devices as in the cable schedule; nodes that nothing joins have them too."""
    by_network = {network: device_names(graph, network) for network, graph in laid.graphs.items()}
    digits = max(4, len(str(int(found.device.max(initial=0)) + 1)))
    names = np.empty(found.device.size, object)
    for index, sort in enumerate(found.sorts):
        mine = found.sort == index
        devices = found.device[mine]
        if sort.network:
            names[mine] = [name.decode() for name in by_network[sort.network][devices].tolist()]
        else:
            names[mine] = [f"node-{device + 1:0{digits}d}" for device in devices.tolist()]
    return list(names)


CABLES = (
    Column("Network", "network", width=-14),
    Column("Tier", "tier", width=-16),
    Column("Links", "links", number, 9),
    Column("Mean m", "mean_length_m", fixed(1), 9),
    Column("Longest m", "longest_m", "{:g}".format, 11),
    Column("km", "metres", fixed(2, per=1e3), 9),
)
SHELVES = (
    Column("", lambda shelf: f"U{shelf.bottom_u}" if shelf.units else "beside", width=-8),
    Column("", lambda shelf: f"{shelf.units} U  ", width=7),
    Column("", "name", width=-29),
    Column("", "what", width=-34),
    Column("", lambda shelf: f"{number(shelf.power_w)} W", width=-1),
)


def floor_text(answer: FloorAnswer) -> str:
    """Sums, cables by tier, the rack that was asked for, and what stands in the way."""
    totals = answer.totals
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in totals.racks_by_kind.items() if count)
    power = number(totals.rated_power_w, per=1e3)
    largest, to_air = (
        number(value, 1, per=1e3) for value in (totals.largest_rack_power_w, totals.largest_rack_air_heat_w)
    )
    lines = [
        f"Racks           {totals.racks_total:,} ({kinds}) in {_rows(totals.rows)}",
        f"Floor           {totals.length_m:.1f} x {totals.width_m:.1f} m, {totals.area_m2:,.0f} m2",
        f"Rated power     {power} kW, {number(totals.power_w_per_m2, 2, per=1e3)} kW/m2",
        f"Largest rack    {largest} kW; {to_air} kW to air",
    ]
    if answer.cables:
        lines += ["", *text_table(CABLES, answer.cables)]
    if answer.rack:
        lines += ["", *_floor_text_rack(answer.rack)]
    if answer.laid.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in answer.laid.problems)]
    return "\n".join(lines)


def _floor_text_rack(rack: FullRack) -> list[str]:
    head = f"Rack {rack.name}, {rack.used_u} of {rack.height_u} U, {number(rack.power_w, 1, per=1e3)} kW, "
    head += f"{number(rack.weight_kg)} kg"
    return [head, *text_rows(SHELVES, reversed(rack.shelves))]


def _rows(rows: int) -> str:
    return "one row" if rows == 1 else f"{rows:,} rows"
