"""Counts and distances of a torus: every line of places is a ring."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

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
