"""A folded Clos as a topology: all of it follows from how its leaves are wired."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.clos.graph import clos_graph
from app.engine.fabric.topologies.clos.problems import clos_problems
from app.engine.fabric.topologies.clos.shape import clos_shape
from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.shape import Ask, Shape, Topology
from app.engine.problems import Problem


def clos_topology(name: str, title: str, wiring: Callable[[Ask], Wiring]) -> Topology:
    """The topology that a way of wiring leaves makes."""

    def shape(ask: Ask) -> Shape:
        return clos_shape(ask, wiring(ask))

    def graph(ask: Ask) -> FabricGraph:
        return clos_graph(ask, wiring(ask))

    def ends(ask: Ask) -> FabricGraph:
        return clos_graph(ask, wiring(ask), with_ports=False)

    def problems(ask: Ask, fabric: Fabric) -> list[Problem]:
        return clos_problems(ask, wiring(ask))

    return Topology(name=name, title=title, shape=shape, graph=graph, ends=ends, problems=problems)
