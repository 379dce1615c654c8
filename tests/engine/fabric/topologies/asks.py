"""What topologies are asked for in tests: hosts with as many ports as a case needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.fabric.topologies.shape import Ask, Shape
from app.engine.specs import SuperNode
from tests.engine.fabric.pods import pod, supernode
from tests.support import assumptions, number


def host(ports: int, **changes: Any) -> SuperNode:
    """A server with one link a NIC."""
    return supernode(**{"accelerators": ports, "scale_out_nics": ports} | changes)


def ask(
    topology: str,
    hosts: float,
    ports: int = 8,
    shape: Sequence[int] = (),
    server: SuperNode | None = None,
    **plan: Any,
) -> Ask:
    return asked_of(
        pod=pod(hosts, topology=topology, shape=tuple(number(length) for length in shape), **plan),
        supernode=server or host(ports),
        assumptions=assumptions("fabric", FabricAssumptions),
    )


def shape_and_graph(asked: Ask) -> tuple[Shape, FabricGraph]:
    topology = topology_of(asked.pod.fabric.topology)
    return topology.shape(asked), topology.graph(asked)


def first(value: Any) -> float:
    return float(np.ravel(value)[0])


def links_of(shape: Shape) -> dict[str, float]:
    return {layer.name: first(layer.links) for layer in shape.layers}


def switches_of(shape: Shape) -> float:
    return sum(first(layer.switches) for layer in shape.layers)


def diameter_of(shape: Shape) -> float:
    return sum(first(layer.path_links) for layer in shape.layers)
