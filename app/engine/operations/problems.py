"""Problems of a run that survives its failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.operations.goodput import LARGEST_WAITING_AS_A_WHOLE, MOST_LOST
from app.engine.problems import Fix, Problem
from app.engine.specs import Operations, Pod
from app.engine.trace import first_of

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric
    from app.engine.operations.section import Reliability


def operations_problems(*, operations: Operations, reliability: Reliability) -> list[Problem]:
    """Problems of failures, checkpoints and spares.

    Unknown figures raise no problem here: what is missing is named where it is missing.
    """
    found = [
        _slower_than_failures(reliability),
        _slower_than_snapshots(reliability),
        _blocking_too_dear(reliability),
        _too_few_spares(operations, reliability),
        _past_the_closed_form(reliability),
        _too_large_to_wait(reliability),
    ]
    return [problem for problem in found if problem]


def storage_network_problems(*, pod: Pod, fabric: Fabric, reliability: Reliability) -> list[Problem]:
    """Too few links of storage servers for the ports that the storage is sized to."""
    plan = pod.networks.storage
    network = next((one for one in fabric.networks if one.name == "storage"), None)
    if plan is None or network is None:
        return []
    each, ports = first_of(plan.storage_server_ports), first_of(reliability.storage_ports)
    links = first_of(network.servers) * each
    if not 0 < links < ports:
        return []
    wanted = float(np.ceil(ports / each))
    return [
        Problem(
            kind="warning",
            field="pod.networks.storage.servers",
            constraint="links of storage servers",
            message=(
                f"The storage network has {links:,.0f} links of storage servers; the bandwidth of the storage takes "
                f"{ports:,.0f}."
            ),
            value=links,
            limit=ports,
            missed_by=ports - links,
            unit="1",
            fix=Fix(
                field="pod.networks.storage.servers",
                value=wanted,
                message=f"{wanted:,.0f} storage servers of {each:,.0f} links carry it.",
            ),
            affects=("reliability.checkpoint_write_s", "reliability.restart_s"),
        )
    ]


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


def _slower_than_snapshots(reliability: Reliability) -> Problem | None:
    interval, drain = reliability.checkpoint_interval_s, reliability.checkpoint_drain_s
    if reliability.checkpoint_scheme == "blocking" or interval is None or drain is None:
        return None
    every, takes = first_of(interval), first_of(drain)
    if not takes > (every + first_of(reliability.checkpoint_stall_s)) * (1 + 1e-9):
        return None
    write = first_of(reliability.storage_write_bandwidth_bytes_per_s) * takes / every
    return Problem(
        kind="warning",
        field="operations.storage.write_bandwidth_bytes_per_s",
        constraint="drain of checkpoints",
        message=(
            f"A copy drains to shared storage in {takes:,.0f} s, slower than the {every:,.0f} s between snapshots: one "
            f"is copied every {first_of(reliability.persistent_interval_s):,.0f} s."
        ),
        value=takes,
        limit=every,
        missed_by=takes - every,
        unit="s",
        fix=Fix(
            field="operations.storage.write_bandwidth_bytes_per_s",
            value=write,
            message=f"At least {write / 1e9:,.1f} GB/s of write bandwidth copies every snapshot.",
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


def _past_the_closed_form(reliability: Reliability) -> Problem | None:
    if reliability.ettr is None:
        return None
    lost = 1 - first_of(reliability.ettr)
    if not lost > MOST_LOST:
        return None
    return Problem(
        kind="warning",
        field="operations.checkpoint",
        constraint="closed form of lost time",
        message=(
            f"{lost:.1%} of elapsed time is lost. The formula is checked by simulation up to {MOST_LOST:.0%}; beyond "
            "that the simulated run of the operations page is the better figure."
        ),
        value=lost,
        limit=MOST_LOST,
        missed_by=lost - MOST_LOST,
        unit="1",
        affects=("reliability.ettr", "performance.elapsed_time_s"),
    )


def _too_large_to_wait(reliability: Reliability) -> Problem | None:
    """Report a share of useful time that is unknown though all that it is made of is known."""
    interval = reliability.checkpoint_interval_s
    if reliability.ettr is None or interval is None or not np.isnan(first_of(reliability.ettr)):
        return None
    made_of = (interval, reliability.waiting_s, reliability.restart_s, reliability.rollback_s)
    if any(one is None or not np.isfinite(first_of(one)) for one in made_of):
        return None
    return Problem(
        kind="missing_input",
        field="assumptions.operations.elastic_operation",
        constraint="size of a job that waits as a whole",
        message=(
            f"Above {LARGEST_WAITING_AS_A_WHOLE:,} accelerators the share of useful time is unknown for a job that stops "
            "whenever a unit is missing. Set elastic_operation to 1, and split the job into two data-parallel copies "
            "or more."
        ),
        affects=("reliability.ettr", "performance.elapsed_time_s"),
    )
