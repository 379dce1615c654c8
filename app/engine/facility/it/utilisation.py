"""How far a job loads its nodes: mean node power over rating.

Stated jobs draw what was measured of their like. A training job whose step is known draws the mean of what its
nodes draw while they compute and while they wait, up to what large-batch jobs were measured at: nodes that wait
for a usual share of the step draw no less than a node alone (0.67 on 64 nodes [1], 0.68 on one [1]), as clocks
rise again where the power limit leaves room; strong-scaled jobs, which wait for most of it, go down to 0.50 [1].

[1] MLPerf Training v4.0, Supermicro power submission, node logs.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.quantities import quantity
from app.engine.trace import Array

AUTO = "auto"


@quantity(
    unit="1",
    source="mean over the step; MLPerf Training v4.0 power submission, node logs, for its constants",
)
def working_power_utilisation(
    *,
    busy_share: Array,
    computing_power_utilisation: Array,
    waiting_power_utilisation: Array,
    training_power_utilisation: Array,
) -> Array:
    """Mean power of a node at work over its rating.

    A job whose step is unknown, as no layout can run it, is taken for a large-batch one.

    Parameters
    ----------
    busy_share : share of the step in which accelerators compute [1]
    computing_power_utilisation : node power over rating while they compute [1]
    waiting_power_utilisation : node power over rating while they wait [1]
    training_power_utilisation : what large-batch training was measured at, never exceeded [1]
    """
    mean = busy_share * computing_power_utilisation + (1 - busy_share) * waiting_power_utilisation
    return np.fmin(mean, training_power_utilisation)


def power_utilisation(load_profile: str, busy_share: Array | None, assumptions: FacilityAssumptions) -> Array:
    """By the step where the job trains and states no profile, else as measured of its like."""
    measured = assumptions.training_power_utilisation
    if load_profile != AUTO or busy_share is None:
        return measured
    return working_power_utilisation(
        busy_share=busy_share,
        computing_power_utilisation=assumptions.computing_power_utilisation,
        waiting_power_utilisation=assumptions.waiting_power_utilisation,
        training_power_utilisation=measured,
    )
