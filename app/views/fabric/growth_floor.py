"""The racks of a pod by the stage at which they are filled, on the floor of its final size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import Floor
from app.engine.fabric.graph.graph import Whole
from app.engine.fabric.growth.plan import present
from app.engine.mixed import all_kinds
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.floor import floor_of

OTHER = -1
"""The stage of racks that hold nothing of the compute fabric: spares, storage and management."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorStages:
    """The final floor. A rack belongs to the first stage that has something in it."""

    floor: Floor
    rack_width_m: float
    rack_depth_m: float
    stage: Whole  # (racks,) from 0, or OTHER
    supernodes: tuple[int, ...]  # at the end of each stage
    racks_added: tuple[int, ...]
    links_added: tuple[int, ...]  # of the compute fabric laid out for the final size


def floor_stages(evaluated: EvaluatedScenario, supernodes: tuple[int, ...]) -> FloorStages | None:
    """The stages on the floor of a design.

    None where the last stage is not the size of the design, whose floor would be another, or where its
    SuperNodes are of several kinds, whose order within a stage is open.
    """
    design = evaluated.resolved.design
    if supernodes[-1] != round(first_of(design.pod.supernodes)) or len(all_kinds(design)) > 1:
        return None
    laid = floor_of(evaluated, with_ports=False)
    graph, floor = laid.graphs["compute"], laid.floor
    rack = floor.places["compute"].rack
    nodes = round(first_of(design.supernode.nodes))
    stage = np.full(floor.racks.count, OTHER)
    links = []
    for place, size in reversed([*enumerate(supernodes)]):
        devices, joined = present(graph, size * nodes)
        stage[rack[devices]] = place
        links.append(int(joined.sum()))
    total = links[::-1]
    return FloorStages(
        floor=floor,
        rack_width_m=first_of(laid.rules.rack_width_m),
        rack_depth_m=first_of(laid.rules.rack_depth_m),
        stage=stage,
        supernodes=supernodes,
        racks_added=tuple(int((stage == place).sum()) for place in range(len(supernodes))),
        links_added=tuple(np.diff(total, prepend=0).tolist()),
    )
