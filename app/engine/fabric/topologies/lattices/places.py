"""The places of a lattice: how long its dimensions are, and what stands on each place.

On the direct lattices (torus and meshes) and on the boards of a HammingMesh a place is a host, a node of a
SuperNode. All NIC ports of the host belong to its place: they are dealt over the directions in equal bundles
and what is left over stays free. On a HyperX a place is a switch.

Hosts take the places in order, the last dimension first. Where there are fewer hosts than places, links join
those that are there: a ring or mesh of a line that is not full closes over what is missing.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from app.engine.fabric.collectives.shared_links import Kind, Lattice, SharedLinks
from app.engine.fabric.topologies.shape import Ask
from app.engine.quantities import quantity
from app.engine.trace import Array

MOST_UNEVEN = 2
"""The longest dimension over the shortest, where the shape is left open."""


@quantity(unit="1", source="definition")
def lattice_hosts(*, networked_supernodes: Array, nodes: Array) -> Array:
    """Hosts of a lattice: the nodes of every SuperNode."""
    return networked_supernodes * nodes


@quantity(unit="1", source="definition")
def lattice_host_ports(*, scale_out_nics: Array, nodes: Array, links_per_nic: Array) -> Array:
    """Ports of one host into one plane.

    Those of its compute NICs; where they do not spread evenly over the nodes, of the node with the fewest.
    """
    return np.floor(scale_out_nics / nodes) * links_per_nic


@quantity(unit="1", source="definition")
def lattice_places(*, lengths: tuple[Array, ...]) -> Array:
    """Places of a lattice.

    The product of its lengths.
    """
    return _product(lengths)


@quantity(unit="1", source="definition")
def joined_hosts(*, lattice_hosts: Array, lattice_places: Array) -> Array:
    """Hosts that have a place in the lattice."""
    return np.minimum(lattice_hosts, lattice_places)


@quantity(unit="1", source="definition", leaf=True)
def near_equal_length(*, places: Array, dimensions: Array, axis: Array) -> Array:
    """Length of a dimension of a lattice whose shape is left open.

    Of all shapes whose longest dimension is at most twice the shortest, the one with the fewest places that
    holds all, and of those the most even.

    Parameters
    ----------
    places : that are needed [1]
    dimensions : of the lattice [1]
    axis : which of them, from 0 [1]

    >>> [near_equal_length(places=np.array([2048.0]), dimensions=np.array([3.0]), axis=np.array([float(axis)]))
    ...  for axis in range(3)]
    [array([8.]), array([16.]), array([16.])]
    """
    needed = np.where(np.isfinite(places), np.maximum(places, 1.0), np.nan)
    if np.all(np.isnan(needed)):
        return needed
    count = round(float(dimensions.ravel()[0]))
    shortest = max(int(np.nanmin(needed) ** (1 / count) / MOST_UNEVEN), 1)
    longest = int(np.ceil(np.nanmax(needed) ** (1 / count) * MOST_UNEVEN)) + 1
    shapes = np.array(list(combinations_with_replacement(range(shortest, longest + 1), count - 1)), float)
    given = shapes.reshape(len(shapes), count - 1)
    last = np.ceil(np.round(needed[..., None] / np.prod(given, axis=1), 9))
    first = given[:, 0] if count > 1 else last
    before = given[:, -1] if count > 1 else last
    allowed = (last >= before) & (last <= np.maximum(MOST_UNEVEN * first, 2))
    total, spread = np.prod(given, axis=1) * last, np.sum(given, axis=1) + last
    worth = np.where(allowed, total + spread / (total + spread + 1), np.inf)
    best = np.argmin(worth, axis=-1)
    which = round(float(axis.ravel()[0]))
    chosen = (
        given[best, which] if which < count - 1 else np.take_along_axis(last, best[..., None], -1)[..., 0]
    )
    return np.where(np.isnan(needed), np.nan, chosen)


def stated_lengths(ask: Ask, dimensions: tuple[int, ...]) -> tuple[Array, ...]:
    """The lengths of the scenario, where it states as many as the topology has dimensions."""
    shape = ask.pod.fabric.shape
    return shape if len(shape) in dimensions else ()


def near_equal_lengths(places: Array, dimensions: int) -> tuple[Array, ...]:
    """Lengths of a lattice whose shape is left open."""
    number = np.full(1, float(dimensions))
    return tuple(
        near_equal_length(places=places, dimensions=number, axis=np.full(1, float(axis)))
        for axis in range(dimensions)
    )


def hosts_of(ask: Ask) -> Array:
    return lattice_hosts(networked_supernodes=ask.plugs.networked_supernodes, nodes=ask.supernode.nodes)


def ports_of(ask: Ask) -> Array:
    return lattice_host_ports(
        scale_out_nics=ask.supernode.scale_out_nics,
        nodes=ask.supernode.nodes,
        links_per_nic=ask.plugs.links_per_nic,
    )


def shared_links_of(
    ask: Ask,
    kind: Kind,
    *,
    lengths: tuple[Array, ...],
    bundle_ratio: Array,
    places: Array,
    host_share: Array | None = None,
) -> SharedLinks:
    """The links of a lattice of hosts; `host_share` is hosts at a place where that is a switch."""
    at_host = host_accelerators(accelerators=ask.supernode.accelerators, nodes=ask.supernode.nodes)
    return SharedLinks(
        lattice=Lattice(
            kind=kind,
            lengths=lengths,
            place_accelerators=at_host if host_share is None else at_host * host_share,
            places=places,
            bundle_ratio=bundle_ratio,
        ),
        rails_apart=np.zeros(1),
        strain=np.ones(1),
    )


@quantity(unit="1", source="definition")
def host_accelerators(*, accelerators: Array, nodes: Array) -> Array:
    """Accelerators of one host."""
    return accelerators / nodes


@quantity(unit="1", source="definition")
def ports_over_bundle(*, host_ports: Array, width: Array) -> Array:
    """Ports of a place over the links of one of its bundles; not known where there is none."""
    return host_ports / np.where(width > 0, width, np.nan)


def inner_of(lengths: tuple[Array, ...], axis: int) -> Array:
    """Places from one step along a dimension to the next: the product of the lengths after it."""
    return _product((np.ones(1), *lengths[axis + 1 :]))


def _product(lengths: tuple[Array, ...]) -> Array:
    product = 1 * lengths[0]
    for length in lengths[1:]:
        product = product * length
    return product
