"""Counts of a HyperX: a lattice of switches, each joined to all others of its lines, with terminals below."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

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
