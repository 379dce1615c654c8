"""Counts and distances of lattices whose lines are joined fully: every place to every other of its line."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

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
