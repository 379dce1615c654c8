"""Which hosts a job gets: side by side, dealt out over the units, by chance, or those that are named."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.fabric.graph.kinds import HOST

PLACEMENTS = ("packed", "spread", "random")


def placed(graph: FabricGraph, free: NDArray[np.bool_], placement: str, hosts: int, seed: int) -> Whole:
    """So many free hosts, in the order of the job's ranks.

    packed : the first ones, in units as full as can be
    spread : one of each unit in turn
    random : drawn by chance, in an order drawn by chance

    Raises
    ------
    ValueError : there is no such placement
    """
    open_to = np.flatnonzero(free)
    if placement == "packed":
        return open_to[:hosts]
    if placement == "random":
        return np.random.default_rng(seed).choice(open_to, size=hosts, replace=False)
    if placement != "spread":
        raise ValueError(f"unknown placement {placement!r}: one of {', '.join(PLACEMENTS)}")
    unit = graph.devices.group[graph.of_kind(HOST)][open_to]
    _, first, of_unit = np.unique(unit, return_index=True, return_inverse=True)
    turn = np.arange(open_to.size) - first[of_unit]  # of each host in its unit
    return open_to[np.lexsort((unit, turn))][:hosts]
