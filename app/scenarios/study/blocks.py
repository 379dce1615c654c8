"""Designs of one system, network and format over numbers of SuperNodes and places, evaluated by one process.

A layout is searched for once for each number of SuperNodes; designs that differ in numbers alone are then
evaluated at once, at each place. Everything that a block needs is in it: no database and no catalog.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.design import at_same_speed, evaluate_sections
from app.engine.evaluation import Sections
from app.engine.explore.alike import alike, sample_of
from app.engine.explore.layout_search import fastest_layout
from app.engine.explore.limits import IN_ORDER, limits_of_fabric, limits_of_pods
from app.engine.leaves import leaves, plain_values
from app.engine.performance.space import USUAL
from app.engine.specs import Design, TrainingWorkload
from app.engine.trace import Array, first_of
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.layout import layout_document
from app.scenarios.evaluation.intervals import intervals_of, with_failures
from app.scenarios.resolve import Resolved

OUTPUTS = (
    "performance.elapsed_time_s",
    "performance.mfu",
    "performance.ttft_within_s",
    "performance.tpot_within_s",
    "performance.tokens_per_s",
    "reliability.ettr",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_run",
    "cost.usd_per_run_rented_reserved",
    "cost.usd_per_run_rented_on_demand",
    "power.utility_peak_w",
    "power.racks",
    "cooling.pue",
    "cooling.water_m3_per_year",
    "carbon.total_kg",
)
"""Places of the evaluation that a study ranks and holds against its limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """Changes of a place to a design: its facility and economics, and those of the place that they
    replace."""

    facility: Any
    economics: Any
    base_economics: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyChunk:
    """Pods of one hardware.

    Parameters
    ----------
    designs : of each number of SuperNodes, under every framework that may run it
    resolved : one of these pods with the origins of its numbers, which intervals follow from; None of what is
        served
    calibration : own runs of the workload, which intervals follow from as well
    """

    group: int
    counts: tuple[int, ...]
    designs: tuple[tuple[Design, ...], ...]
    overlays: tuple[Overlay, ...]
    resolved: Resolved | None
    calibration: CalibrationDocument | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyBlock:
    """Figures of a chunk: `values` of shape (places, outputs, counts), `broken` of shape (places, counts).

    Parameters
    ----------
    broken : 0 where the design is feasible, else the place in `IN_ORDER`, from 1, of the first limit that it
        breaks
    time_ends : of shape (2, counts): P10 and P90 of the time to finish over the time itself; NaN without
        comparable runs
    layouts : of each count, as of the scenario; empty where none runs
    searched : layouts that were computed
    """

    group: int
    counts: tuple[int, ...]
    values: Array
    broken: NDArray[np.uint8]
    time_ends: Array
    layouts: tuple[dict[str, Any], ...]
    searched: int


def computed_study_block(chunk: StudyChunk) -> StudyBlock:
    """Every pod of a chunk at every place."""
    chosen, searched = [], 0
    for designs in chunk.designs:
        design, looked_at = with_fastest_layout(designs)
        chosen.append(design)
        searched += looked_at
    shape = (len(chunk.overlays), len(OUTPUTS), len(chunk.counts))
    values = np.full(shape, np.nan)
    broken = np.zeros((shape[0], shape[2]), dtype=np.uint8)
    sections: list[Sections | None] = [None] * len(chunk.counts)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        for members, together in _together(chunk.counts, chosen):
            whole = evaluate_sections(together)
            for sample, member in enumerate(members):
                sections[member] = whole if len(members) == 1 else sample_of(whole, sample, len(members))
            for place, overlay in enumerate(chunk.overlays):
                moved = placed(together, overlay)
                found = at_same_speed(moved, whole)
                known = dict(leaves(found))
                for row, path in enumerate(OUTPUTS):
                    values[place, row, members] = _column(known.get(path), len(members))
                broken[place, members] = first_broken(limits_of_pods(moved, found), len(members))
    for member, (design, own) in enumerate(zip(chosen, sections, strict=True)):
        assert own is not None, "every design is in a group"
        first = first_broken(limits_of_fabric(design, own), 1)[0]
        if first:
            broken[:, member] = first
    return StudyBlock(
        group=chunk.group,
        counts=chunk.counts,
        values=values,
        broken=broken,
        time_ends=_time_ends(chunk, chosen, sections),
        layouts=tuple(_layout(one) for one in sections),
        searched=searched,
    )


def _together(counts: Sequence[int], designs: Sequence[Design]) -> Iterator[tuple[list[int], Design]]:
    """Groups of pods that are evaluated at once. One SuperNode alone has no fabric, whatever is stated."""
    for members in (
        [place for place, count in enumerate(counts) if count == 1],
        [place for place, count in enumerate(counts) if count > 1],
    ):
        for group, together in alike([designs[place] for place in members]):
            yield [members[place] for place in group], together


def first_broken(flags: Mapping[str, NDArray[np.bool_]], count: int) -> NDArray[np.uint8]:
    """Of each design the place in `IN_ORDER`, from 1, of the first limit that it breaks; 0 where it breaks
    none."""
    found = np.zeros(count, dtype=np.uint8)
    for name in reversed(IN_ORDER):  # the first that is named is written last
        if name in flags:
            found[np.broadcast_to(np.ravel(flags[name]), count)] = IN_ORDER.index(name) + 1
    return found


def _time_ends(chunk: StudyChunk, designs: Sequence[Design], sections: Sequence[Sections | None]) -> Array:
    ends = np.full((2, len(designs)), np.nan)
    if chunk.resolved is None:
        return ends
    for place, (design, found) in enumerate(zip(designs, sections, strict=True)):
        if found is None or not isinstance(design.workload, TrainingWorkload):
            continue
        framework = {"framework": design.framework.key} if design.framework is not None else {}
        resolved = replace(chunk.resolved, design=design, context=dict(chunk.resolved.context) | framework)
        known = with_failures(intervals_of(resolved, found, chunk.calibration), resolved, found)
        bounds, time_s = known.speed.elapsed_time_s, first_of(found.performance.elapsed_time_s)
        if bounds.low is not None and bounds.high is not None and time_s > 0:
            ends[:, place] = bounds.low / time_s, bounds.high / time_s
    return ends


def with_fastest_layout(designs: Sequence[Design]) -> tuple[Design, int]:
    """The design with the fastest layout of all frameworks, and how many were looked at."""
    first = designs[0]
    if first.layout is not None or not isinstance(first.workload, TrainingWorkload):
        return first, 1
    found = fastest_layout(first, USUAL, designs[1:])
    return next(iter(found.designs_at(found.best(1))), first), found.strategies


def placed(design: Design, overlay: Overlay) -> Design:
    """A design at another place: its facility, and what the place changes of its economics."""
    economics = _overlaid(design.economics, overlay.economics, overlay.base_economics)
    return replace(design, facility=overlay.facility, economics=economics)


def _overlaid(own: Any, moved: Any, base: Any) -> Any:
    """`own` with what `moved` has otherwise than `base`."""
    if moved is base or _same(moved, base):
        return own
    if dataclasses.is_dataclass(own) and not isinstance(own, type) and type(own) is type(moved) is type(base):
        return replace(
            own,
            **{
                one.name: _overlaid(getattr(own, one.name), getattr(moved, one.name), getattr(base, one.name))
                for one in dataclasses.fields(own)
            },
        )
    return moved


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a design are equal; unknown numbers are."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        if one.shape != other.shape or one.dtype != other.dtype:
            return False
        # most values have equal bytes; others are still equal where 0 and -0, or two kinds of NaN, are compared
        return one.tobytes() == other.tobytes() or bool(
            np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        )
    if type(one) is not type(other):
        return False
    if dataclasses.is_dataclass(one) and not isinstance(one, type):
        return all(_same(getattr(one, name), getattr(other, name)) for name in _names(type(one)))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


@functools.cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(part.name for part in dataclasses.fields(kind))


def same_but_size(one: Design, other: Design) -> bool:
    """Whether two pods differ in how many SuperNodes they have and in nothing else."""
    pod = replace(other.pod, supernodes=one.pod.supernodes, accelerators_used=one.pod.accelerators_used)
    return _same(one, replace(other, name=one.name, pod=pod))


def of_size(design: Design, count: int) -> Design:
    """The design with another number of SuperNodes, every one at work as now."""
    counts = np.full(1, float(count))
    each = design.pod.accelerators_used / design.pod.supernodes
    return replace(design, pod=replace(design.pod, supernodes=counts, accelerators_used=counts * each))


def _column(figure: Array | None, rows: int) -> Array:
    if figure is None:
        return np.full(rows, np.nan)
    column: Array = np.broadcast_to(np.ravel(figure), rows).astype(float)
    return column


def _layout(sections: Sections | None) -> dict[str, Any]:
    if sections is None:
        return {}
    strategy = getattr(sections.performance, "strategy", None)
    return {} if strategy is None else layout_document(plain_values(strategy, "performance.strategy"))
