"""The floor of an evaluated scenario: every network's devices in racks, and the lengths of its cables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.fabric.floor.floor import DeviceSize, Floor, Measured, SuperNodeSize
from app.engine.fabric.floor.lengths import link_lengths_m
from app.engine.fabric.floor.plan import floor_plan
from app.engine.fabric.floor.problems import floor_problems
from app.engine.fabric.floor.sizes import device_sizes, one_and_the_same, supernode_size, with_spares
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.facility.it.power import installed_supernodes
from app.engine.facility.racks.heat import liquid_share_in
from app.engine.facility.racks.packing import Racked, racked
from app.engine.mixed import all_kinds
from app.engine.problems import Problem
from app.engine.specs import FloorRules, SuperNode
from app.engine.trace import Array, count_of, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.graphs import network_graphs


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

    Without ports it is quicker, for whoever only counts and measures.
    """
    design = evaluated.resolved.design
    rules = design.pod.floor
    assert rules is not None  # resolving a scenario always says them
    graphs = network_graphs(design, with_ports=with_ports)
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
