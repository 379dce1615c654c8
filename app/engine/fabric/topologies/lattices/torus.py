"""Torus of two or three dimensions, its rings closed by cables or by optical circuit switches.

A place is a host; its NIC ports are dealt over two directions a dimension (see lattices/places.py). With
optical circuit switches, hosts are built into blocks of 4 a side, a cube of 4 x 4 x 4 in three dimensions:
inside a block they are joined by cables, and whatever leaves a face goes to a circuit switch, which joins the
far face of one block to the near face of the next. Ports 2 i and 2 i + 1 of a circuit switch are one circuit.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.fabric.topologies.lattices import blocks, halving, places
from app.engine.fabric.topologies.lattices.problems import torus_problems
from app.engine.fabric.topologies.lattices.wires import Wires, lattice_graph, next_in_rings, wires
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
from app.engine.quantities import quantity
from app.engine.trace import Array, count_of

SIDE = 4
"""Hosts along an edge of a block: the cubes of 4 x 4 x 4 of TPU pods (Jouppi et al. 2023, arXiv 2304.01433)."""


def torus_lengths(ask: Ask, dimensions: int) -> tuple[Array, ...]:
    """Lengths as stated, else near-equal; whole blocks where circuit switches close the rings."""
    stated, hosts = places.stated_lengths(ask, (dimensions,)), places.hosts_of(ask)
    if not ask.pod.fabric.circuit_switches:
        return stated or places.near_equal_lengths(hosts, dimensions)
    sides = tuple(np.ceil(length / SIDE) for length in stated)
    return tuple(
        SIDE * side
        for side in sides or places.near_equal_lengths(np.ceil(hosts / SIDE**dimensions), dimensions)
    )


def torus_shape(ask: Ask, dimensions: int) -> Shape:
    """Rings of hosts along every dimension."""
    lengths, ports = torus_lengths(ask, dimensions), places.ports_of(ask)
    room = places.lattice_places(lengths=lengths)
    hosts = places.joined_hosts(lattice_hosts=places.hosts_of(ask), lattice_places=room)
    width = torus_width(host_ports=ports, lengths=lengths)
    layers = (_block_layers if ask.pod.fabric.circuit_switches else _ring_layers)(ask, lengths, hosts, width)
    of_unit = np.full(1, float(SIDE**dimensions if ask.pod.fabric.circuit_switches else 1))
    return Shape(
        layers=layers,
        lengths=lengths,
        unit_supernodes=np.maximum(np.ceil(of_unit / ask.supernode.nodes), 1.0),
        units=blocks.blocks_filled(hosts=hosts, block_places=of_unit)
        if ask.pod.fabric.circuit_switches
        else 1 * ask.plugs.networked_supernodes,
        groups=np.where(hosts > 0, 1.0, 0.0),
        bisection_links=halving.torus_bisection_links(lengths=lengths, width=width, filled=hosts / room),
        oversubscription=torus_oversubscription(host_ports=ports, width=width, lengths=lengths),
        path_switches=np.zeros(1),
        mean_path_links=torus_mean_path_links(lengths=lengths),
        node_links=_node_links(layers),
        shared_links=places.shared_links_of(
            ask,
            "torus",
            lengths=lengths,
            bundle_ratio=places.ports_over_bundle(host_ports=ports, width=width),
            places=hosts,
        ),
    )


def _node_links(layers: tuple[Layer, ...]) -> Array:
    ends = [layer.links * float(2 - layer.switch_ends) for layer in layers]
    return sum(ends[1:], start=ends[0])


def _ring_layers(ask: Ask, lengths: tuple[Array, ...], hosts: Array, width: Array) -> tuple[Layer, ...]:
    return tuple(
        Layer(
            name=f"dimension_{axis + 1}",
            switches=np.zeros(1),
            links=torus_dimension_links(
                hosts=hosts, length=length, inner=places.inner_of(lengths, axis), width=width
            ),
            switch_ends=0,
            links_above=np.zeros(1),
            path_links=torus_dimension_path_links(length=length),
            cable_length_m=ask.assumptions.node_cable_length_m,
        )
        for axis, length in enumerate(lengths)
    )


def _block_layers(ask: Ask, lengths: tuple[Array, ...], hosts: Array, width: Array) -> tuple[Layer, ...]:
    dimensions, side = len(lengths), np.full(1, float(SIDE))
    inside, faces = [], []
    for axis in range(dimensions):
        of_block = {
            "hosts": hosts,
            "block_places": np.full(1, float(SIDE**dimensions)),
            "length": side,
            "inner": np.full(1, float(SIDE ** (dimensions - 1 - axis))),
            "width": width,
        }
        inside.append(blocks.block_dimension_links(**of_block))
        faces.append(blocks.block_face_links(**of_block))
    steps = sum(torus_dimension_path_links(length=length) for length in lengths)
    circuits = blocks.circuit_path_links(lengths=lengths, side=side)
    built = np.where(hosts > 0, 1.0, 0.0)
    return (
        Layer(
            name="cube",
            switches=np.zeros(1),
            links=sum(inside[1:], start=inside[0]),
            switch_ends=0,
            links_above=np.zeros(1),
            path_links=steps - circuits,
            cable_length_m=ask.assumptions.node_cable_length_m,
        ),
        Layer(
            name="circuit",
            switches=built
            * blocks.circuit_switches(side=side, dimensions=np.full(1, float(dimensions)), width=width),
            links=sum(faces[1:], start=faces[0]),
            switch_ends=1,
            links_above=np.zeros(1),
            path_links=circuits,
            cable_length_m=2 * ask.assumptions.spine_cable_length_m,
            switch_modules=False,
        ),
    )


def torus_graph(ask: Ask, dimensions: int) -> FabricGraph:
    """Every link of a torus. A host's ports come by dimension: first forward, then back."""
    lengths = tuple(count_of(length) for length in torus_lengths(ask, dimensions))
    all_hosts = count_of(places.hosts_of(ask))
    hosts = min(all_hosts, int(np.prod(lengths)))
    width = count_of(
        torus_width(host_ports=places.ports_of(ask), lengths=tuple(np.full(1, float(k)) for k in lengths))
    )
    if ask.pod.fabric.circuit_switches:
        return _block_graph(ask, lengths, all_hosts, hosts, width)
    inner = inner_places(lengths)
    parts = [
        _ring_wires(axis, ports, next_in_rings(hosts, lengths[axis], inner[axis]), width)
        for axis, ports in enumerate(_first_ports(lengths, width))
    ]
    return lattice_graph(
        ask,
        tiers=[f"dimension_{axis + 1}" for axis in range(dimensions)],
        parts=parts,
        switches={},
        host_group=np.arange(all_hosts) // max(inner[0], 1),
    )


def inner_places(lengths: tuple[int, ...]) -> list[int]:
    """Places from one step along each dimension to the next.

    >>> inner_places((2, 3, 4))
    [12, 4, 1]
    """
    return [int(np.prod(lengths[axis + 1 :])) for axis in range(len(lengths))]


def _first_ports(lengths: tuple[int, ...], width: int) -> list[int]:
    """The first port of each dimension; dimensions of one place have none."""
    taken = np.cumsum([0, *(2 * width if length > 1 else 0 for length in lengths)])
    return [int(first) for first, _ in pairwise(taken)]


def _ring_wires(axis: int, port: int, ends: tuple[Whole, Whole], width: int) -> Wires:
    forward, back = np.full(1, port), np.full(1, port + width)
    return wires(f"dimension_{axis + 1}", ("host", ends[0], forward), ("host", ends[1], back), width)


def _block_graph(ask: Ask, lengths: tuple[int, ...], all_hosts: int, hosts: int, width: int) -> FabricGraph:
    """Hosts fill block by block; blocks stand in a lattice of their own, whose rings are circuits."""
    dimensions, block = len(lengths), SIDE ** len(lengths)
    sides = tuple(length // SIDE for length in lengths)
    inner, inner_block = inner_places((SIDE,) * dimensions), inner_places(sides)
    cubes, face = -(-hosts // block), block // SIDE
    cube, place = np.divmod(np.arange(hosts), block)
    parts: list[Wires] = []
    for axis in range(dimensions):
        forward, back = 2 * width * axis, 2 * width * axis + width
        step = place // inner[axis] % SIDE
        here = np.arange(hosts)
        onward = here[(step + 1 < SIDE) & (here + inner[axis] < hosts)]
        parts.append(
            wires(
                "cube",
                ("host", onward, np.full(1, forward)),
                ("host", onward + inner[axis], np.full(1, back)),
                width,
            )
        )
        # The circuit of a block's far face carries its number; the near face ends at that of the one before.
        before = np.arange(cubes)
        first, following = next_in_rings(cubes, sides[axis], inner_block[axis])
        before[following] = first
        spot = place // (inner[axis] * SIDE) * inner[axis] + place % inner[axis]
        switch = (axis * face + spot) * width
        for at_face, port, circuit in (
            (step == SIDE - 1, forward, 2 * cube),
            (step == 0, back, 2 * before[cube] + 1),
        ):
            link = np.arange(width)
            ends = here[at_face]
            parts.append(
                wires(
                    "circuit",
                    ("host", ends[:, None], port + link),
                    ("circuit_switch", switch[ends][:, None] + link, circuit[ends][:, None]),
                    1,
                )
            )
    return lattice_graph(
        ask,
        tiers=["cube", "circuit"],
        parts=parts,
        switches={"circuit_switch": dimensions * face * width if hosts else 0},
        host_group=np.arange(all_hosts) // block,
    )


def _problems(ask: Ask, fabric: Fabric, dimensions: int) -> list[Problem]:
    return torus_problems(ask, torus_lengths(ask, dimensions), SIDE)


_TORUS = "[1] Dally, Towles, Principles and Practices of Interconnection Networks, 2004, chapter 5 (torus)"


@quantity(unit="1", source=_TORUS)
def torus_width(*, host_ports: Array, lengths: tuple[Array, ...]) -> Array:
    """Links of a node in one direction of a torus.

    Its ports, dealt in equal bundles over two directions a dimension; a dimension of one place has none.
    """
    directions = sum(np.where(length > 1, 2.0, 0.0) for length in lengths)
    return np.floor(host_ports / np.maximum(directions, 1.0))


@quantity(unit="1", source=_TORUS)
def torus_dimension_links(*, hosts: Array, length: Array, inner: Array, width: Array) -> Array:
    """Links along one dimension of a torus.

    As many bundles as nodes: a ring of two has both its links. A node that is alone in its line has none.

    Parameters
    ----------
    hosts : on the lattice [1]
    length : places of a ring [1]
    inner : places from one step along the dimension to the next [1]
    width : links of a bundle [1]
    """
    left = np.mod(hosts, length * inner)
    full, more = np.floor(left / inner), np.mod(left, inner)
    alone = np.where(full == 1, inner - more, np.where(full == 0, more, 0.0))
    return np.where(length <= 1, 0.0, hosts - alone) * width


@quantity(unit="1", source=_TORUS)
def torus_dimension_path_links(*, length: Array) -> Array:
    """Links along one dimension on the longest path: half way round the ring."""
    return np.floor(length / 2)


@quantity(unit="1", source=_TORUS)
def torus_mean_path_links(*, lengths: tuple[Array, ...]) -> Array:
    """Links between two nodes of a torus, averaged over all pairs.

    N / (N - 1) times the sum of k / 4, of (k^2 - 1) / (4 k) where k is odd.
    """
    places, links = 1 * lengths[0], np.floor(lengths[0] ** 2 / 4) / lengths[0]
    for length in lengths[1:]:
        places, links = places * length, links + np.floor(length**2 / 4) / length
    return np.where(places <= 1, 0.0, links * places / np.maximum(places - 1, 1.0))


@quantity(unit="1", source=_TORUS)
def torus_oversubscription(*, host_ports: Array, width: Array, lengths: tuple[Array, ...]) -> Array:
    """Bandwidth of a node's ports over what each can send to all others at once in a torus.

    The longest ring fills first: of what a node sends, k / 4 crosses each of its two links there. Not known
    where the ports do not reach every direction.
    """
    places, longest = 1 * lengths[0], 1 * lengths[0]
    for length in lengths[1:]:
        places, longest = places * length, np.maximum(longest, length)
    hops = np.floor(longest**2 / 4) / longest * places / np.maximum(places - 1, 1.0)
    links = np.where(width > 0, 2 * width, np.nan)
    return np.where(places <= 1, 1.0, np.maximum(host_ports * hops / links, 1.0))


TORUS_2D, TORUS_3D = (
    Topology(
        name=f"torus_{dimensions}d",
        title=f"{dimensions}D torus",
        shape=partial(torus_shape, dimensions=dimensions),
        graph=partial(torus_graph, dimensions=dimensions),
        problems=partial(_problems, dimensions=dimensions),
        direct=True,
        managed=False,
    )
    for dimensions in (2, 3)
)
