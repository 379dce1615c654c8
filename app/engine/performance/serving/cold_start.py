"""Cold start of an instance: from the order to its first answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ColdStart:
    """Its parts follow one another. Parts are None where the scenario states the whole."""

    node_boot_s: Array | None  # 0 where nodes stay on
    weights_read_s: Array | None
    weights_copy_s: Array | None
    engine_start_s: Array | None
    cold_start_s: Array


@quantity(unit="B", source="definition")
def weights_of_starts_bytes(*, weights_bytes: Array, instances: Array, starts: Array) -> Array:
    """Weights that are read where so many replicas start at once: a copy for each of their instances."""
    return weights_bytes * instances * starts


@quantity(unit="B/s", source="definition")
def read_bandwidth_bytes_per_s(
    *,
    storage_read_bandwidth_bytes_per_s: Array,
    starts: Array,
    accelerators_per_replica: Array,
    scale_out_bandwidth_bytes_per_s: Array,
) -> Array:
    """Rate at which replicas that start at once read their weights, all together.

    That of the storage, or of their own links where those are slower; a pod without a scale-out fabric reads what it
    has at the rate of its storage.
    """
    links = starts * accelerators_per_replica * scale_out_bandwidth_bytes_per_s
    slower = np.minimum(storage_read_bandwidth_bytes_per_s, links)
    return np.where(links > 0, slower, storage_read_bandwidth_bytes_per_s)


@quantity(unit="s", source="definition")
def weights_read_s(*, weights_of_starts_bytes: Array, read_bandwidth_bytes_per_s: Array) -> Array:
    """Time in which the weights of replicas that start at once are read from the storage."""
    return weights_of_starts_bytes / read_bandwidth_bytes_per_s


@quantity(unit="s", source="definition")
def weights_copy_s(*, weights_per_accelerator_bytes: Array, host_link_bytes_per_s: Array) -> Array:
    """Time in which weights go from the host to an accelerator: each over its own link, all at once."""
    return weights_per_accelerator_bytes / host_link_bytes_per_s


@quantity(unit="s", source="definition")
def cold_start_s(
    *, node_boot_s: Array, weights_read_s: Array, weights_copy_s: Array, engine_start_s: Array
) -> Array:
    """Time from the order of an instance to its first answer: boot, read, copy and start, one after another.

    Loaders that copy a part while they read the next are at most as much faster as the copy takes.
    """
    return node_boot_s + weights_read_s + weights_copy_s + engine_start_s


def cold_start(
    *,
    stated_s: Array,
    boots: bool,
    node_boot_s: Array,
    engine_start_s: Array,
    weights_bytes: Array,
    instances: Array,
    starts: Array,
    accelerators_per_replica: Array,
    storage_read_bandwidth_bytes_per_s: Array,
    scale_out_bandwidth_bytes_per_s: Array,
    weights_per_accelerator_bytes: Array,
    host_link_bytes_per_s: Array,
) -> ColdStart:
    """The cold start as the scenario states it, else by its parts.

    Parameters
    ----------
    stated_s : not a number where the scenario leaves it open
    boots : whether nodes were off
    weights_bytes : of one copy of the model
    instances : of one replica, each with a copy
    starts : replicas that start at once
    scale_out_bandwidth_bytes_per_s : of one accelerator; 0 where there is no fabric
    weights_per_accelerator_bytes : that one accelerator holds
    """
    if not np.isnan(stated_s).all():
        return ColdStart(
            node_boot_s=None,
            weights_read_s=None,
            weights_copy_s=None,
            engine_start_s=None,
            cold_start_s=stated_s,
        )
    parts = {
        "node_boot_s": node_boot_s if boots else np.zeros(1),
        "weights_read_s": weights_read_s(
            weights_of_starts_bytes=weights_of_starts_bytes(
                weights_bytes=weights_bytes, instances=instances, starts=starts
            ),
            read_bandwidth_bytes_per_s=read_bandwidth_bytes_per_s(
                storage_read_bandwidth_bytes_per_s=storage_read_bandwidth_bytes_per_s,
                starts=starts,
                accelerators_per_replica=accelerators_per_replica,
                scale_out_bandwidth_bytes_per_s=scale_out_bandwidth_bytes_per_s,
            ),
        ),
        "weights_copy_s": weights_copy_s(
            weights_per_accelerator_bytes=weights_per_accelerator_bytes,
            host_link_bytes_per_s=host_link_bytes_per_s,
        ),
        "engine_start_s": engine_start_s,
    }
    return ColdStart(**parts, cold_start_s=cold_start_s(**parts))
