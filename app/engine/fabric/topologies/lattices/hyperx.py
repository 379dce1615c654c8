"""HyperX: a lattice of switches, each joined to all others of its lines; the NICs of hosts are their terminals.

Endpoints fill the switches in the order of the hosts, so that the NICs of a host share a switch wherever they
fit. All switches of the shape are bought and joined, however few terminals they have.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.lattices import halving, hyperx_counts, meshes, places
from app.engine.fabric.topologies.lattices.problems import hyperx_problems
from app.engine.fabric.topologies.lattices.torus import inner_places
from app.engine.fabric.topologies.lattices.wires import lattice_graph, pairs_in_lines, wires
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
from app.engine.trace import Array, count_of, plain

STATED = tuple(range(1, 7))


def hyperx_lengths(ask: Ask) -> tuple[Array, ...]:
    """Lengths as stated; else those of the fewest switches that do, of as few dimensions as do."""
    stated = places.stated_lengths(ask, STATED)
    if stated:
        return stated
    lengths = tuple(
        hyperx_counts.hyperx_length(
            endpoint_links=ask.plugs.endpoint_links,
            switch_radix=ask.plugs.switch_radix,
            oversubscription=ask.pod.fabric.oversubscription,
            axis=np.full(1, float(axis)),
        )
        for axis in range(hyperx_counts.MOST_DIMENSIONS)
    )
    longer = tuple(length for length in lengths if not np.all(plain(length) == 1))
    return longer or lengths[:1]


def hyperx_sizes(ask: Ask) -> tuple[tuple[Array, ...], Array, Array, Array, Array]:
    """Lengths, switches, terminals of a switch, width of a bundle and length of the shortest line."""
    lengths = hyperx_lengths(ask)
    switches = places.lattice_places(lengths=lengths) * np.where(ask.plugs.endpoint_links > 0, 1.0, 0.0)
    terminals = hyperx_counts.hyperx_terminals(
        endpoint_links=ask.plugs.endpoint_links, switches=np.maximum(switches, 1.0)
    )
    shortest = _shortest(lengths)
    width = hyperx_counts.hyperx_width(
        terminals=terminals,
        shortest=shortest,
        neighbours=meshes.mesh_neighbours(lengths=lengths),
        oversubscription=ask.pod.fabric.oversubscription,
        switch_radix=ask.plugs.switch_radix,
    )
    return lengths, switches, terminals, width, shortest


def _shortest(lengths: tuple[Array, ...]) -> Array:
    """The shortest line, lines of one place left out; 1 where all are."""
    shortest = np.where(lengths[0] > 1, lengths[0], np.inf)
    for length in lengths[1:]:
        shortest = np.minimum(shortest, np.where(length > 1, length, np.inf))
    return np.where(shortest < np.inf, shortest, 1.0)


def hyperx_shape(ask: Ask) -> Shape:
    """Switches with terminals, and the links of each dimension."""
    lengths, switches, terminals, width, shortest = hyperx_sizes(ask)
    endpoints = ask.plugs.endpoint_links
    between = tuple(
        hyperx_counts.hyperx_dimension_links(switches=switches, length=length, width=width)
        for length in lengths
    )
    bisection = halving.mesh_bisection_links(lengths=lengths, width=width, filled=np.ones(1))
    steps = tuple(meshes.mesh_dimension_path_links(length=length) for length in lengths)
    router = Layer(
        name="router",
        switches=switches,
        links=1 * endpoints,
        switch_ends=1,
        links_above=2 * sum(between[1:], start=between[0]),
        path_links=np.where(endpoints > 0, 2.0, 0.0),
        cable_length_m=ask.assumptions.node_cable_length_m,
    )
    dimensions = tuple(
        Layer(
            name=f"dimension_{axis + 1}",
            switches=np.zeros(1),
            links=links,
            switch_ends=2,
            links_above=np.zeros(1),
            path_links=step,
            cable_length_m=ask.assumptions.spine_cable_length_m,
        )
        for axis, (links, step) in enumerate(zip(between, steps, strict=True))
    )
    in_use = np.where(endpoints > 0, 1.0, 0.0)
    return Shape(
        layers=(router, *dimensions),
        lengths=lengths,
        unit_supernodes=np.maximum(np.floor(terminals * ask.plugs.networked_supernodes / endpoints), 1.0),
        units=1 * switches,
        groups=1 * in_use,
        bisection_links=np.where(shortest <= 1, endpoints / 2, bisection),
        oversubscription=hyperx_counts.hyperx_oversubscription(
            terminals=terminals, shortest=shortest, width=width
        ),
        path_switches=in_use * (1 + sum(steps[1:], start=steps[0])),
        mean_path_links=hyperx_counts.hyperx_mean_path_links(endpoint_links=endpoints, lengths=lengths),
    )


def hyperx_graph(ask: Ask) -> FabricGraph:
    """Every switch and link. A switch's ports: its terminals, then its lines by dimension and place."""
    arrays = hyperx_sizes(ask)
    lengths = tuple(count_of(length) for length in arrays[0])
    switches, terminals, width = (count_of(value) for value in arrays[1:4])
    hosts, ports = count_of(places.hosts_of(ask)), count_of(places.ports_of(ask))
    endpoint = np.arange(hosts * ports if switches else 0)
    inner, first = inner_places(lengths), terminals
    parts = [
        wires(
            "router",
            ("host", endpoint // max(ports, 1), endpoint % max(ports, 1)),
            ("router", endpoint // max(terminals, 1), endpoint % max(terminals, 1)),
            1,
        )
    ]
    for axis, length in enumerate(lengths):
        lower, upper = pairs_in_lines(switches if width else 0, length, inner[axis])
        here, there = lower // inner[axis] % length, upper // inner[axis] % length
        parts.append(
            wires(
                f"dimension_{axis + 1}",
                ("router", lower, first + (there - 1) * width),  # its own place has no port
                ("router", upper, first + here * width),
                width,
            )
        )
        first += (length - 1) * width
    return lattice_graph(
        ask,
        tiers=["router", *(f"dimension_{axis + 1}" for axis in range(len(lengths)))],
        parts=parts,
        switches={"router": switches},
        host_group=np.arange(hosts) * ports // max(terminals, 1),
        switch_group={"router": np.arange(switches)},
    )


def _problems(ask: Ask, fabric: Fabric) -> list[Problem]:
    lengths, _, terminals, width, _ = hyperx_sizes(ask)
    return hyperx_problems(ask, fabric, lengths, terminals, width)


HYPERX = Topology(
    name="hyperx",
    title="HyperX",
    shape=hyperx_shape,
    graph=hyperx_graph,
    problems=_problems,
    managed=False,
)
