"""What is said of a floor: racks and cables in sums, every rack by name, and one from the front."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from app.engine.fabric.cabling.names import device_names
from app.engine.fabric.cabling.schedule import rack_names
from app.engine.fabric.floor.contents import Contents, alike, contents
from app.engine.fabric.floor.elevation import FullRack, full_racks
from app.engine.fabric.floor.floor import RACK_KINDS
from app.engine.fabric.floor.sizes import one_and_the_same
from app.engine.fabric.floor.totals import CableTotals, FloorTotals, cable_totals, floor_totals
from app.engine.fabric.graph.graph import Whole
from app.engine.problems import Problem
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.fabric.floor import LaidOut, floor_of


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
