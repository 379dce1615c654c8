"""The best layout of a set: the fastest that fits, found with the one step-time function."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.performance.memory import memory
from app.engine.performance.step_time import Job, step_time
from app.engine.performance.strategy import Strategy, take
from app.engine.specs import Layout
from app.engine.trace import Traced, plain, traced_search

BLOCK = 65_536  # layouts at a time: memory stays flat whatever the number of candidates
Record = TypeVar("Record")


def best_layout(
    *, job: Job, hardware: Hardware, strategy: Strategy, assumptions: PerformanceAssumptions
) -> int | None:
    """Position of the fastest layout that fits the memory, else of the one that misses it by least.

    Works on bare values of one sample. A layout whose time or memory is unknown loses; None where
    every one is unknown, or there is none.
    """
    times, excess = [np.empty(0)], [np.empty(0)]
    for start in range(0, strategy.size, BLOCK):
        block = take(strategy, slice(start, start + BLOCK))
        time = step_time(job=job, hardware=hardware, strategy=block, assumptions=assumptions).step_time_s
        held = memory(workload=job.workload, counts=job.counts, strategy=block, assumptions=assumptions)
        times.append(np.broadcast_to(time, block.size))
        missing = held.memory_per_accelerator_bytes - hardware.memory_bytes
        excess.append(np.broadcast_to(missing, block.size))
    time, missing = np.concatenate(times), np.concatenate(excess)
    fitting = np.where(missing <= 0, time, np.nan)
    for values in (fitting, missing):
        if not np.isnan(values).all():
            return int(np.nanargmin(values))
    return None


def layout_at(strategy: Strategy, position: int | None, inputs: dict[str, Any]) -> Layout:
    """One layout of a strategy, unknown without a position.

    Where inputs are traced, each field says that a search chose it.
    """
    traced = {role: value for role, value in inputs.items() if isinstance(value, Traced)}
    note = f"fastest of {strategy.size:,} layouts that fits the memory, else the one that misses it by least"
    values: dict[str, Any] = {}
    for field in dataclasses.fields(Layout):
        column = getattr(strategy, field.name)
        value = np.full(1, np.nan) if position is None else column[position : position + 1]
        values[field.name] = traced_search(field.name, value, "1", traced, note) if traced else value
    return Layout(**values)


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
