"""HyperX: a lattice of switches, each joined to all others of its lines; the NICs of hosts are their terminals.

Endpoints fill the switches in the order of the hosts, so that the NICs of a host share a switch wherever they
fit. All switches of the shape are bought and joined, however few terminals they have.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.lattices import halving, mesh, places
from app.engine.fabric.topologies.lattices.problems import hyperx_problems
from app.engine.fabric.topologies.lattices.torus import inner_places
from app.engine.fabric.topologies.lattices.wires import lattice_graph, pairs_in_lines, wires
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
from app.engine.quantities import quantity
from app.engine.trace import Array, count_of, plain

STATED = tuple(range(1, 7))


def hyperx_lengths(ask: Ask) -> tuple[Array, ...]:
    """Lengths as stated; else those of the fewest switches that do, of as few dimensions as do."""
    stated = places.stated_lengths(ask, STATED)
    if stated:
        return stated
    lengths = tuple(
        hyperx_length(
            endpoint_links=ask.plugs.endpoint_links,
            switch_radix=ask.plugs.switch_radix,
            oversubscription=ask.pod.fabric.oversubscription,
            axis=np.full(1, float(axis)),
        )
        for axis in range(MOST_DIMENSIONS)
    )
    longer = tuple(length for length in lengths if not np.all(plain(length) == 1))
    return longer or lengths[:1]


def hyperx_sizes(ask: Ask) -> tuple[tuple[Array, ...], Array, Array, Array, Array]:
    """Lengths, switches, terminals of a switch, width of a bundle and length of the shortest line."""
    lengths = hyperx_lengths(ask)
    switches = places.lattice_places(lengths=lengths) * np.where(ask.plugs.endpoint_links > 0, 1.0, 0.0)
    terminals = hyperx_terminals(endpoint_links=ask.plugs.endpoint_links, switches=np.maximum(switches, 1.0))
    shortest = _shortest(lengths)
    width = hyperx_width(
        terminals=terminals,
        shortest=shortest,
        neighbours=mesh.mesh_neighbours(lengths=lengths),
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
        hyperx_dimension_links(switches=switches, length=length, width=width) for length in lengths
    )
    bisection = halving.mesh_bisection_links(lengths=lengths, width=width, filled=np.ones(1))
    steps = tuple(mesh.mesh_dimension_path_links(length=length) for length in lengths)
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
        oversubscription=hyperx_oversubscription(terminals=terminals, shortest=shortest, width=width),
        path_switches=in_use * (1 + sum(steps[1:], start=steps[0])),
        mean_path_links=hyperx_mean_path_links(endpoint_links=endpoints, lengths=lengths),
        shared_links=places.shared_links_of(
            ask,
            "hyperx",
            lengths=lengths,
            bundle_ratio=places.ports_over_bundle(host_ports=terminals, width=width),
            places=switches,
            host_share=terminals / places.ports_of(ask),
        ),
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


_HYPERX = "[1] Ahn, Binkert, Davis, McLaren, Schreiber, SC 2009 (HyperX)"
MOST_DIMENSIONS = 4


@quantity(unit="1", source=_HYPERX)
def hyperx_terminals(*, endpoint_links: Array, switches: Array) -> Array:
    """Links of one HyperX switch to nodes."""
    return np.ceil(endpoint_links / switches)


@quantity(unit="1", source=_HYPERX)
def hyperx_width(
    *,
    terminals: Array,
    shortest: Array,
    neighbours: Array,
    oversubscription: Array,
    switch_radix: Array,
) -> Array:
    """Links between two HyperX switches of a line.

    Enough for what the terminals send to all others at the oversubscription asked for, T / (o k) of T
    terminals in the shortest line of k; no more than the ports that the terminals leave.

    Parameters
    ----------
    terminals : of a switch [1]
    shortest : places of the shortest line [1]
    neighbours : switches that a switch is joined to [1]
    oversubscription : asked for [1]
    switch_radix : links that a switch takes [1]
    """
    wanted = np.maximum(np.ceil(np.round(terminals / (oversubscription * shortest), 6)), 1.0)
    left = np.floor((switch_radix - terminals) / np.maximum(neighbours, 1.0))
    return np.where(neighbours <= 0, 0.0, np.maximum(np.minimum(wanted, left), 0.0))


@quantity(unit="1", source=_HYPERX)
def hyperx_dimension_links(*, switches: Array, length: Array, width: Array) -> Array:
    """Links between switches along one dimension of a HyperX: (k - 1) / 2 bundles a switch."""
    return switches * (length - 1) / 2 * width


@quantity(unit="1", source=_HYPERX)
def hyperx_mean_path_links(*, endpoint_links: Array, lengths: tuple[Array, ...]) -> Array:
    """Links between two endpoints of a HyperX, averaged over all pairs.

    2 and one more for every dimension in which their switches differ: N / (N - 1) times the sum of 1 - 1 / k,
    of a HyperX whose switches are filled alike.
    """
    others = endpoint_links / np.maximum(endpoint_links - 1, 1.0)
    links = 1 - 1 / lengths[0]
    for length in lengths[1:]:
        links = links + (1 - 1 / length)
    return np.where(endpoint_links <= 1, 0.0, 2 + others * links)


@quantity(unit="1", source=_HYPERX)
def hyperx_oversubscription(*, terminals: Array, shortest: Array, width: Array) -> Array:
    """Bandwidth of a HyperX switch's terminals over what they can send to all others at once.

    T / (K k): of what T terminals send, 1 - 1 / k leaves along k - 1 bundles of K links in the shortest line.
    """
    links = np.where(width > 0, width * shortest, np.nan)
    return np.where(shortest <= 1, 1.0, np.maximum(terminals / links, 1.0))


@quantity(unit="1", source=_HYPERX, leaf=True)
def hyperx_length(
    *, endpoint_links: Array, switch_radix: Array, oversubscription: Array, axis: Array
) -> Array:
    """Length of a dimension of a HyperX whose shape is left open; 1 where there is no such dimension.

    The fewest dimensions and of them the fewest switches that take all endpoints at the oversubscription
    asked for; the largest four-dimensional one where none does.

    Parameters
    ----------
    endpoint_links : links of nodes [1]
    switch_radix : links that a switch takes [1]
    oversubscription : asked for [1]
    axis : dimension, from 0 [1]
    """
    asked = np.stack(np.broadcast_arrays(endpoint_links, switch_radix, oversubscription), axis=-1)
    samples, places = np.unique(np.nan_to_num(asked).reshape(-1, 3), axis=0, return_inverse=True)
    found = np.array([_lengths(*sample) for sample in samples])[:, round(float(axis.ravel()[0]))]
    known = np.isfinite(asked).all(axis=-1)
    return np.where(known, found[places].reshape(known.shape), np.nan)


@lru_cache(256)
def _lengths(endpoints: float, radix: float, oversubscription: float) -> tuple[float, ...]:
    """
    >>> _lengths(1024, 64, 1), _lengths(64, 64, 1)
    ((32.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0))
    """
    largest: tuple[float, ...] = (1.0,) * MOST_DIMENSIONS
    if endpoints <= radix:
        return largest
    for dimensions in range(1, MOST_DIMENSIONS + 1):
        # the most even shapes: some lengths one longer than the others
        short, longer = (axis.ravel() for axis in np.indices((int(radix), dimensions)))
        shapes = 1.0 + short[:, None] + (np.arange(dimensions) >= dimensions - longer[:, None])
        switches, neighbours = np.prod(shapes, axis=1), np.sum(shapes - 1, axis=1)
        terminals = np.ceil(endpoints / switches)
        shortest = np.where(shapes > 1, shapes, np.inf).min(axis=1)
        width = np.maximum(np.ceil(np.round(terminals / (oversubscription * shortest), 6)), 1)
        fits = (terminals + width * neighbours <= radix) & (switches > 1)
        rest = (1.0,) * (MOST_DIMENSIONS - dimensions)
        if np.any(fits):
            return (*shapes[np.argmin(np.where(fits, switches, np.inf))].tolist(), *rest)
        reached = np.where(2 * neighbours <= radix, switches, 0)
        largest = (*shapes[np.argmax(reached)].tolist(), *rest)
    return largest


HYPERX = Topology(
    name="hyperx",
    title="HyperX",
    shape=hyperx_shape,
    graph=hyperx_graph,
    problems=_problems,
    managed=False,
)
