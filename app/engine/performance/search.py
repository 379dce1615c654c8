"""Every layout of a space, computed: the simplest of the fastest that fit, and why the others do not.

Layouts are computed block by block with the one step-time function; layer costs once a layer shape.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.kinds import Machine, at_position, position_of_largest
from app.engine.performance.layer_costs import LayerCosts, layer_costs
from app.engine.performance.layouts import BLOCK, Layouts
from app.engine.performance.memory import LayerMemory, layer_memory, memory_of
from app.engine.performance.model_share import ModelShare, model_share
from app.engine.performance.simplicity import TIE, simplest_first
from app.engine.performance.step_time import step_time_of
from app.engine.performance.strategy import Strategy
from app.engine.specs import Layout
from app.engine.trace import Traced, median_of, plain, traced_search

Record = TypeVar("Record")
LARGEST = ("weights", "gradients", "optimizer", "activations", "logits", "buffers", "reserved")
"""Parts of the memory; a layout that does not fit is counted under the largest."""
FIRST_EXCHANGED = 1_024
"""Layouts, fastest without exchange first, whose exchange is computed at a time."""
TIER_MEMORY = ("host memory", "memory of other accelerators", "NVMe drives")
"""Tiers that may be too small for what is offloaded, as layouts number them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """Step time and memory of every layout, of shape (n,), and what the layouts that fail fail for.

    `tier_excess_bytes` is what is missing of the memory that is offloaded to, 0 without offload. `margin` is the share
    of the memory that stays free for what the memory model errs by; 0 where no layout leaves that much.
    """

    step_time_s: NDArray[np.float64]
    memory_bytes: NDArray[np.float64]
    tier_excess_bytes: NDArray[np.float64]
    memory_capacity_bytes: (
        float | NDArray[np.float64]
    )  # of each layout's fullest kind where there are several
    margin: float
    rejected: dict[str, int]

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Layouts that can run; one whose time or memory is unknown does not."""
        limit = self.memory_capacity_bytes * (1 - self.margin)
        held = (self.memory_bytes <= limit) & (self.tier_excess_bytes <= 0)
        return held & np.isfinite(self.step_time_s)

    def best(self, layouts: Layouts) -> int | None:
        """The simplest of the layouts that fit the memory and tie with the fastest, else the one that misses it by least.

        None where every one is unknown, or there is none. `layouts` are those that are computed.
        """
        fit = np.flatnonzero(self.fits)
        if not fit.size:
            return self.nearest()
        tied = fit[self.step_time_s[fit] <= (1 + TIE) * self.step_time_s[fit].min()]
        tied = tied[np.argsort(self.step_time_s[tied], kind="stable")]
        return int(tied[simplest_first(layouts.at(tied))[0]])

    def nearest(self) -> int | None:
        """The layout that misses the memory by least."""
        # Several kinds of machine differ in their memory: what counts is what is missing.
        if not self.step_time_s.size:
            return None
        missing = self.memory_bytes - (self.memory_capacity_bytes - np.min(self.memory_capacity_bytes))
        return None if np.isnan(missing).all() else int(np.nanargmin(missing))


def computed(
    *, job: Job, hardware: Hardware, layouts: Layouts, assumptions: PerformanceAssumptions
) -> Computed:
    """Step time and memory of every layout on one kind of machine. Works on bare values of one sample."""
    machine = Machine(name="", hardware=hardware, assumptions=assumptions)
    return computed_on(job=job, machines=(machine,), layouts=layouts)


def computed_on(*, job: Job, machines: tuple[Machine, ...], layouts: Layouts) -> Computed:
    """Step time and memory of every layout on the slowest and the fullest of some kinds of machine."""
    prepared = [_prepared(job, machine, layouts) for machine in machines]
    least = float(np.min([one.capacity_bytes for one in prepared]))
    time, needed, excess = (np.zeros(layouts.size) for _ in range(3))
    capacity = np.full(layouts.size, least) if len(prepared) > 1 else None
    margin = max(median_of(machine.assumptions.memory_margin) for machine in machines)
    # With the margin, and with all of the memory for the case that nothing leaves it.
    margins = (margin, 0.0)
    largest = np.zeros((len(margins), len(LARGEST)), dtype=np.intp)
    small_tiers = np.zeros((len(margins), len(TIER_MEMORY)), dtype=np.intp)
    start = 0
    for block in layouts.blocks():
        here = slice(start, start + block.size)
        share = model_share(job=job, strategy=block)
        each = [_on_machine(job, one, block, share) for one in prepared]
        found = each[0] if len(each) == 1 else _together(each, block.size)
        time[here], needed[here], excess[here] = found.step_time_s, found.needed_bytes, found.excess_bytes
        if capacity is not None:
            capacity[here] = found.capacity_bytes
        beyond = [needed[here] > found.capacity_bytes * (1 - left) for left in margins]
        over = np.flatnonzero(beyond[0])
        parts = np.argmax(
            np.stack([np.broadcast_to(found.parts_bytes[name], block.size)[over] for name in LARGEST]), axis=0
        )
        away = np.flatnonzero(excess[here] > 0)
        for row, too_much in enumerate(beyond):
            small = block.offload_tier[away[~too_much[away]]].astype(np.intp)
            largest[row] += np.bincount(parts[too_much[over]], minlength=len(LARGEST))
            small_tiers[row] += np.bincount(small, minlength=len(TIER_MEMORY))
        start = here.stop
    limit: float | NDArray[np.float64] = least if capacity is None else capacity
    row = 0 if np.any((needed <= limit * (1 - margin)) & (excess <= 0) & np.isfinite(time)) else 1
    fails = (needed > limit * (1 - margins[row])) | (excess > 0)
    rejected = {f"memory: {name}": int(count) for name, count in zip(LARGEST, largest[row], strict=True)}
    rejected |= {name: int(count) for name, count in zip(TIER_MEMORY, small_tiers[row], strict=True)}
    rejected["unknown figures"] = int(np.count_nonzero(~fails & np.isnan(time + needed + excess)))
    return Computed(
        step_time_s=time,
        memory_bytes=needed,
        tier_excess_bytes=excess,
        memory_capacity_bytes=limit,
        margin=margins[row],
        rejected={name: count for name, count in rejected.items() if count},
    )


def fastest_on(
    *, job: Job, machine: Machine, layouts: Layouts, within_s: float = np.inf
) -> tuple[Computed, float]:
    """The fastest layouts on one kind of machine; `rejected` is left out.

    The time without the exchange of replicas is computed for every layout, and the exchange only for those
    that could tie with the fastest. All others get an infinite step time.

    Parameters
    ----------
    within_s : step time of a known layout that leaves the margin of memory: slower ones are not computed

    Returns
    -------
    Of every layout, and the least step time of those that leave the margin; infinite without one.
    """
    prepared = _prepared(job, machine, layouts)
    margin = median_of(machine.assumptions.memory_margin)
    time, needed, excess = (np.zeros(layouts.size) for _ in range(3))
    for start in range(0, layouts.size, BLOCK):
        here = slice(start, min(start + BLOCK, layouts.size))
        block = layouts.at(np.arange(here.start, here.stop))
        found = _on_machine(job, prepared, block, model_share(job=job, strategy=block), exchange=False)
        time[here], needed[here], excess[here] = found.step_time_s, found.needed_bytes, found.excess_bytes
    held = excess <= 0
    exact, best = np.full(layouts.size, np.inf), within_s
    for left in (margin, 0.0):
        fits = held & (needed <= prepared.capacity_bytes * (1 - left)) & np.isfinite(time)
        order = np.flatnonzero(fits)
        order = order[np.argsort(time[order], kind="stable")]
        for start in range(0, order.size, FIRST_EXCHANGED):
            part = order[start : start + FIRST_EXCHANGED]
            if time[part[0]] > best * (1 + TIE):
                break
            block = layouts.at(part)
            found = _on_machine(job, prepared, block, model_share(job=job, strategy=block))
            exact[part] = np.broadcast_to(found.step_time_s, part.size)
            best = float(np.nanmin(np.append(exact[part], best)))
        if np.isfinite(best):
            break
    leaves_margin = left == margin
    computed = Computed(
        step_time_s=exact,
        memory_bytes=needed,
        tier_excess_bytes=excess,
        memory_capacity_bytes=prepared.capacity_bytes,
        margin=margin if leaves_margin else 0.0,
        rejected={},
    )
    return computed, best if leaves_margin else np.inf


class _Prepared(NamedTuple):
    """A kind of machine with its costs by layer shape, which a search computes once."""

    machine: Machine
    costs: LayerCosts
    layer: LayerMemory
    capacity_bytes: float


class _Block(NamedTuple):
    """Layouts of one block on a kind of machine."""

    step_time_s: NDArray[np.float64]
    needed_bytes: NDArray[np.float64]
    capacity_bytes: float | NDArray[np.float64]
    excess_bytes: NDArray[np.float64]
    parts_bytes: dict[str, NDArray[np.float64]]


def _prepared(job: Job, machine: Machine, layouts: Layouts) -> _Prepared:
    hardware, assumptions = machine.hardware, machine.assumptions
    return _Prepared(
        machine=machine,
        costs=layer_costs(job=job, hardware=hardware, shapes=layouts.shapes, assumptions=assumptions),
        layer=layer_memory(job=job, shapes=layouts.shapes, assumptions=assumptions),
        capacity_bytes=float(np.median(hardware.memory_bytes)),
    )


def _on_machine(
    job: Job, prepared: _Prepared, block: Strategy, share: ModelShare, *, exchange: bool = True
) -> _Block:
    machine, costs, layer, capacity = prepared
    common: dict[str, Any] = {"strategy": block, "share": share, "assumptions": machine.assumptions}
    step = step_time_of(job=job, hardware=machine.hardware, costs=costs, replicas_exchange=exchange, **common)
    held = memory_of(job=job, layer=layer, **common)
    away = np.broadcast_to(held.offloaded_per_accelerator_bytes, block.size)
    # Nothing away needs no tier, whatever its memory; something away needs one whose memory is known.
    room = machine.hardware.tiers.of(block.offload_tier).capacity_bytes
    return _Block(
        step_time_s=step.step_time_s,
        needed_bytes=held.memory_per_accelerator_bytes,
        capacity_bytes=capacity,
        excess_bytes=np.where(away > 0, away - room, 0.0),
        parts_bytes=held.breakdown_bytes,
    )


def _together(each: list[_Block], size: int) -> _Block:
    """In lock step: the slowest kind's time, and the memory of the kind that has least room left."""
    times = tuple(np.broadcast_to(one.step_time_s, size) for one in each)
    fullest = position_of_largest(values=tuple(one.needed_bytes - one.capacity_bytes for one in each))

    def of_fullest(values: list[Any]) -> NDArray[np.float64]:
        return at_position(tuple(np.broadcast_to(value, size) for value in values), fullest)

    return _Block(
        step_time_s=at_position(times, position_of_largest(values=times)),
        needed_bytes=of_fullest([one.needed_bytes for one in each]),
        capacity_bytes=of_fullest([one.capacity_bytes for one in each]),
        excess_bytes=functools.reduce(np.maximum, [one.excess_bytes for one in each]),
        parts_bytes={name: of_fullest([one.parts_bytes[name] for one in each]) for name in LARGEST},
    )


def layout_at(layouts: Layouts, position: int | None, inputs: dict[str, Any]) -> Layout:
    """One layout of the space, unknown without a position.

    Where inputs are traced, each field says that a search chose it.
    """
    traced = {role: value for role, value in inputs.items() if isinstance(value, Traced)}
    note = (
        f"simplest within {TIE:.1%} of the fastest of {layouts.size:,} layouts that fits the memory, else the one "
        "that misses it by least"
    )
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
    changes = {
        field.name: _central(getattr(record, field.name))
        for field in dataclasses.fields(record)  # type: ignore[arg-type]
    }
    return dataclasses.replace(record, **changes)  # type: ignore[type-var]


def _central(value: Any) -> Any:
    if isinstance(value, Traced | np.ndarray):
        bare = plain(value)
        if bare.ndim == 2:
            return bare[0] if len(bare) == 1 else np.median(bare, axis=0)
        return bare
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return central(value)
    if isinstance(value, tuple):
        return tuple(_central(item) for item in value)
    return value
