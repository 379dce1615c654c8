"""Counts and distances of a HammingMesh: boards of hosts, whose edges lead to a switch a line."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_HAMMING = "[1] Hoefler et al., SC 2022, arXiv 2209.01346 (HammingMesh)"


@quantity(unit="1", source=_HAMMING)
def board_width(*, host_ports: Array) -> Array:
    """Links of a node in one direction of a HammingMesh: its ports over east, west, north and south."""
    return np.floor(host_ports / 4)


@quantity(unit="1", source=_HAMMING)
def line_switches(*, boards: Array, board_length: Array, width: Array) -> Array:
    """Switches of one direction of a HammingMesh.

    One a line of nodes and link of a bundle: `boards` lines of boards with `board_length` lines of nodes each.
    """
    return boards * board_length * width


@quantity(unit="1", source=_HAMMING)
def line_switch_ports(*, boards: Array) -> Array:
    """Ports that a switch of a line needs: two a board, one at each edge."""
    return 2 * boards


@quantity(unit="1", source=_HAMMING)
def line_path_links(*, board_length: Array, boards: Array) -> Array:
    """Links on board along one direction on the longest path.

    From the middle of one board to its edge, and as far on another; on a single board half way round the
    ring that its line and the switch make.
    """
    on_one = np.where(board_length > 1, np.floor((board_length + 1) / 2), 0.0)
    return np.where(boards > 1, 2 * np.floor((board_length - 1) / 2), on_one)


@quantity(unit="1", source=_HAMMING)
def line_path_switches(*, boards: Array) -> Array:
    """Switches along one direction on the longest path: one between boards."""
    return np.where(boards > 1, 1.0, 0.0)


@quantity(unit="1", source=_HAMMING)
def line_mean_links(*, board_length: Array, boards: Array) -> Array:
    """Links along one direction of a HammingMesh between two places, averaged over all pairs of lines.

    The line of a board and its switch make a ring of a + 1 places, T = (a + 1)^2 / 4 rounded down from the
    switch to all nodes: T ((a - 1) + 2 a (x - 1)) / (a^2 x) with x boards of a nodes.
    """
    to_switch = np.floor((board_length + 1) ** 2 / 4)
    steps = board_length - 1 + 2 * board_length * (boards - 1)
    return to_switch * steps / (board_length**2 * boards)


@quantity(unit="1", source=_HAMMING)
def hammingmesh_mean_path_links(*, row_mean_links: Array, column_mean_links: Array, places: Array) -> Array:
    """Links between two nodes of a HammingMesh, averaged over all pairs."""
    return np.where(
        places <= 1, 0.0, (row_mean_links + column_mean_links) * places / np.maximum(places - 1, 1.0)
    )


@quantity(unit="1", source=_HAMMING)
def hammingmesh_oversubscription(
    *,
    host_ports: Array,
    row_length: Array,
    column_length: Array,
    row_boards: Array,
    column_boards: Array,
    width: Array,
) -> Array:
    """Bandwidth of a node's ports over what each can send to all others at once in a HammingMesh.

    Of what the a nodes of a board's line send, 1 - 1 / x leaves by its two edges: with two by two nodes a
    board a quarter of the ports' bandwidth, as published.

    Parameters
    ----------
    host_ports : of one node [1]
    row_length, column_length : nodes of a board along a row and along a column [1]
    row_boards, column_boards : boards of a row and of a column [1]
    width : links of a bundle [1]
    """
    by_row = row_length * (1 - 1 / row_boards) / 2
    by_column = column_length * (1 - 1 / column_boards) / 2
    links = np.where(width > 0, width, np.nan)
    return np.maximum(host_ports * np.maximum(by_row, by_column) / links, 1.0)
