"""Max-min fair pace of jobs that share links: nobody can have more without somebody slower having less.

Progressive filling [1]: all paces rise together until a link is full; jobs on it keep their pace, the others
rise on. A synchronous job's streams advance together, so it has one pace, and a full link gives each of its
jobs the same share of what they ask of it.

[1] Bertsekas, Gallager 1992, Data Networks, 2nd edition, section 6.5.2 (max-min flow control)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array

FULL = 1 - 1e-9
"""A link this full is full: what is left of it is rounding."""


def fair_paces(load: Array, capacity: Array) -> tuple[Array, NDArray[np.intp]]:
    """Pace of every job and the link that holds it back, -1 where none does.

    Parameters
    ----------
    load : (links, jobs) what each job puts on each link at full pace [B/s]
    capacity : (links,) of each link; 0 carries nothing [B/s]
    """
    jobs = load.shape[1]
    pace, held_by = np.zeros(jobs), np.full(jobs, -1)
    rising = np.full(jobs, True)
    used = np.flatnonzero(load.any(axis=1))
    load, capacity = load[used], capacity[used]
    while rising.any():
        more = load[:, rising].sum(axis=1)
        taken = load[:, ~rising] @ pace[~rising]
        with np.errstate(divide="ignore", invalid="ignore"):
            most = np.where(more > 0, np.maximum(capacity - taken, 0.0) / more, np.inf)
        level = float(min(1.0, most.min(initial=1.0)))
        pace[rising] = level
        if level >= 1.0:
            break
        full = most <= level / FULL
        stopped = rising & (load[full] > 0).any(axis=0)
        for job in np.flatnonzero(stopped):
            held_by[job] = used[np.flatnonzero(full & (load[:, job] > 0))[0]]
        rising &= ~stopped
    return pace, held_by
