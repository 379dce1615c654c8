"""The reliability section of an evaluation: failures, checkpoints, spares and storage of a run, or of replicas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.engine.operations import checkpointing, failures, goodput, spares, storage
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.failures import ComponentFailures
from app.engine.operations.problems import operations_problems
from app.engine.operations.serving import NO_CHECKPOINTS, serving_figures
from app.engine.quantities import unknown
from app.engine.specs import GenericWorkload, Operations, Pod, ServingWorkload, SuperNode, TrainingWorkload
from app.engine.trace import Array, plain

if TYPE_CHECKING:
    from app.engine.performance.generic_step import GenericPerformance
    from app.engine.performance.section import Performance
    from app.engine.performance.serving.section import ServingPerformance

__all__ = ["Reliability", "evaluate_reliability", "operations_problems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """How often the run fails and what is left of its time.

    What a pod that serves does not have is None: checkpoints, and a run that they are for. Weights and replicas
    are of a pod that serves, and None for every run.
    """

    checkpoint_scheme: str
    node_failures_per_day: Array
    failures_per_day: Array
    mtbf_s: Array
    checkpoint_bytes: Array | None
    checkpoint_write_s: Array | None
    checkpoint_stall_s: Array | None
    checkpoint_interval_s: Array | None
    checkpoint_interval_young_s: Array | None
    checkpoint_interval_daly_s: Array | None
    checkpoint_drain_s: Array | None
    persistent_interval_s: Array | None
    restart_s: Array
    rollback_s: Array | None
    waiting_s: Array
    ettr: Array | None
    goodput_breakdown: dict[str, Array] | None  # shares of elapsed time, together 1
    components: tuple[ComponentFailures, ...]
    unit_accelerators: Array
    units_in_repair: Array
    spare_units: Array
    spare_units_recommended: Array
    spare_supernodes: Array  # what the spare units are of a SuperNode
    spare_supernodes_installed: Array  # of them those that stand in racks
    reserve_units_per_domain: Array
    spare_coverage: Array
    availability: Array
    storage_write_bandwidth_bytes_per_s: Array
    storage_read_bandwidth_bytes_per_s: Array
    blocking_bandwidth_bytes_per_s: Array | None
    storage_write_rated_bytes_per_s: Array
    storage_read_rated_bytes_per_s: Array
    storage_flash_bytes: Array
    storage_bulk_bytes: Array
    storage_capacity_bytes: Array
    storage_power_w: Array
    storage_racks: Array
    storage_ports: Array
    storage_metadata_per_s: Array
    weights_bytes: Array | None = None
    weights_load_s: Array | None = None
    replica_mtbf_s: Array | None = None
    replica_availability: Array | None = None
    node_drain_s: Array | None = None  # these two are of three levels
    node_recovery_share: Array | None = None
    corruption_share: Array | None = None  # these three are known where corruption is found at validations
    validation_s: Array | None = None
    validation_interval_s: Array | None = None
    ettr_at_site: Array | None = None  # these two are known once the facility is
    replica_availability_at_site: Array | None = None


NOT_OF_SERVING = (
    "checkpoint_bytes", "checkpoint_write_s", "checkpoint_stall_s", "checkpoint_interval_s",
    "checkpoint_interval_young_s", "checkpoint_interval_daly_s", "checkpoint_drain_s", "persistent_interval_s", "rollback_s", "ettr",
    "goodput_breakdown", "blocking_bandwidth_bytes_per_s",
)  # fmt: skip


def evaluate_reliability(
    *,
    workload: TrainingWorkload | GenericWorkload | ServingWorkload,
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    performance: Performance | GenericPerformance | ServingPerformance,
    assumptions: OperationsAssumptions,
) -> Reliability:
    """Reliability of a run on a pod, or of the replicas that serve."""
    rates: dict[str, Any] = failures.failures_of(
        accelerators_used=pod.accelerators_used,
        accelerators_per_supernode=supernode.accelerators,
        nodes_per_supernode=supernode.nodes,
        assumptions=assumptions,
    )
    going_on = spares.copies_that_go_on(
        copies=copies_of(workload, performance), elastic_operation=assumptions.elastic_operation
    )
    pool = _spares(supernode, pod, operations, rates, going_on, assumptions)
    if isinstance(workload, ServingWorkload):
        answers = cast("ServingPerformance", performance)
        kept = serving_figures(supernode, pod, operations, answers, pool, assumptions)
        served: dict[str, Any] = rates | pool | kept | dict.fromkeys(NOT_OF_SERVING)
        return Reliability(checkpoint_scheme=NO_CHECKPOINTS, **served)
    run = cast("Performance | GenericPerformance", performance)
    disks = _storage(workload, supernode, pod, operations, run, rates, assumptions)
    times = _checkpoints(pod, operations, run, rates, disks, assumptions)
    shares = _goodput(pod, rates, pool, times, going_on)
    times.pop("validation_stall_s", None)
    figures: dict[str, Any] = rates | pool | disks | times
    return Reliability(checkpoint_scheme=operations.checkpoint, **figures, **shares)


def copies_of(
    workload: TrainingWorkload | GenericWorkload | ServingWorkload,
    performance: Performance | GenericPerformance | ServingPerformance,
) -> Array:
    """Copies of the model that could train without each other; a job of another kind has one."""
    if not isinstance(workload, TrainingWorkload):
        return np.ones(1)
    strategy = performance.strategy
    return spares.complete_copies(
        data_parallel=strategy["dp"],
        tensor_parallel=strategy["tp"],
        context_parallel=strategy["cp"],
        expert_parallel=strategy["ep"],
    )


def cube_side_of(supernode: SuperNode) -> Array:
    """Accelerators along the side of a cube of its torus; unknown where there are none."""
    plan = supernode.scale_up
    return unknown() if plan is None or plan.cube_side is None else plan.cube_side


def _spares(
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    rates: dict[str, Any],
    going_on: Array,
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    part, cube_side = pod.domain_accelerators_used, cube_side_of(supernode)
    domain = supernode.scale_up_domain_accelerators
    unit = spares.unit_accelerators(
        accelerators_per_supernode=supernode.accelerators,
        nodes_per_supernode=supernode.nodes,
        cube_side=cube_side,
    )
    used = spares.units_used(accelerators_used=pod.accelerators_used, unit_accelerators=unit)
    idle = spares.idle_units(
        pod_units=spares.pod_units(
            supernodes=pod.supernodes,
            accelerators_per_supernode=supernode.accelerators,
            unit_accelerators=unit,
        ),
        units_used=used,
    )
    in_repair = spares.units_in_repair(
        by_component=tuple(
            one.units_in_repair for one in rates["components"] if one.units_in_repair is not None
        )
    )
    recommended = spares.spare_units_recommended(
        units_in_repair=in_repair, idle_units=idle, confidence=assumptions.spare_confidence
    )
    stated = operations.spare_units
    count = spares.spare_units(stated=unknown() if stated is None else stated, recommended=recommended)
    bought = spares.spare_supernodes(
        spare_units=count, unit_accelerators=unit, accelerators_per_supernode=supernode.accelerators
    )
    within = spares.part_of_domain(unit_accelerators=unit, domain_accelerators=domain, cube_side=cube_side)
    domains = spares.domains_used(
        accelerators_used=pod.accelerators_used, domain_accelerators_used=domain if part is None else part
    )
    reserve = spares.reserve_units_per_domain(
        domain_accelerators=domain,
        accelerators_used=pod.accelerators_used,
        domains_used=domains,
        unit_accelerators=unit,
    )
    pool = {"units_in_repair": in_repair, "spare_units": count, "idle_units": idle}
    empty = spares.empty_place_s(
        part_of_domain=within,
        units_in_repair=in_repair,
        domains_used=domains,
        reserve_units_per_domain=reserve,
        unit_return_s=assumptions.unit_return_s,
    )
    away = spares.mean_away_days(
        units_in_repair=in_repair, node_failures_per_day=rates["node_failures_per_day"]
    )
    working = spares.units_in_repair_while_places_fill(
        units_in_repair=in_repair, mean_away_days=away, empty_place_s=empty, copies_that_go_on=going_on
    )
    waiting = spares.waiting_s(
        shortage_wait_s=spares.shortage_wait_s(
            missing_units=spares.missing_units(
                units_in_repair=working, spare_units=count, idle_units=idle, copies_that_go_on=going_on
            ),
            mean_away_days=away,
            copies_that_go_on=going_on,
            units_in_repair=working,
        ),
        empty_place_s=empty,
        copies_that_go_on=going_on,
        node_failures_per_day=rates["node_failures_per_day"],
        failures_per_day=rates["failures_per_day"],
    )
    return {
        "unit_accelerators": unit,
        "units_in_repair": in_repair,
        "spare_units": count,
        "spare_units_recommended": recommended,
        "spare_supernodes": bought,
        "spare_supernodes_installed": spares.spare_supernodes_installed(
            spare_supernodes=bought, part_of_domain=within
        ),
        "reserve_units_per_domain": reserve,
        "spare_coverage": spares.spare_coverage(**pool),
        "availability": spares.availability(**pool, units_used=used),
        "waiting_s": waiting,
    }


def _storage(
    workload: TrainingWorkload | GenericWorkload,
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    performance: Performance | GenericPerformance,
    rates: dict[str, Array],
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    disks = storage.bandwidths(supernode=supernode, pod=pod, operations=operations, assumptions=assumptions)
    write = disks["storage_write_bandwidth_bytes_per_s"]
    size, held = kept_bytes(workload, pod, performance, assumptions)
    return {
        "checkpoint_bytes": size,
        "checkpoint_write_s": checkpointing.checkpoint_write_s(
            checkpoint_bytes=size, storage_write_bandwidth_bytes_per_s=write
        ),
        **disks,
        **storage.tiers(
            stored_bytes=held,
            bandwidths=disks,
            supernode=supernode,
            pod=pod,
            operations=operations,
            assumptions=assumptions,
        ),
        "blocking_bandwidth_bytes_per_s": storage.blocking_bandwidth_bytes_per_s(
            checkpoint_bytes=size, mtbf_s=rates["mtbf_s"], overhead=assumptions.checkpoint_overhead_target
        ),
    }


def kept_bytes(
    workload: TrainingWorkload | GenericWorkload,
    pod: Pod,
    performance: Performance | GenericPerformance,
    assumptions: OperationsAssumptions,
) -> tuple[Array, Array]:
    """Size of a checkpoint, and all that is kept on storage."""
    kept = assumptions.checkpoints_kept
    if isinstance(workload, GenericWorkload):
        size = checkpointing.state_bytes(
            memory_held_bytes=workload.memory_held_bytes,
            copies=np.where(workload.strong > 0, 1.0, pod.accelerators_used),
            held_share=workload.checkpoint_held_share,
        )
        return size, storage.stored_with_dataset_bytes(
            checkpoint_bytes=size, checkpoints_kept=kept, dataset_bytes=workload.dataset_bytes
        )
    own, of_modules = performance.parameters, performance.prediction_parameters
    assert own is not None, "training has parameters"
    assert of_modules is not None, "and those of its prediction modules"
    size = checkpointing.checkpoint_bytes(
        parameters=own + of_modules, bytes_per_parameter=assumptions.checkpoint_bytes_per_parameter
    )
    return size, storage.stored_bytes(
        checkpoint_bytes=size,
        checkpoints_kept=kept,
        tokens=workload.tokens,
        token_bytes=assumptions.token_bytes,
    )


def _checkpoints(
    pod: Pod,
    operations: Operations,
    performance: Performance | GenericPerformance,
    rates: dict[str, Array],
    disks: dict[str, Array],
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    in_memory = operations.checkpoint != "blocking"
    size, used = disks["checkpoint_bytes"], pod.accelerators_used
    snapshot = checkpointing.snapshot_copy_s(
        checkpoint_bytes=size,
        accelerators_used=used,
        snapshot_bandwidth_bytes_per_s=assumptions.snapshot_bandwidth_bytes_per_s,
    )
    stall = checkpointing.checkpoint_stall_s(
        copy_s=snapshot if in_memory else disks["checkpoint_write_s"],
        synchronisation_s=assumptions.checkpoint_synchronisation_s,
    )
    pair = {"stall_s": stall, "mtbf_s": rates["mtbf_s"]}
    drain = checkpointing.checkpoint_drain_s(
        checkpoint_write_s=disks["checkpoint_write_s"], bandwidth_share=assumptions.drain_bandwidth_share
    )
    read = checkpointing.checkpoint_read_s(
        checkpoint_bytes=size,
        storage_read_bandwidth_bytes_per_s=disks["storage_read_bandwidth_bytes_per_s"],
    )
    levels = _levels(pod, operations, rates, size, drain, read, assumptions)
    interval = checkpointing.checkpoint_interval_s(
        optimum_interval_s=_best_interval(levels, pair, in_memory, drain),
        step_time_s=performance.step_time_s,
    )
    behind = drain if in_memory else np.zeros(1)
    persistent = checkpointing.persistent_interval_s(
        checkpoint_interval_s=interval, stall_s=stall, drain_s=behind
    )
    checks = _validations(performance, rates, levels, interval, persistent, assumptions)
    return {
        "checkpoint_stall_s": stall,
        "checkpoint_interval_s": interval,
        "checkpoint_interval_young_s": checkpointing.checkpoint_interval_young_s(**pair),
        "checkpoint_interval_daly_s": checkpointing.checkpoint_interval_daly_s(**pair),
        "checkpoint_drain_s": drain,
        "persistent_interval_s": persistent,
        "restart_s": checkpointing.restart_s(
            detection_s=assumptions.detection_s,
            local_share=levels["memory_share"],
            local_overhead_s=assumptions.local_restart_overhead_s,
            local_copy_s=snapshot,
            overhead_s=assumptions.restart_overhead_s,
            read_s=levels["read_s"],
        ),
        "rollback_s": checkpointing.rollback_of(
            memory_share=levels["memory_share"],
            node_share=levels["node_share"],
            corruption_share=levels["corruption_share"],
            checkpoint_interval_s=interval,
            stall_s=stalls_s(stall, checks.get("validation_stall_s")),
            drain_s=behind,
            node_drain_s=levels["node_drain_s"],
            validation_interval_s=checks.get("validation_interval_s", np.full(1, np.inf)),
            copies_apart_s=persistent,
        ),
        **(
            {"node_drain_s": levels["node_drain_s"], "node_recovery_share": levels["node_share"]}
            if operations.checkpoint == "three_level"
            else {}
        ),
        **checks,
    }


def stalls_s(checkpoint_stall_s: Array, validation_stall_s: Array | None) -> Array:
    """Stall for each checkpoint, with its share of validations where there are any."""
    return checkpoint_stall_s if validation_stall_s is None else checkpoint_stall_s + validation_stall_s


def _levels(
    pod: Pod,
    operations: Operations,
    rates: dict[str, Array],
    size: Array,
    drain: Array,
    read: Array,
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    """Which share of interruptions is recovered from which level, and how long that takes."""
    none = np.zeros(1)
    memory = assumptions.local_recovery_share if operations.checkpoint != "blocking" else none
    found = {
        "memory_share": memory,
        "node_share": none,
        "corruption_share": none,
        "read_s": read,
        "node_drain_s": none,
    }
    if finds_late(assumptions):
        corrupt = checkpointing.corruption_share(
            corruptions_per_accelerator_hour=assumptions.corruptions_per_accelerator_hour,
            accelerators_used=pod.accelerators_used,
            failures_per_day=rates["failures_per_day"],
            found_at_validation=assumptions.corruption_found_at_validation,
        )
        found |= {
            "corruption_share": corrupt,
            "memory_share": checkpointing.memory_recovery_share(local_share=memory, corruption_share=corrupt),
        }
    if operations.checkpoint != "three_level":
        return found
    on_drives = checkpointing.node_recovery_share(
        local_share=memory,
        recovered_from_drives=assumptions.node_recovery_share,
        corruption_share=found["corruption_share"],
    )
    of_hosts = {"checkpoint_bytes": size, "accelerators_used": pod.accelerators_used}
    return found | {
        "node_share": on_drives,
        "node_drain_s": checkpointing.node_drain_s(
            **of_hosts,
            node_write_bandwidth_bytes_per_s=assumptions.node_write_bandwidth_bytes_per_s,
            drain_s=drain,
        ),
        "read_s": checkpointing.persistent_read_s(
            read_s=read,
            node_read_s=checkpointing.node_read_s(
                **of_hosts,
                node_read_bandwidth_bytes_per_s=assumptions.node_read_bandwidth_bytes_per_s,
                read_s=read,
            ),
            local_share=found["memory_share"],
            node_share=on_drives,
        ),
    }


def finds_late(assumptions: OperationsAssumptions) -> bool:
    """Return whether any sample has silent corruption that is found at validations."""
    late, often = (
        plain(assumptions.corruption_found_at_validation),
        plain(assumptions.corruptions_per_accelerator_hour),
    )
    return bool(np.any(late * often > 0))


def _best_interval(levels: dict[str, Array], pair: dict[str, Array], in_memory: bool, drain: Array) -> Array:
    best = checkpointing.optimum_interval_s(**pair)
    if not in_memory:
        return best

    def at(share: Array) -> Array:
        recovered = checkpointing.mtbf_recovered_locally_s(mtbf_s=pair["mtbf_s"], local_share=share)
        return checkpointing.optimum_interval_s(stall_s=pair["stall_s"], mtbf_s=recovered)

    if not np.any(plain(levels["node_share"]) > 0):
        return checkpointing.two_level_optimum_s(
            optimum_local_s=at(levels["memory_share"]), optimum_all_s=best, drain_s=drain
        )
    of_hosts = at(levels["memory_share"] + levels["node_share"])
    return checkpointing.three_level_optimum_s(
        two_level_optimum_s=checkpointing.two_level_optimum_s(
            optimum_local_s=of_hosts, optimum_all_s=best, drain_s=drain
        ),
        optimum_memory_s=at(levels["memory_share"]),
        optimum_node_s=of_hosts,
        node_drain_s=levels["node_drain_s"],
    )


def _validations(
    performance: Performance | GenericPerformance,
    rates: dict[str, Array],
    levels: dict[str, Array],
    interval: Array,
    persistent: Array,
    assumptions: OperationsAssumptions,
) -> dict[str, Array]:
    if not finds_late(assumptions):
        return {}
    once = checkpointing.validation_s(
        step_time_s=performance.step_time_s, validation_steps=assumptions.validation_steps
    )
    every = checkpointing.validation_interval_s(
        validation_s=once,
        mtbf_s=rates["mtbf_s"],
        corruption_share=levels["corruption_share"],
        persistent_interval_s=persistent,
    )
    return {
        "corruption_share": levels["corruption_share"],
        "validation_s": once,
        "validation_interval_s": every,
        "validation_stall_s": checkpointing.validation_stall_s(
            validation_s=once, validation_interval_s=every, checkpoint_interval_s=interval
        ),
    }


def _goodput(
    pod: Pod, rates: dict[str, Array], pool: dict[str, Array], times: dict[str, Array], going_on: Array
) -> dict[str, Any]:
    mtbf, waiting, restart = rates["mtbf_s"], pool["waiting_s"], times["restart_s"]
    interval = times["checkpoint_interval_s"]
    stall = stalls_s(times["checkpoint_stall_s"], times.get("validation_stall_s"))
    recovery = goodput.recovery_s(restart_s=restart, rollback_s=times["rollback_s"])
    count = goodput.failures_per_interval(mtbf_s=mtbf, interval_s=interval, stall_s=stall)
    expected = goodput.expected_interval_s(
        mtbf_s=mtbf, failures_per_interval=count, recovery_s=recovery, waiting_s=waiting
    )
    expected = goodput.interval_within_validity_s(
        expected_interval_s=expected,
        accelerators_used=pod.accelerators_used,
        copies_that_go_on=going_on,
    )
    ratio = goodput.ettr(mtbf_s=mtbf, interval_s=interval, expected_interval_s=expected)
    common = {"mtbf_s": mtbf, "failures_per_interval": count, "expected_interval_s": expected}
    recovering = goodput.recovery_share(**common, recovery_s=recovery)
    restarting = goodput.restart_share(recovery_share=recovering, restart_s=restart, recovery_s=recovery)
    shares = {
        "productive": goodput.productive_share(ettr=ratio),
        "checkpoint": goodput.checkpoint_share(stall_s=stall, expected_interval_s=expected, mtbf_s=mtbf),
        "lost_work": goodput.lost_work_share(
            **common,
            interval_s=interval,
            stall_s=stall,
            recovery_share=recovering,
            restart_share=restarting,
        ),
        "restart": restarting,
        "waiting": goodput.waiting_share(**common, waiting_s=waiting, recovery_s=recovery),
    }
    return {"ettr": ratio, "goodput_breakdown": shares}
