"""The thinnest cut of a lattice into halves.

A line of even length is cut in its middle. One of odd length leaves a middle layer, which is a lattice of one
dimension less and is halved in turn; which dimension comes first is chosen so that the fewest links are cut.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_HAMMING = "[1] Hoefler et al., SC 2022, arXiv 2209.01346 (HammingMesh)"
_PRODUCTS = (
    "[1] Aroca, Fernandez Anta, IEEE Trans. Parallel Distrib. Syst. 25 (2014) 570-580 (product networks)"
)


@quantity(unit="1", source=_PRODUCTS, leaf=True)
def torus_bisection_links(*, lengths: tuple[Array, ...], width: Array, filled: Array) -> Array:
    """Links that halving a torus cuts.

    2 N / k of N places with k the longest dimension, where that is even: every ring is cut twice. Of a torus
    that is partly filled, as large a share as is filled.

    Parameters
    ----------
    lengths : of the dimensions [1]
    width : links of a node in one direction [1]
    filled : share of the places that are taken [1]
    """
    return _fewest(lengths, tuple(np.full(1, 2.0) for _ in lengths)) * width * filled


@quantity(unit="1", source=_PRODUCTS, leaf=True)
def mesh_bisection_links(*, lengths: tuple[Array, ...], width: Array, filled: Array) -> Array:
    """Links that halving a mesh of fully joined lines cuts.

    N k / 4 of N places with k the shortest dimension, where that is even: half of a line is joined to its
    other half by k^2 / 4 links. Of a mesh that is partly filled, as large a share as is filled.

    Parameters
    ----------
    lengths : of the dimensions [1]
    width : links between two places of a line [1]
    filled : share of the places that are taken [1]
    """
    cuts = tuple(np.floor(length**2 / 4) for length in lengths)
    return _fewest(lengths, cuts) * width * filled


@quantity(unit="1", source=_HAMMING, leaf=True)
def hammingmesh_bisection_links(
    *, board_lengths: tuple[Array, ...], boards: tuple[Array, ...], width: Array, filled: Array
) -> Array:
    """Links that halving a HammingMesh cuts.

    A line of x boards loses the links of half to its switch: x links, one more where x is odd. Of a
    HammingMesh that is partly filled, as large a share as is filled.

    Parameters
    ----------
    board_lengths : nodes of a board along a row and along a column [1]
    boards : of a row and of a column [1]
    width : links of a node in one direction [1]
    filled : share of the places that are taken [1]
    """
    lengths = tuple(length * count for length, count in zip(board_lengths, boards, strict=True))
    cuts = tuple(2 * np.ceil(count / 2) for count in boards)
    return _fewest(lengths, cuts) * width * filled


def _fewest(lengths: tuple[Array, ...], cuts: tuple[Array, ...]) -> Array:
    """The fewest links cut, of each sample, where halving a line cuts so many.

    Each choice of dimensions that are cut one after the other is tried: all orders of them, at most 720.

    >>> _fewest((np.array([7.0, 5]), np.array([4.0, 4])), (np.full(1, 2.0), np.full(1, 2.0)))
    array([10., 10.])
    """
    fewest = np.full(np.broadcast_shapes(*(length.shape for length in lengths)), np.inf)
    everything = np.prod(np.stack(np.broadcast_arrays(*lengths)), axis=0)
    for order in permutations(range(len(lengths))):
        lines, total, going = everything, 0.0 * everything, np.ones(1)
        for axis in order:
            lines = lines / lengths[axis]
            total = total + going * np.where(lengths[axis] > 1, lines * cuts[axis], 0.0)
            going = going * np.mod(lengths[axis], 2)  # an odd line leaves a layer that is to be halved
        fewest = np.minimum(fewest, total)
    return np.where(everything > 1, fewest, 0.0 * everything)
