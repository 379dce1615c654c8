"""How often a job, or a replica that serves, is interrupted: by its hosts, and for a job by a part that is its own."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_KOKOLIS = "[1] Kokolis et al., Revisiting Reliability in Large-Scale ML Research Clusters, arXiv 2410.21680"


@quantity(unit="1", source="definition")
def supernodes_used(*, accelerators_used: Array, accelerators_per_supernode: Array) -> Array:
    """SuperNodes used by the job.

    A supernode that is used in part is occupied as a whole.
    """
    return np.ceil(accelerators_used / accelerators_per_supernode)


@quantity(unit="1", source="definition")
def nodes_used(
    *, accelerators_used: Array, accelerators_per_supernode: Array, nodes_per_supernode: Array
) -> Array:
    """Nodes used by the job or replica.

    Hosts that hold none of the job's accelerators cannot interrupt it.
    """
    return np.ceil(nodes_per_supernode * accelerators_used / accelerators_per_supernode)


@quantity(unit="1/day", source=_KOKOLIS, at="reliability.node_failures_per_day")
def node_failures_per_day(*, nodes: Array, failures_per_node_day: Array) -> Array:
    """Interruptions per day by hosts and links.

    N r, with independent failures at a constant rate.

    Parameters
    ----------
    nodes : N, hosts the job uses
    failures_per_node_day : r, all-cause rate of one host with its share of the network [1/(node day)]

    Validity: after burn-in and before wear-out. Component rates must not be added on top: r counts
    every cause already.
    """
    return nodes * failures_per_node_day


@quantity(unit="1/day", source=_KOKOLIS, at="reliability.failures_per_day")
def failures_per_day(*, node_failures_per_day: Array, job_failures_per_day: Array) -> Array:
    """Interruptions per day.

    The job-level rate stands for software, dependencies and hangs, which one job has whatever its
    size; a rate per host alone gives 28.8 h at 1,024 accelerators where 7.9 h was measured [1]. A pod
    that serves has no such job, and 0 for it.
    """
    return node_failures_per_day + job_failures_per_day


@quantity(unit="s", source="definition", at="reliability.mtbf_s", key=True)
def mtbf_s(*, failures_per_day: Array) -> Array:
    """Mean time between interruptions."""
    return 24 * 3600 / failures_per_day
