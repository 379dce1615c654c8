"""Remaining reachability: parts of a fabric that hang together, and hosts that are cut off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole
from app.engine.fabric.graph.kinds import HOST, hosts_forward, is_switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Hosts reach each other over switches; over other hosts only where hosts are joined directly."""

    parts: int  # groups of hosts that hang together, single hosts counted
    cut_off: Mask  # (hosts,) those that do not reach the part that reaches most hosts
    pairs: int  # of hosts
    joined_pairs: int  # of hosts that reach each other

    @property
    def joined_share(self) -> float:
        return self.joined_pairs / self.pairs if self.pairs else 1.0


def reach(graph: FabricGraph, alive: Mask) -> Reach:
    """Reachability over the links that are alive."""
    attached = _attached(graph, alive)[graph.of_kind(HOST)]
    row, first, count = _distinct_rows(attached)
    shown = attached[first]
    meets = (shown @ shown.T).toarray() > 0
    alone = ~meets.diagonal()  # hosts of such a row have no link left at all
    reached = meets @ count
    hosts = row.size
    ordered = (meets * np.outer(count, count)).sum() - (meets.diagonal() * count).sum()
    best = int(np.argmax(reached * (hosts + 1) + count)) if hosts else 0
    groups, _ = connected_components(csr_array(meets[~alone][:, ~alone]), directed=False)
    return Reach(
        parts=int(groups + count[alone].sum()),
        cut_off=~meets[best][row] if hosts else np.zeros(0, bool),
        pairs=hosts * (hosts - 1) // 2,
        joined_pairs=int(ordered) // 2,
    )


def _attached(graph: FabricGraph, alive: Mask) -> csr_array:
    """(devices, parts) 1 where a device has a link into a part of the fabric that hangs together."""
    ends, links = ~is_switch(graph), graph.links
    n = graph.device_count
    lower, upper = links.lower[alive], links.upper[alive]
    between = np.full(lower.size, True) if hosts_forward(graph) else ~ends[lower] & ~ends[upper]
    ones = np.ones(int(between.sum()), np.int8)
    count, part = connected_components(
        csr_array((ones, (lower[between], upper[between])), shape=(n, n)), directed=False
    )
    own = np.arange(n) if hosts_forward(graph) else np.flatnonzero(~ends)
    rows = np.concatenate([own, lower[~between], upper[~between]])
    parts = part[np.concatenate([own, upper[~between], lower[~between]])]
    table = csr_array((np.ones(rows.size, np.int32), (rows, parts)), shape=(n, count))
    table.data[:] = 1
    return table


def _distinct_rows(table: csr_array) -> tuple[Whole, Whole, Whole]:
    """Which distinct row each row is; for each distinct row the first like it, and how many there are."""
    random = np.random.default_rng(0).integers(1, 2**40, size=table.shape[1])
    marks = np.asarray(table @ random.astype(np.float64))
    _, first, row, count = np.unique(marks, return_index=True, return_inverse=True, return_counts=True)
    return row, first, count
