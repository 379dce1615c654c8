"""What every topology says of one plane: its layers of switches and links, and how far apart endpoints are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.collectives.shared_links import SharedLinks
from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.plugs import Plugs
from app.engine.problems import Fix, Problem
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What a topology is built for."""

    pod: Pod
    supernode: SuperNode
    plugs: Plugs
    assumptions: FabricAssumptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Switches of one plane and the links below them; a layer of links alone has no switches of its own."""

    name: str  # leaf | spine | core | router | local | global | dimension_1 | ...
    switches: Array
    links: Array
    switch_ends: int  # ends of each link that are in switches; the others are in nodes
    links_above: Array  # links of other layers that also end in these switches
    path_links: Array  # of this layer on the longest path between two nodes
    cable_length_m: Array  # of one of its links
    modules: Array | None = None  # in switches of one plane, cage by cage; None: not counted so closely
    lower_modules: Array | None = None  # of them, those at the lower ends of its links; None: not told apart
    switch_modules: bool = True  # whether ends in its switches are modules; circuit switches take bare fibres


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One plane of a fabric. Layers that are not built have neither switches nor links."""

    layers: tuple[Layer, ...]
    unit_supernodes: Array  # SuperNodes of one unit, group or cube
    units: Array
    groups: Array  # of leaves that share spines, or of whatever the topology groups
    bisection_links: Array  # links that the thinnest cut into halves cuts
    oversubscription: Array  # bandwidth inside a unit over the bandwidth that all can have beyond it at once
    path_switches: Array  # on the longest path between two nodes
    mean_path_links: Array  # links between two nodes, averaged over pairs of endpoints
    shared_links: SharedLinks  # that exchanges wait for
    management_modules: Array | None = (
        None  # that links of management servers take beyond those of the first layer
    )
    evenness_switches: Array | None = (
        None  # bought so that leaves reach all spines evenly; None: no such choice
    )
    node_links: Array | None = None  # link ends in nodes; None: all the ports of their NICs carry one
    lengths: tuple[Array, ...] = ()  # of the dimensions of a lattice; boards have theirs before the others


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """A way to join SuperNodes.

    `shape` gives counts that may be traced and sampled, `graph` the very devices and links for the first
    sample, `problems` what stands in the way. Counts of the two agree; tests hold them together. `ends` is
    the graph without ports, where that is much quicker.
    `direct` are those whose links join nodes, so that no switch port limits their rate; `managed` those whose
    switches take management servers as well.
    """

    name: str
    title: str
    shape: Callable[[Ask], Shape]
    graph: Callable[[Ask], FabricGraph]
    problems: Callable[[Ask, Fabric], list[Problem]]
    ends: Callable[[Ask], FabricGraph] | None = None
    direct: bool = False
    managed: bool = True

    def graph_of_ends(self, ask: Ask) -> FabricGraph:
        """Devices and links for whatever only counts and measures them; ports may be -1."""
        return (self.ends or self.graph)(ask)


def counted_problem(
    *,
    kind: Literal["infeasible", "warning"] = "infeasible",
    field: str,
    constraint: str,
    message: str,
    value: float | None,
    limit: float | None,
    fix: Fix | None,
    affects: tuple[str, ...] = ("fabric",),
) -> Problem:
    """A problem in numbers of things; None where there is no number to it."""
    known = value is not None and limit is not None
    return Problem(
        kind=kind,
        field=field,
        constraint=constraint,
        message=message,
        value=None if value is None else float(value),
        limit=None if limit is None else float(limit),
        missed_by=abs(float(value) - float(limit)) if known else None,  # type: ignore[arg-type]
        unit="1",
        fix=fix,
        affects=affects,
    )
