"""Goodput: expected time of one checkpoint interval, and where it goes.

Failures come at a constant rate, also during checkpoints and restarts. In one interval with x the
exposed time over the mean time between failures, work fails exp(x) - 1 times on average and each
failure costs a wait, a restart (which may fail too) and the work since the last checkpoint.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

LARGEST_WAITING_AS_A_WHOLE = 100_000
"""Accelerators of a job, above which only one that goes on with part of them has a share of useful time."""
MOST_LOST = 0.25
"""Share of elapsed time, up to which the closed forms are held to the simulation."""
_DALY = "[1] Daly, Future Generation Computer Systems 22 (2006) 303-312"


@quantity(unit="1", source=_DALY)
def failures_per_interval(*, mtbf_s: Array, interval_s: Array, stall_s: Array) -> Array:
    """Failures until one interval and its checkpoint are done.

    exp((tau + C) / M) - 1, without those during restarts.
    """
    return np.where(np.isinf(mtbf_s), 0.0, np.expm1((interval_s + stall_s) / mtbf_s))


@quantity(unit="s", source="definition")
def recovery_s(*, restart_s: Array, rollback_s: Array) -> Array:
    """Time to recover the work since the last checkpoint."""
    return restart_s + rollback_s


@quantity(unit="s", source=_DALY)
def expected_interval_s(
    *, mtbf_s: Array, failures_per_interval: Array, recovery_s: Array, waiting_s: Array
) -> Array:
    """Expected time of one interval with its failures.

    E = (M + D) exp(R / M) (exp((tau + C) / M) - 1).

    Parameters
    ----------
    mtbf_s : M, mean time between interruptions [s]
    failures_per_interval : exp((tau + C) / M) - 1
    recovery_s : R, restart and work done again from an older copy [s]
    waiting_s : D, wait for a working supernode before the restart [s]
    """
    return (mtbf_s + waiting_s) * np.exp(recovery_s / mtbf_s) * failures_per_interval


@quantity(unit="s", source="definition")
def interval_within_validity_s(
    *, expected_interval_s: Array, accelerators_used: Array, copies_that_go_on: Array
) -> Array:
    """Expected time of one interval, where it can be told.

    Unknown above 100,000 accelerators for a job that waits as a whole whenever a unit is missing: no run of that size
    was published, and its time between failures is of the order of a restart.
    """
    beyond = (accelerators_used > LARGEST_WAITING_AS_A_WHOLE) & (copies_that_go_on <= 1)
    return np.where(beyond, np.nan, expected_interval_s)


@quantity(unit="1", percent=True, source=_DALY, at="reliability.ettr", short="ETTR", key=True, better="more")
def ettr(*, mtbf_s: Array, interval_s: Array, expected_interval_s: Array) -> Array:
    """Effective training time ratio.

    tau / E, the share of elapsed time in which training advances; 1 when nothing ever fails.
    An event simulation agrees within 0.3 points at 40 designs that lose less than a quarter of their time; beyond a
    quarter the evaluation warns.
    """
    return np.where(np.isinf(mtbf_s), 1.0, interval_s / expected_interval_s)


productive_share = alias(
    "productive_share",
    "Productive share of elapsed time",
    of="ettr",
    at="reliability.goodput_breakdown.productive",
    percent=True,
)


@quantity(unit="1", percent=True, source=_DALY, at="reliability.goodput_breakdown.checkpoint")
def checkpoint_share(*, stall_s: Array, expected_interval_s: Array, mtbf_s: Array) -> Array:
    """Share of elapsed time in checkpoint stalls."""
    return np.where(np.isinf(mtbf_s), 0.0, stall_s / expected_interval_s)


@quantity(unit="1", source=_DALY)
def recovery_share(
    *, mtbf_s: Array, recovery_s: Array, failures_per_interval: Array, expected_interval_s: Array
) -> Array:
    """Share of elapsed time in recovery.

    Restarts, failed ones included, and work done again from an older copy:
    M (exp(R / M) - 1) (exp((tau + C) / M) - 1) / E.
    """
    time = mtbf_s * np.expm1(recovery_s / mtbf_s) * failures_per_interval
    return np.where(np.isinf(mtbf_s), 0.0, time / expected_interval_s)


@quantity(unit="1", percent=True, source=_DALY, at="reliability.goodput_breakdown.restart")
def restart_share(*, recovery_share: Array, restart_s: Array, recovery_s: Array) -> Array:
    """Share of elapsed time in restarts."""
    return recovery_share * np.where(recovery_s == 0, 0.0, restart_s / recovery_s)


@quantity(unit="1", percent=True, source=_DALY, at="reliability.goodput_breakdown.waiting")
def waiting_share(
    *,
    mtbf_s: Array,
    waiting_s: Array,
    recovery_s: Array,
    failures_per_interval: Array,
    expected_interval_s: Array,
) -> Array:
    """Share of elapsed time waiting for a spare."""
    time = waiting_s * np.exp(recovery_s / mtbf_s) * failures_per_interval
    return np.where(np.isinf(mtbf_s), 0.0, time / expected_interval_s)


@quantity(unit="1", percent=True, source=_DALY, at="reliability.goodput_breakdown.lost_work")
def lost_work_share(
    *,
    mtbf_s: Array,
    interval_s: Array,
    stall_s: Array,
    failures_per_interval: Array,
    expected_interval_s: Array,
    recovery_share: Array,
    restart_share: Array,
) -> Array:
    """Share of elapsed time in recomputed work.

    Since the last checkpoint, M (exp((tau + C) / M) - 1) - (tau + C), and what was gained between the
    persistent copy and the last local one where only the former is left.
    """
    since_checkpoint = mtbf_s * failures_per_interval - (interval_s + stall_s)
    lost = np.where(np.isinf(mtbf_s), 0.0, since_checkpoint / expected_interval_s)
    return lost + (recovery_share - restart_share)


@quantity(unit="s", source="definition", at="performance.elapsed_time_s", key=True, better="less")
def elapsed_time_s(*, training_time_s: Array, ettr: Array) -> Array:
    """Elapsed time."""
    return training_time_s / ettr
