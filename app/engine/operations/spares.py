"""Hot spares: how many, how often they run out, and what a run waits then.

A failed supernode is away for its repair; the number away at any moment follows a Poisson
distribution. A rack goes out of service as a whole when one of its trays fails.
"""

from __future__ import annotations

import numpy as np
from scipy.special import pdtr, pdtrc, pdtrik

from app.engine.quantities import quantity
from app.engine.trace import Array

_POISSON = "[1] Palm's theorem: units in repair at constant failure rate are Poisson distributed"

# scipy.stats has these by name, but loading it takes a fifth of the time that a server needs to start; where nothing
# else will do, `scipy.stats` is written out, which loads it when it is first used.


def _at_most(count: Array, mean: Array) -> Array:
    """Probability of `count` or fewer."""
    return np.where(count < 0, 0.0, pdtr(np.maximum(np.floor(count), 0), mean))


def _more_than(count: Array, mean: Array) -> Array:
    """Probability of more than `count`."""
    return np.where(count < 0, 1.0, pdtrc(np.maximum(np.floor(count), 0), mean))


def _smallest_enough(probability: Array, mean: Array) -> Array:
    """Smallest count that is not exceeded with this probability."""
    count = np.ceil(pdtrik(probability, np.where(mean > 0, mean, 1.0)))
    one_less = np.maximum(count - 1, 0)
    least = np.where(pdtr(one_less, mean) >= probability, one_less, count)
    return np.where(mean > 0, least, 0.0)


@quantity(unit="1", source=_POISSON, at="reliability.supernodes_in_repair")
def supernodes_in_repair(
    *, supernodes_used: Array, nodes_per_supernode: Array, failures_per_node_day: Array, repair_days: Array
) -> Array:
    """Mean number of SuperNodes in repair.

    N n r T: supernodes, hosts in each, failures per host and day, days away.
    """
    return supernodes_used * nodes_per_supernode * failures_per_node_day * repair_days


@quantity(unit="1", source="definition")
def idle_supernodes(*, supernodes: Array, supernodes_used: Array) -> Array:
    """Idle SuperNodes of the pod.

    They step in before any spare does.
    """
    return np.maximum(supernodes - supernodes_used, 0)


@quantity(unit="1", source=_POISSON, at="reliability.spare_supernodes_recommended", leaf=True)
def spare_supernodes_recommended(
    *, supernodes_in_repair: Array, idle_supernodes: Array, confidence: Array
) -> Array:
    """Recommended spare SuperNodes.

    The smallest number that is enough with that probability, less those the job leaves free. Small
    pods need a larger share than large ones.
    """
    known = np.isfinite(supernodes_in_repair)
    enough = _smallest_enough(confidence, np.where(known, supernodes_in_repair, 0.0))
    return np.where(known, np.maximum(enough - idle_supernodes, 0), np.nan)


@quantity(unit="1", source="definition", at="reliability.spare_supernodes", key=True)
def spare_supernodes(*, stated: Array, recommended: Array) -> Array:
    """Spare SuperNodes.

    As the scenario states, else as recommended.
    """
    return np.where(np.isnan(stated), recommended, stated)


@quantity(unit="1", percent=True, source=_POISSON, at="reliability.spare_coverage", leaf=True)
def spare_coverage(*, supernodes_in_repair: Array, spare_supernodes: Array, idle_supernodes: Array) -> Array:
    """Probability that spares suffice."""
    return _at_most(spare_supernodes + idle_supernodes, supernodes_in_repair)


@quantity(unit="1", percent=True, source=_POISSON, at="reliability.availability", leaf=True)
def availability(
    *, supernodes_in_repair: Array, spare_supernodes: Array, idle_supernodes: Array, supernodes_used: Array
) -> Array:
    """Availability of the needed accelerators.

    1 - E[(D - S)+] / N with D supernodes in repair, S spare or idle and N needed. Of the hardware
    alone: power and site are not in it.
    """
    ready = spare_supernodes + idle_supernodes
    missing = supernodes_in_repair * _more_than(ready - 1, supernodes_in_repair) - ready * _more_than(
        ready, supernodes_in_repair
    )
    return np.clip(1 - missing / supernodes_used, 0, 1)


@quantity(unit="1", source=_POISSON, leaf=True)
def shortage_probability(
    *, supernodes_in_repair: Array, spare_supernodes: Array, idle_supernodes: Array
) -> Array:
    """Probability that a failure finds no spare."""
    return _more_than(spare_supernodes + idle_supernodes - 1, supernodes_in_repair)


@quantity(unit="s", source=_POISSON, at="reliability.waiting_s")
def waiting_s(
    *,
    shortage_probability: Array,
    repair_days: Array,
    spare_supernodes: Array,
    idle_supernodes: Array,
    node_failures_per_day: Array,
    failures_per_day: Array,
) -> Array:
    """Mean wait for a working SuperNode after an interruption.

    Where no spare is left the run waits for the first of the S + 1 in repair, T / (S + 1) on
    average; only interruptions by hosts take a supernode away.
    """
    first_repair_s = repair_days * 24 * 3600 / (spare_supernodes + idle_supernodes + 1)
    return node_failures_per_day / failures_per_day * shortage_probability * first_repair_s
