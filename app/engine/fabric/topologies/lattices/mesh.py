"""Full mesh of hosts, and the nD full mesh: every host joined to all others of each of its lines.

A place is a host; its NIC ports are dealt over its neighbours (see lattices/places.py).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.lattices import halving, places
from app.engine.fabric.topologies.lattices.problems import mesh_problems
from app.engine.fabric.topologies.lattices.torus import inner_places
from app.engine.fabric.topologies.lattices.wires import lattice_graph, pairs_in_lines, wires
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
from app.engine.quantities import quantity
from app.engine.trace import Array, count_of, first_of

MOST_DIMENSIONS = 6


def mesh_lengths(ask: Ask, dimensions: tuple[int, ...]) -> tuple[Array, ...]:
    """Lengths as stated; else near-equal ones of as few dimensions as the ports reach, or the most that they do.

    Parameters
    ----------
    dimensions : how many there may be
    """
    stated = places.stated_lengths(ask, dimensions)
    if stated:
        return stated
    hosts, ports = places.hosts_of(ask), places.ports_of(ask)
    if dimensions == (1,):
        return (np.minimum(np.maximum(hosts, 1.0), ports + 1),)
    for count in range(2, dimensions[-1] + 1):
        lengths = places.near_equal_lengths(hosts, count)
        neighbours = mesh_neighbours(lengths=lengths)
        if not first_of(neighbours > ports):
            return lengths
    return tuple(
        1 + np.floor((ports + dimensions[-1] - 1 - axis) / dimensions[-1]) for axis in range(dimensions[-1])
    )


def mesh_shape(ask: Ask, dimensions: tuple[int, ...]) -> Shape:
    """Lines of hosts, each joined fully."""
    lengths, ports = mesh_lengths(ask, dimensions), places.ports_of(ask)
    room = places.lattice_places(lengths=lengths)
    hosts = places.joined_hosts(lattice_hosts=places.hosts_of(ask), lattice_places=room)
    width = mesh_width(host_ports=ports, mesh_neighbours=mesh_neighbours(lengths=lengths))
    layers = tuple(
        Layer(
            name=f"dimension_{axis + 1}",
            switches=np.zeros(1),
            links=mesh_dimension_links(
                hosts=hosts, length=length, inner=places.inner_of(lengths, axis), width=width
            ),
            switch_ends=0,
            links_above=np.zeros(1),
            path_links=mesh_dimension_path_links(length=length),
            cable_length_m=ask.assumptions.node_cable_length_m,
        )
        for axis, length in enumerate(lengths)
    )
    ends = [2 * layer.links for layer in layers]
    return Shape(
        layers=layers,
        lengths=lengths,
        unit_supernodes=np.ones(1) + 0 * ask.plugs.networked_supernodes,
        units=1 * ask.plugs.networked_supernodes,
        groups=np.where(hosts > 0, 1.0, 0.0),
        bisection_links=halving.mesh_bisection_links(lengths=lengths, width=width, filled=hosts / room),
        oversubscription=mesh_oversubscription(host_ports=ports, width=width, lengths=lengths),
        path_switches=np.zeros(1),
        mean_path_links=mesh_mean_path_links(lengths=lengths),
        node_links=sum(ends[1:], start=ends[0]),
        shared_links=places.shared_links_of(
            ask,
            "mesh",
            lengths=lengths,
            bundle_ratio=places.ports_over_bundle(host_ports=ports, width=width),
            places=hosts,
        ),
    )


def mesh_graph(ask: Ask, dimensions: tuple[int, ...]) -> FabricGraph:
    """Every link of a mesh. A host's ports come by dimension, and there by the place of the neighbour."""
    lengths = tuple(count_of(length) for length in mesh_lengths(ask, dimensions))
    all_hosts = count_of(places.hosts_of(ask))
    hosts = min(all_hosts, int(np.prod(lengths)))
    neighbours = sum(length - 1 for length in lengths)
    width = count_of(places.ports_of(ask)) // max(neighbours, 1)
    inner, parts, first = inner_places(lengths), [], 0
    for axis, length in enumerate(lengths):
        lower, upper = pairs_in_lines(hosts if width else 0, length, inner[axis])
        here, there = lower // inner[axis] % length, upper // inner[axis] % length
        parts.append(
            wires(
                f"dimension_{axis + 1}",
                ("host", lower, (first + there - 1) * width),  # its own place has no port
                ("host", upper, (first + here) * width),
                width,
            )
        )
        first += length - 1
    return lattice_graph(
        ask,
        tiers=[f"dimension_{axis + 1}" for axis in range(len(lengths))],
        parts=parts,
        switches={},
        host_group=np.arange(all_hosts) // max(inner[0], 1),
    )


def _problems(ask: Ask, fabric: Fabric, dimensions: tuple[int, ...]) -> list[Problem]:
    return mesh_problems(ask, mesh_lengths(ask, dimensions), dimensions)


_MESH = "[1] Bhuyan, Agrawal, IEEE Trans. Comput. C-33 (1984) 323-333 (generalised hypercube); Liao et al. 2025, arXiv 2503.20377 (nD full mesh)"


@quantity(unit="1", source=_MESH)
def mesh_neighbours(*, lengths: tuple[Array, ...]) -> Array:
    """Places that each place of a mesh of full lines is joined to: the sum of k - 1."""
    found = lengths[0] - 1
    for length in lengths[1:]:
        found = found + (length - 1)
    return found


@quantity(unit="1", source=_MESH)
def mesh_width(*, host_ports: Array, mesh_neighbours: Array) -> Array:
    """Links between two nodes of a line: the ports of a node, dealt in equal bundles over its neighbours."""
    width: Array = np.floor(host_ports / np.maximum(mesh_neighbours, 1.0))
    return width


@quantity(unit="1", source=_MESH)
def mesh_dimension_links(*, hosts: Array, length: Array, inner: Array, width: Array) -> Array:
    """Links along one dimension of a mesh of full lines.

    k (k - 1) / 2 bundles a line; fewer in lines that are partly filled.

    Parameters
    ----------
    hosts : on the lattice [1]
    length : places of a line [1]
    inner : places from one step along the dimension to the next [1]
    width : links of a bundle [1]
    """
    blocks, left = np.floor(hosts / (length * inner)), np.mod(hosts, length * inner)
    full, more = np.floor(left / inner), np.mod(left, inner)
    in_full = blocks * inner * length * (length - 1) / 2
    in_others = more * (full + 1) * full / 2 + (inner - more) * full * (full - 1) / 2
    links: Array = (in_full + in_others) * width
    return links


@quantity(unit="1", source=_MESH)
def mesh_dimension_path_links(*, length: Array) -> Array:
    """Links along one dimension on the longest path: one, none where there is one place."""
    return np.where(length > 1, 1.0, 0.0)


@quantity(unit="1", source=_MESH)
def mesh_mean_path_links(*, lengths: tuple[Array, ...]) -> Array:
    """Links between two places of a mesh of full lines, averaged over all pairs.

    N / (N - 1) times the sum of 1 - 1 / k.
    """
    places, links = 1 * lengths[0], 1 - 1 / lengths[0]
    for length in lengths[1:]:
        places, links = places * length, links + (1 - 1 / length)
    return np.where(places <= 1, 0.0, links * places / np.maximum(places - 1, 1.0))


@quantity(unit="1", source=_MESH)
def mesh_oversubscription(*, host_ports: Array, width: Array, lengths: tuple[Array, ...]) -> Array:
    """Bandwidth of a node's ports over what each can send to all others at once in a mesh.

    The shortest line fills first: of what a node sends, 1 - 1 / k leaves its place along k - 1 bundles. Not
    known where the ports do not reach every neighbour.
    """
    places, shortest = 1 * lengths[0], np.where(lengths[0] > 1, lengths[0], np.inf)
    for length in lengths[1:]:
        places = places * length
        shortest = np.minimum(shortest, np.where(length > 1, length, np.inf))
    links = np.where(width > 0, width, np.nan)
    share = places / np.maximum(places - 1, 1.0) / shortest
    return np.where(places <= 1, 1.0, np.maximum(host_ports * share / links, 1.0))


FULL_MESH, ND_FULL_MESH = (
    Topology(
        name=name,
        title=title,
        shape=partial(mesh_shape, dimensions=dimensions),
        graph=partial(mesh_graph, dimensions=dimensions),
        problems=partial(_problems, dimensions=dimensions),
        direct=True,
        managed=False,
    )
    for name, title, dimensions in (
        ("full_mesh", "Full mesh", (1,)),
        ("nd_full_mesh", "nD full mesh", tuple(range(1, MOST_DIMENSIONS + 1))),
    )
)
