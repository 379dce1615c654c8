"""Full mesh of hosts, and the nD full mesh: every host joined to all others of each of its lines.

A place is a host; its NIC ports are dealt over its neighbours (see lattices/places.py).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.topologies.lattices import halving, meshes, places
from app.engine.fabric.topologies.lattices.problems import mesh_problems
from app.engine.fabric.topologies.lattices.torus import inner_places
from app.engine.fabric.topologies.lattices.wires import lattice_graph, pairs_in_lines, wires
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
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
        neighbours = meshes.mesh_neighbours(lengths=lengths)
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
    width = meshes.mesh_width(host_ports=ports, mesh_neighbours=meshes.mesh_neighbours(lengths=lengths))
    layers = tuple(
        Layer(
            name=f"dimension_{axis + 1}",
            switches=np.zeros(1),
            links=meshes.mesh_dimension_links(
                hosts=hosts, length=length, inner=places.inner_of(lengths, axis), width=width
            ),
            switch_ends=0,
            links_above=np.zeros(1),
            path_links=meshes.mesh_dimension_path_links(length=length),
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
        oversubscription=meshes.mesh_oversubscription(host_ports=ports, width=width, lengths=lengths),
        path_switches=np.zeros(1),
        mean_path_links=meshes.mesh_mean_path_links(lengths=lengths),
        node_links=sum(ends[1:], start=ends[0]),
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
