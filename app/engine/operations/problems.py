"""Problems of a run that survives its failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.problems import Fix, Problem
from app.engine.specs import Operations
from app.engine.trace import first_of

if TYPE_CHECKING:
    from app.engine.operations.section import Reliability


def operations_problems(*, operations: Operations, reliability: Reliability) -> list[Problem]:
    """Problems of failures, checkpoints and spares.

    Unknown figures raise no problem here: what is missing is named where it is missing.
    """
    found = [
        _slower_than_failures(reliability),
        _blocking_too_dear(reliability),
        _too_few_spares(operations, reliability),
    ]
    return [problem for problem in found if problem]


def _slower_than_failures(reliability: Reliability) -> Problem | None:
    write, mtbf = first_of(reliability.checkpoint_write_s), first_of(reliability.mtbf_s)
    if not write > mtbf:
        return None
    needed = first_of(reliability.checkpoint_bytes) / mtbf
    # With local snapshots most recoveries do not need the slow copy.
    blocking = reliability.checkpoint_scheme == "blocking"
    return Problem(
        kind="infeasible" if blocking else "warning",
        field="operations.storage.write_bandwidth_bytes_per_s",
        constraint="storage write bandwidth",
        message=(
            f"Writing one checkpoint to shared storage takes {write:,.0f} s, longer than the {mtbf:,.0f} s "
            "between two failures."
        ),
        value=write,
        limit=mtbf,
        missed_by=write - mtbf,
        unit="s",
        fix=Fix(
            field="operations.storage.write_bandwidth_bytes_per_s",
            value=needed,
            message=f"At least {needed / 1e9:,.1f} GB/s of write bandwidth finishes one within that time.",
        ),
        affects=("reliability.ettr", "performance.elapsed_time_s"),
    )


def _blocking_too_dear(reliability: Reliability) -> Problem | None:
    bandwidth = first_of(reliability.storage_write_bandwidth_bytes_per_s)
    wanted = first_of(reliability.blocking_bandwidth_bytes_per_s)
    if reliability.checkpoint_scheme != "blocking" or not bandwidth < wanted:
        return None
    share = 1 - first_of(reliability.ettr)
    lost = "the" if np.isnan(share) else f"the {share:.1%} of"
    return Problem(
        kind="warning",
        field="operations.checkpoint",
        constraint="checkpoint overhead",
        message=(
            f"Blocking checkpoints at {bandwidth / 1e9:,.1f} GB/s are a large part of {lost} "
            f"elapsed time that is not productive; {wanted / 1e9:,.1f} GB/s would keep them within the target."
        ),
        value=bandwidth,
        limit=wanted,
        missed_by=wanted - bandwidth,
        unit="B/s",
        fix=Fix(
            field="operations.checkpoint",
            value="two_level",
            message="Snapshots in host memory stop the job for about a second instead.",
        ),
        affects=("reliability.ettr",),
    )


def _too_few_spares(operations: Operations, reliability: Reliability) -> Problem | None:
    spares, needed = first_of(reliability.spare_units), first_of(reliability.spare_units_recommended)
    if operations.spare_units is None or not spares < needed:
        return None
    coverage, unit = first_of(reliability.spare_coverage), first_of(reliability.unit_accelerators)
    return Problem(
        kind="warning",
        field="operations.spares",
        constraint="spare units",
        message=(
            f"With {spares:,.0f} spare units of {unit:,.0f} accelerators the pod is complete only {coverage:.1%} of "
            "the time; otherwise work waits for a repair."
        ),
        value=spares,
        limit=needed,
        missed_by=needed - spares,
        unit="1",
        fix=Fix(field="operations.spares", value=needed, message=f"Keep {needed:,.0f} spare units."),
        affects=("reliability.ettr", "reliability.availability"),
    )
