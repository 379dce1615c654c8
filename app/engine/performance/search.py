"""Every layout of a space, computed: the fastest that fits, and why the others do not.

Layouts are computed block by block with the one step-time function; layer costs once a layer shape.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer_costs import layer_costs
from app.engine.performance.layouts import Layouts
from app.engine.performance.memory import layer_memory, memory_of
from app.engine.performance.model_share import model_share
from app.engine.performance.step_time import step_time_of
from app.engine.performance.strategy import Strategy
from app.engine.specs import Layout
from app.engine.trace import Traced, plain, traced_search

Record = TypeVar("Record")
LARGEST = ("weights", "gradients", "optimizer", "activations", "logits", "buffers", "reserved")
"""Parts of the memory; a layout that does not fit is counted under the largest."""
TIER_MEMORY = ("host memory", "memory of other accelerators", "NVMe drives")
"""Tiers that may be too small for what is offloaded, as layouts number them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """Step time and memory of every layout, of shape (n,), and what the layouts that fail fail for.

    `tier_excess_bytes` is what is missing of the memory that is offloaded to, 0 without offload.
    """

    step_time_s: NDArray[np.float64]
    memory_bytes: NDArray[np.float64]
    tier_excess_bytes: NDArray[np.float64]
    memory_capacity_bytes: float
    rejected: dict[str, int]

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Layouts that can run; one whose time or memory is unknown does not."""
        held = (self.memory_bytes <= self.memory_capacity_bytes) & (self.tier_excess_bytes <= 0)
        return held & np.isfinite(self.step_time_s)

    def best(self) -> int | None:
        """The fastest layout that fits the memory, else the one that misses it by least.

        None where every one is unknown, or there is none.
        """
        for values in (np.where(self.fits, self.step_time_s, np.nan), self.memory_bytes):
            if not np.isnan(values).all():
                return int(np.nanargmin(values))
        return None


def computed(
    *, job: Job, hardware: Hardware, layouts: Layouts, assumptions: PerformanceAssumptions
) -> Computed:
    """Step time and memory of every layout. Works on bare values of one sample."""
    costs = layer_costs(job=job, hardware=hardware, shapes=layouts.shapes, assumptions=assumptions)
    layer = layer_memory(job=job, shapes=layouts.shapes, assumptions=assumptions)
    capacity = float(np.median(hardware.memory_bytes))
    time, needed, excess = (np.zeros(layouts.size) for _ in range(3))
    largest, small_tiers = np.zeros(len(LARGEST), dtype=np.intp), np.zeros(len(TIER_MEMORY), dtype=np.intp)
    start = 0
    for block in layouts.blocks():
        here = slice(start, start + block.size)
        share = model_share(job=job, strategy=block)
        common: dict[str, Any] = {"strategy": block, "share": share, "assumptions": assumptions}
        step = step_time_of(job=job, hardware=hardware, costs=costs, **common)
        held = memory_of(job=job, layer=layer, **common)
        time[here], needed[here] = step.step_time_s, held.memory_per_accelerator_bytes
        away = np.broadcast_to(held.offloaded_per_accelerator_bytes, block.size)
        # Nothing away needs no tier, whatever its memory; something away needs one whose memory is known.
        room = hardware.tiers.of(block.offload_tier).capacity_bytes
        excess[here] = np.where(away > 0, away - room, 0.0)
        too_much = needed[here] > capacity
        over, small = np.flatnonzero(too_much), np.flatnonzero(~too_much & (excess[here] > 0))
        parts = np.stack([np.broadcast_to(held.breakdown_bytes[name], block.size)[over] for name in LARGEST])
        largest += np.bincount(np.argmax(parts, axis=0), minlength=len(LARGEST))
        small_tiers += np.bincount(block.offload_tier[small].astype(np.intp), minlength=len(TIER_MEMORY))
        start = here.stop
    fails = (needed > capacity) | (excess > 0)
    rejected = {f"memory: {name}": int(count) for name, count in zip(LARGEST, largest, strict=True)}
    rejected |= {name: int(count) for name, count in zip(TIER_MEMORY, small_tiers, strict=True)}
    rejected["unknown figures"] = int(np.count_nonzero(~fails & np.isnan(time + needed + excess)))
    return Computed(
        step_time_s=time,
        memory_bytes=needed,
        tier_excess_bytes=excess,
        memory_capacity_bytes=capacity,
        rejected={name: count for name, count in rejected.items() if count},
    )


def layout_at(layouts: Layouts, position: int | None, inputs: dict[str, Any]) -> Layout:
    """One layout of the space, unknown without a position.

    Where inputs are traced, each field says that a search chose it.
    """
    traced = {role: value for role, value in inputs.items() if isinstance(value, Traced)}
    note = f"fastest of {layouts.size:,} layouts that fits the memory, else the one that misses it by least"
    found = None if position is None else layout_of(layouts.at(np.array([position])))
    values: dict[str, Any] = {}
    for field in dataclasses.fields(Layout):
        value = np.full(1, np.nan) if found is None else getattr(found, field.name)
        values[field.name] = traced_search(field.name, value, "1", traced, note) if traced else value
    return Layout(**values)


def layout_of(strategy: Strategy) -> Layout:
    """The layouts of a strategy without what follows from them."""
    return Layout(**{field.name: getattr(strategy, field.name) for field in dataclasses.fields(Layout)})


def central(record: Record) -> Record:
    """The same record with bare values of the median sample: what a search decides on."""
    changes = {}
    for field in dataclasses.fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        if isinstance(value, Traced | np.ndarray):
            bare = plain(value)
            changes[field.name] = np.median(bare, axis=0) if bare.ndim == 2 else bare
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            changes[field.name] = central(value)
    return dataclasses.replace(record, **changes)  # type: ignore[type-var]
