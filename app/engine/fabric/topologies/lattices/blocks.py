"""Counts of lattices made of blocks: meshes of a few places whose faces lead to switches.

A cube of a torus with optical circuit switches is such a block, and so is a board of a HammingMesh. Blocks
are filled one after the other, the last one perhaps in part: then the lines that miss a place are open there.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_TPU = (
    "[1] Jouppi et al., ISCA 2023, arXiv 2304.01433 (TPU v4: cubes of 4 x 4 x 4 on optical circuit switches)"
)


@quantity(unit="1", source="definition")
def blocks_filled(*, hosts: Array, block_places: Array) -> Array:
    """Blocks with at least one node."""
    return np.ceil(hosts / block_places)


@quantity(unit="1", source=_TPU)
def block_dimension_links(
    *, hosts: Array, block_places: Array, length: Array, inner: Array, width: Array
) -> Array:
    """Links inside blocks along one dimension.

    k - 1 bundles a line of k nodes; a line is open at both faces.

    Parameters
    ----------
    hosts : on the lattice [1]
    block_places : places of a block [1]
    length : of the block along the dimension [1]
    inner : places of a block from one step along the dimension to the next [1]
    width : links of a bundle [1]
    """
    left = np.mod(hosts, block_places)
    layers, more = np.floor(left / (length * inner)), np.mod(left, length * inner)
    lines = np.floor(hosts / block_places) * (block_places / length)
    lines_left = layers * inner + np.minimum(more, inner)
    return (np.floor(hosts / block_places) * block_places + left - lines - lines_left) * width


@quantity(unit="1", source=_TPU)
def block_face_links(
    *, hosts: Array, block_places: Array, length: Array, inner: Array, width: Array
) -> Array:
    """Links that leave blocks along one dimension.

    Two bundles a line, one at each face; a line that is not full has none at its far face.

    Parameters
    ----------
    hosts : on the lattice [1]
    block_places : places of a block [1]
    length : of the block along the dimension [1]
    inner : places of a block from one step along the dimension to the next [1]
    width : links of a bundle [1]
    """
    left = np.mod(hosts, block_places)
    layers, more = np.floor(left / (length * inner)), np.mod(left, length * inner)
    near = layers * inner + np.minimum(more, inner)
    far = layers * inner + np.maximum(more - (length - 1) * inner, 0.0)
    in_full = np.floor(hosts / block_places) * 2 * block_places / length
    return (in_full + near + far) * width


@quantity(unit="1", source=_TPU)
def circuit_switches(*, side: Array, dimensions: Array, width: Array) -> Array:
    """Optical circuit switches of a torus of cubes.

    One a dimension, place of a face and link of a bundle: both faces of every cube end at the same one, so
    that any cubes can be joined to a ring. 48 for cubes of 4 x 4 x 4.
    """
    return dimensions * side ** (dimensions - 1) * width


@quantity(unit="1", source=_TPU)
def circuit_switch_ports(*, blocks: Array) -> Array:
    """Ports that each optical circuit switch needs: two a cube."""
    return 2 * blocks


@quantity(unit="1", source=_TPU)
def circuit_path_links(*, lengths: tuple[Array, ...], side: Array) -> Array:
    """Circuits on the longest path through a torus of cubes.

    Half way round each ring leaves a cube every `side` steps.
    """
    found = np.ceil(np.floor(lengths[0] / 2) / side)
    for length in lengths[1:]:
        found = found + np.ceil(np.floor(length / 2) / side)
    return found
