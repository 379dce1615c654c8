"""Checkpoints: their size, how long a job stands still for one, and the interval that loses least.

Three schemes. Blocking: the job stops while all state goes to shared storage. Two-level: the job
stops only for a snapshot into host or peer memory, most failures are recovered from there, and the
copy to shared storage drains in the background. Three-level: snapshots drain to the NVMe drives of the
hosts as well, which outlive a loss of power or of a process, and are closer than shared storage.

Silent corruption is noticed by no fault. Training is validated from time to time, one of its steps computed again
elsewhere; what was trained since the last valid copy is lost with a corruption that is found then.
"""

from __future__ import annotations

import numpy as np
from scipy.special import lambertw

from app.engine.quantities import quantity
from app.engine.trace import Array, plain

_DALY = "[1] Daly, Future Generation Computer Systems 22 (2006) 303-312"
_YOUNG = "[1] Young, Communications of the ACM 17 (1974) 530-531"
_SDC = (
    "[1] Gemini, arXiv 2312.11805: deterministic replay isolates incorrect computations, and returns to a state before "
    "them; [2] The Llama 3 Herd of Models, arXiv 2407.21783, table 5"
)
_GEMINI = "[1] Wang et al., GEMINI, SOSP 2023, doi 10.1145/3600006.3613145"


@quantity(unit="B", source="definition", at="reliability.checkpoint_bytes")
def checkpoint_bytes(*, parameters: Array, bytes_per_parameter: Array) -> Array:
    """Checkpoint size.

    Weights, master weights and both Adam moments of every parameter, written once: replicas and
    shards of the layout do not change it.
    """
    return parameters * bytes_per_parameter


@quantity(unit="B", source="definition", also_at="reliability.checkpoint_bytes")
def state_bytes(*, memory_held_bytes: Array, copies: Array, held_share: Array) -> Array:
    """Checkpoint size of a generic job.

    The share of what it holds that it cannot compute again, over all its accelerators.

    Parameters
    ----------
    memory_held_bytes : of the job, or of one accelerator [B]
    copies : how many hold as much, 1 where it is of the job [1]
    held_share : of what is held [1]
    """
    return memory_held_bytes * copies * held_share


@quantity(unit="s", source="definition", at="reliability.checkpoint_write_s")
def checkpoint_write_s(*, checkpoint_bytes: Array, storage_write_bandwidth_bytes_per_s: Array) -> Array:
    """Time to write a checkpoint to shared storage.

    All hosts write their shards at once; the storage as a whole is the bottleneck.
    """
    return checkpoint_bytes / storage_write_bandwidth_bytes_per_s


@quantity(unit="s", source="definition")
def checkpoint_read_s(*, checkpoint_bytes: Array, storage_read_bandwidth_bytes_per_s: Array) -> Array:
    """Time to read a checkpoint from shared storage.

    Read once and broadcast to the data-parallel replicas over the compute fabric.
    """
    return checkpoint_bytes / storage_read_bandwidth_bytes_per_s


@quantity(unit="s", source=_GEMINI)
def snapshot_copy_s(
    *, checkpoint_bytes: Array, accelerators_used: Array, snapshot_bandwidth_bytes_per_s: Array
) -> Array:
    """Time to copy the state into host memory.

    Every accelerator copies its own shard, all at once.
    """
    return checkpoint_bytes / (accelerators_used * snapshot_bandwidth_bytes_per_s)


@quantity(unit="s", source="definition", at="reliability.checkpoint_stall_s")
def checkpoint_stall_s(*, copy_s: Array, synchronisation_s: Array) -> Array:
    """Stall per checkpoint.

    The job stands still while its ranks agree on a step and the state is copied: to shared storage
    when checkpoints block, to host memory in the two-level scheme.
    """
    return copy_s + synchronisation_s


@quantity(unit="s", source=_DALY, leaf=True)
def optimum_interval_s(*, stall_s: Array, mtbf_s: Array) -> Array:
    """Optimal time between checkpoints.

    tau = M (1 + W0(-exp(-(1 + C / M)))), where the expected time of a run is least: exact for
    failures at a constant rate, restart time without influence.

    Parameters
    ----------
    stall_s : C, stall for one checkpoint [s]
    mtbf_s : M, mean time between interruptions [s]; infinite means never
    """
    relative = stall_s / mtbf_s
    argument: Array = -np.exp(-(1 + relative))
    exact = 1 + lambertw(argument).real  # type: ignore[call-overload]  # stubs lack arrays with default k
    # So close to the branch point the argument has no digits left, and Young's rule is exact.
    share = np.where(relative < 1e-10, np.sqrt(2 * relative), exact)
    return np.where(np.isinf(mtbf_s), np.inf, mtbf_s * share)


@quantity(unit="s", source="definition")
def mtbf_recovered_locally_s(*, mtbf_s: Array, local_share: Array) -> Array:
    """Mean time between interruptions after which a local copy is left."""
    return np.where(local_share > 0, mtbf_s / np.where(local_share > 0, local_share, 1.0), np.inf)


@quantity(unit="s", source=_GEMINI)
def two_level_optimum_s(*, optimum_local_s: Array, optimum_all_s: Array, drain_s: Array) -> Array:
    """Best time between snapshots where copies of them drain to shared storage as fast as they can.

    Work lost is half an interval of snapshots after the share f of interruptions that leave a local copy, and half an
    interval of copies after the others. While a copy takes longer to drain than the best interval at M / f, that one
    is best; where it drains faster than the best interval at M, every snapshot is copied and that is best; between
    the two a snapshot for each copy.

    Parameters
    ----------
    optimum_local_s : best interval at M / f
    optimum_all_s : best interval at M, which is shorter
    drain_s : time that a copy takes to drain
    """
    return np.minimum(np.maximum(drain_s, optimum_all_s), optimum_local_s)


@quantity(unit="s", source=_GEMINI)
def three_level_optimum_s(
    *, two_level_optimum_s: Array, optimum_memory_s: Array, optimum_node_s: Array, node_drain_s: Array
) -> Array:
    """Best time between snapshots that drain to the drives of hosts and to shared storage as fast as they can.

    The share f of interruptions leaves memory, g drives, the rest shared storage. An interval of which every snapshot is
    on drives in time loses half of it with f + g, a shorter one with f alone: the best of two levels at f + g, at least
    the time to reach the drives, at most the best at M / f.

    Parameters
    ----------
    two_level_optimum_s : best interval with f + g as the share that leaves a local copy
    optimum_memory_s : best interval at M / f
    optimum_node_s : best interval at M / (f + g), which is shorter
    node_drain_s : time that a copy takes to the drives, at most that to shared storage
    """
    beyond: Array = np.maximum(node_drain_s, np.minimum(two_level_optimum_s, optimum_node_s))
    return np.minimum(beyond, optimum_memory_s)


@quantity(unit="s", source="definition", at="reliability.node_drain_s")
def node_drain_s(
    *,
    checkpoint_bytes: Array,
    accelerators_used: Array,
    node_write_bandwidth_bytes_per_s: Array,
    drain_s: Array,
) -> Array:
    """Time that a copy takes to the NVMe drives of the hosts.

    Every host writes its own shard; where that is slower than shared storage, the copy there is the newer one.
    """
    return np.minimum(checkpoint_bytes / (accelerators_used * node_write_bandwidth_bytes_per_s), drain_s)


@quantity(unit="s", source="definition")
def node_read_s(
    *,
    checkpoint_bytes: Array,
    accelerators_used: Array,
    node_read_bandwidth_bytes_per_s: Array,
    read_s: Array,
) -> Array:
    """Time to read a checkpoint from the drives of the hosts, at most that from shared storage."""
    return np.minimum(checkpoint_bytes / (accelerators_used * node_read_bandwidth_bytes_per_s), read_s)


@quantity(unit="1", percent=True, source="definition", at="reliability.node_recovery_share")
def node_recovery_share(
    *, local_share: Array, recovered_from_drives: Array, corruption_share: Array
) -> Array:
    """Share of interruptions that are recovered from the drives of hosts: of those that leave no copy in memory."""
    return (1 - local_share) * recovered_from_drives * (1 - corruption_share)


@quantity(unit="1", percent=True, source="definition")
def memory_recovery_share(*, local_share: Array, corruption_share: Array) -> Array:
    """Share of interruptions that are recovered from memory: a corruption is in the snapshots there too."""
    return local_share * (1 - corruption_share)


@quantity(unit="s", source="definition")
def persistent_read_s(*, read_s: Array, node_read_s: Array, local_share: Array, node_share: Array) -> Array:
    """Mean time to read the state where none is in memory."""
    beyond = 1 - local_share
    of_drives = np.where(beyond > 0, node_share / np.where(beyond > 0, beyond, 1.0), 0.0)
    return of_drives * node_read_s + (1 - of_drives) * read_s


@quantity(unit="1", percent=True, source=_SDC, at="reliability.corruption_share")
def corruption_share(
    *,
    corruptions_per_accelerator_hour: Array,
    accelerators_used: Array,
    failures_per_day: Array,
    found_at_validation: Array,
) -> Array:
    """Share of interruptions that are silent corruption, found at a validation.

    They are among all interruptions, whose rate counts every cause: 6 of the 419 of Llama 3.

    Parameters
    ----------
    found_at_validation : 1: found when training is validated; 0: at once, as any other interruption
    """
    per_day = corruptions_per_accelerator_hour * accelerators_used * 24
    share = np.where(
        failures_per_day > 0, per_day / np.where(failures_per_day > 0, failures_per_day, 1.0), 0.0
    )
    return found_at_validation * np.minimum(share, 1.0)


@quantity(unit="s", source="definition", at="reliability.validation_s")
def validation_s(*, step_time_s: Array, validation_steps: Array) -> Array:
    """Time that one validation stops the job: steps that are computed again."""
    return step_time_s * validation_steps


@quantity(unit="s", source=_SDC, at="reliability.validation_interval_s")
def validation_interval_s(
    *, validation_s: Array, mtbf_s: Array, corruption_share: Array, persistent_interval_s: Array
) -> Array:
    """Time between validations.

    Productive time, whole intervals of copies, for the state is valid up to a copy. One validation costs v and one
    corruption all work of an interval V: v / V + V q / M is least at V = sqrt(v M / q). Never without corruption.
    """
    corrupt = (corruption_share > 0) & np.isfinite(mtbf_s)
    best = np.sqrt(validation_s * np.where(corrupt, mtbf_s, 1.0) / np.where(corrupt, corruption_share, 1.0))
    copies = np.maximum(np.round(best / persistent_interval_s), 1)
    return np.where(corrupt, copies * persistent_interval_s, np.inf)


@quantity(unit="s", source="definition")
def validation_stall_s(
    *, validation_s: Array, validation_interval_s: Array, checkpoint_interval_s: Array
) -> Array:
    """Stall for validations, for each checkpoint."""
    return np.where(
        np.isinf(validation_interval_s), 0.0, validation_s * checkpoint_interval_s / validation_interval_s
    )


@quantity(unit="s", source=_DALY, at="reliability.checkpoint_interval_s", key=True)
def checkpoint_interval_s(*, optimum_interval_s: Array, step_time_s: Array) -> Array:
    """Checkpoint interval.

    Between snapshots, or between checkpoints that block.

    Productive time between the end of one and the start of the next. The optimum, and at least one
    training step: a checkpoint is taken between steps.
    """
    return np.maximum(optimum_interval_s, step_time_s)


@quantity(unit="s", source=_YOUNG, at="reliability.checkpoint_interval_young_s")
def checkpoint_interval_young_s(*, stall_s: Array, mtbf_s: Array) -> Array:
    """Checkpoint interval by Young.

    sqrt(2 C M), for comparison: 5 % above the optimum at C / M = 0.01, 17 % at 0.1.
    """
    return np.sqrt(2 * stall_s * mtbf_s)


@quantity(unit="s", source=_DALY, at="reliability.checkpoint_interval_daly_s")
def checkpoint_interval_daly_s(*, stall_s: Array, mtbf_s: Array) -> Array:
    """Checkpoint interval by Daly.

    sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + (C / 2M) / 9) - C below C = 2M, else M; for comparison.
    """
    ratio = stall_s / (2 * mtbf_s)
    below = np.sqrt(2 * stall_s * mtbf_s) * (1 + np.sqrt(ratio) / 3 + ratio / 9) - stall_s
    return np.where(ratio < 1, below, mtbf_s)


@quantity(unit="s", source="definition", at="reliability.checkpoint_drain_s")
def checkpoint_drain_s(*, checkpoint_write_s: Array, bandwidth_share: Array) -> Array:
    """Time that a copy takes to drain to shared storage beside the job's own reads and writes."""
    return checkpoint_write_s / bandwidth_share


@quantity(unit="s", source=_GEMINI, at="reliability.persistent_interval_s")
def persistent_interval_s(*, checkpoint_interval_s: Array, stall_s: Array, drain_s: Array) -> Array:
    """Time between copies on shared storage.

    Productive time, as short as can be, for a copy that drains in the background stops nothing: the next one starts
    with the first snapshot after the last has drained. The same as the interval of checkpoints where each goes to
    shared storage.

    Parameters
    ----------
    drain_s : time that a copy takes to drain; 0 where the job stands still for it
    """
    snapshots = np.ceil(np.round(drain_s / (checkpoint_interval_s + stall_s), 9))
    return checkpoint_interval_s * np.maximum(snapshots, 1)


@quantity(unit="s", source="definition", at="reliability.restart_s")
def restart_s(
    *,
    detection_s: Array,
    local_share: Array,
    local_overhead_s: Array,
    local_copy_s: Array,
    overhead_s: Array,
    read_s: Array,
) -> Array:
    """Time to restart after an interruption.

    Until it is noticed, then the mean over recoveries from a local copy and from shared storage: rescheduling and
    start-up, then loading the state.
    """
    local = local_overhead_s + local_copy_s
    return detection_s + local_share * local + (1 - local_share) * (overhead_s + read_s)


@quantity(unit="s", source=_GEMINI, at="reliability.rollback_s")
def rollback_s(
    *, local_share: Array, checkpoint_interval_s: Array, persistent_interval_s: Array, drain_s: Array
) -> Array:
    """Recomputed work where only the persistent checkpoint is left.

    Mean over all interruptions, beyond what is lost since the last checkpoint of any kind:
    (1 - f) (d + (t2 - t1) / 2), an interruption falling anywhere between two persistent copies, of which the last
    that has drained is of a snapshot d earlier.

    Parameters
    ----------
    drain_s : d, time that a copy takes to drain [s]; 0 where the job stands still for it
    """
    copies_apart = (persistent_interval_s - checkpoint_interval_s) / 2
    beyond = np.where(np.isinf(checkpoint_interval_s), 0.0, drain_s + copies_apart)
    return (1 - local_share) * beyond


@quantity(unit="s", source="definition", also_at="reliability.rollback_s")
def rollback_of_levels_s(*, from_storage_s: Array, from_drives_s: Array) -> Array:
    """Recomputed work where memory has lost its copy: back to the drives of hosts, or to shared storage."""
    return from_storage_s + from_drives_s


@quantity(unit="s", source=_SDC, also_at="reliability.rollback_s")
def rollback_with_corruption_s(
    *,
    rollback_s: Array,
    corruption_share: Array,
    validation_interval_s: Array,
    checkpoint_interval_s: Array,
    stall_s: Array,
) -> Array:
    """Recomputed work with silent corruption, which takes all work between two validations.

    q (V / tau - 1 / 2) (tau + C) beside what the other interruptions lose: of the V / tau checkpoints of an interval
    half of one is lost with any interruption.
    """
    corrupt = corruption_share > 0
    checkpoints = np.where(corrupt, validation_interval_s, 0.0) / checkpoint_interval_s
    lost = (checkpoints - 0.5) * (checkpoint_interval_s + stall_s)
    return rollback_s + np.where(corrupt, corruption_share * lost, 0.0)


def rollback_of(
    *,
    memory_share: Array,
    node_share: Array,
    corruption_share: Array,
    checkpoint_interval_s: Array,
    stall_s: Array,
    drain_s: Array,
    node_drain_s: Array,
    validation_interval_s: Array,
    copies_apart_s: Array,
) -> Array:
    """Work that an interruption loses beyond the last checkpoint, over every level and with silent corruption.

    Parameters
    ----------
    memory_share, node_share, corruption_share : of all interruptions [1]; the rest comes from shared storage
    stall_s : for each checkpoint, with its share of validations
    copies_apart_s : between copies on shared storage
    """
    cycle = {"checkpoint_interval_s": checkpoint_interval_s}
    found: Array = rollback_s(
        local_share=memory_share + node_share + corruption_share,
        persistent_interval_s=copies_apart_s,
        drain_s=drain_s,
        **cycle,
    )
    if np.any(plain(node_share) > 0):
        on_drives = persistent_interval_s(stall_s=stall_s, drain_s=node_drain_s, **cycle)
        found = rollback_of_levels_s(
            from_storage_s=found,
            from_drives_s=rollback_s(
                local_share=1 - node_share, persistent_interval_s=on_drives, drain_s=node_drain_s, **cycle
            ),
        )
    if np.any(plain(corruption_share) > 0):
        found = rollback_with_corruption_s(
            rollback_s=found,
            corruption_share=corruption_share,
            validation_interval_s=validation_interval_s,
            stall_s=stall_s,
            **cycle,
        )
    return found
