"""Every layout of a space for one job, made block by block from three short tables.

The tables: degrees with their micro-batches and virtual stages, what else a layout of that kind may choose, and
the layer shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES, RING
from app.engine.performance.degrees import Table, degree_table, placement_matters
from app.engine.performance.framework_rules import framework_rules, seen_of_degrees
from app.engine.performance.memory_tiers import DRIVES, HOST, PEER, TIERS
from app.engine.performance.rule import LAYOUT_FIELDS, Asked, job_numbers
from app.engine.performance.schedules import SCHEDULES, possible_schedules
from app.engine.performance.space import (
    ACTIVATIONS_AWAY,
    BOTH_AWAY,
    FULL,
    KEPT,
    NONE,
    SELECTIVE,
    STATES_AWAY,
    Only,
    Space,
    grid,
    held_values,
)
from app.engine.performance.strategy import LayerShapes, Strategy
from app.engine.specs import Framework, SuperNode, TrainingWorkload
from app.engine.trace import Array, median_of

BLOCK = 32_768
"""Layouts at a time: their arrays stay in the processor's cache, and memory stays flat."""
CHOICES = (
    "recompute", "sequence_parallel", "tensor_overlap", "context_exchange", "zero_stage", "data_overlap", "pipeline_inside",
    "schedule", "offload", "offload_tier",
)  # fmt: skip
SHAPE_CHOICES = CHOICES[:4]  # those that change what a layer costs
OUTER = ("tensor_parallel", "context_parallel", "expert_parallel", "expert_tensor_ranks", "micro_batch")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """Layouts with the same choices open to them: rows of the table of degrees, and those choices."""

    rows: NDArray[np.intp]
    choices: Array  # one row a choice, one column a combination
    shape: NDArray[np.intp]  # of each combination, where its choices stand among those of layer shapes


class Layouts:
    """Every layout of a space for one job, made when asked for. `size` is their number.

    `refused` counts the layouts that are possible and that the framework does not run, by the first rule that each
    breaks; they are no part of the others.

    Parameters
    ----------
    workload, supernode : bare values of one sample
    accelerators_used : of the job [1]
    space : what to look at
    framework : that is to run them; None for any
    """

    def __init__(
        self,
        *,
        workload: TrainingWorkload,
        supernode: SuperNode,
        accelerators_used: Array,
        space: Space,
        framework: Framework | None = None,
    ) -> None:
        table = self._table = degree_table(workload, supernode, accelerators_used, space)
        placed = placement_matters(table, supernode, median_of(accelerators_used))
        held = space.held
        if framework is not None:
            held = {**held, **_usual_in(framework, space.only)}
        kinds = list(_kinds(table, held, placed, _schedules(table, workload)))
        self.refused: dict[str, int] = {}
        if framework is not None:
            numbers = job_numbers(workload, accelerators_used)

            def of(rows: NDArray[np.intp], choices: Array) -> Asked:
                return Asked(**_columns(table, rows, choices), **numbers)

            kinds = [kept for kind in kinds for kept in _run_by(framework, *kind, of, self.refused)]
        used = np.unique(np.concatenate([np.empty(0, dtype=np.intp), *(rows for rows, _ in kinds)]))
        degrees = np.stack([table[name][used] for name in OUTER])
        outer, place = np.unique(degrees, axis=1, return_inverse=True)
        self._outer = np.zeros(table["micro_batch"].size, dtype=np.intp)
        self._outer[used] = place.ravel()
        of_shapes = [choices[: len(SHAPE_CHOICES)] for _, choices in kinds]
        distinct = np.unique(np.concatenate([np.empty((len(SHAPE_CHOICES), 0)), *of_shapes], axis=1), axis=1)
        self._shape_choices = distinct.shape[1]
        self.shapes = _shapes(outer, distinct)
        self._kinds = [
            _Kind(rows=rows, choices=choices, shape=_position(distinct, part))
            for (rows, choices), part in zip(kinds, of_shapes, strict=True)
        ]
        self.size: int = sum(kind.rows.size * kind.choices.shape[1] for kind in self._kinds)

    def blocks(self) -> Iterator[Strategy]:
        """All layouts in order, a block at a time."""
        for kind in self._kinds:
            step = max(BLOCK // kind.choices.shape[1], 1)
            for start in range(0, kind.rows.size, step):
                yield self._strategy(kind, np.arange(start, min(start + step, kind.rows.size)))

    def at(self, positions: NDArray[np.intp]) -> Strategy:
        """The layouts at some positions of that order."""
        parts: list[Strategy] = []
        start = 0
        place = np.empty(positions.size, dtype=np.intp)
        found = 0
        for kind in self._kinds:
            width = kind.choices.shape[1]
            end = start + kind.rows.size * width
            mine = np.flatnonzero((positions >= start) & (positions < end))
            if mine.size:
                row, choice = np.divmod(positions[mine] - start, width)
                parts.append(self._combined(kind.rows[row], kind.choices[:, choice], kind.shape[choice]))
                place[mine] = np.arange(found, found + mine.size)
                found += mine.size
            start = end
        joined = {
            name.name: np.concatenate([getattr(part, name.name) for part in parts])[place]
            for name in fields(Strategy)
            if name.name != "shapes"
        }
        return Strategy(shapes=self.shapes, **joined)

    def grouped(self, names: tuple[str, ...]) -> tuple[Array, NDArray[np.intp]]:
        """The distinct combinations of some degrees, one column each, and which of them each layout has."""
        distinct, group = np.unique(
            np.stack([self._table[name] for name in names]), axis=1, return_inverse=True
        )
        group = group.ravel()
        parts = [np.repeat(group[kind.rows], kind.choices.shape[1]) for kind in self._kinds]
        return distinct, np.concatenate([np.empty(0, dtype=np.intp), *parts])

    def _strategy(self, kind: _Kind, rows: NDArray[np.intp]) -> Strategy:
        width = kind.choices.shape[1]
        return self._combined(
            np.repeat(kind.rows[rows], width),
            np.tile(kind.choices, rows.size),
            np.tile(kind.shape, rows.size),
        )

    def _combined(self, row: NDArray[np.intp], choices: Array, shape: NDArray[np.intp]) -> Strategy:
        return Strategy(
            **{name: values[row] for name, values in self._table.items()},
            **_chosen(choices),
            # Frameworks keep weights gathered in a pipeline, where each stage needs them for every micro-batch.
            reshard=np.where(self._table["pipeline_parallel"][row] > 1, 0.0, 1.0),
            shapes=self.shapes,
            shape_index=self._outer[row] * self._shape_choices + shape,
        )


def _usual_in(framework: Framework, asked: Only) -> Only:
    """Default values of axes under a framework, unless the space states others."""
    usual: dict[str, tuple[float, ...]] = {}
    if not framework.sequence_parallel:
        usual["sequence_parallel"] = (0.0,)
    if framework.context_parallel and "context_exchange" not in asked:
        words = {word: code for code, word in CONTEXT_EXCHANGES.items()}
        usual["context_exchange"] = (words[framework.context_parallel[0]],)
    return usual


def _schedules(table: Table, workload: TrainingWorkload) -> NDArray[np.bool_]:
    """Which schedules each row can have, one row a schedule."""
    sequences = median_of(workload.global_batch_sequences) / table["data_parallel"]
    return possible_schedules(
        pipeline_parallel=table["pipeline_parallel"],
        virtual_stages=table["virtual_stages"],
        expert_parallel=table["expert_parallel"],
        micro_batches=np.ceil(sequences / table["micro_batch"]),
    )


def _chosen(choices: Array) -> dict[str, Array]:
    """The fields of a layout that combinations of choices stand for."""
    chosen = dict(zip(CHOICES, choices, strict=True))
    again, away = chosen.pop("recompute"), chosen.pop("offload")
    return chosen | {
        "optimizer_offload": np.where((away == STATES_AWAY) | (away == BOTH_AWAY), 1.0, 0.0),
        "activation_offload": np.where(away >= ACTIVATIONS_AWAY, 1.0, 0.0),
        "recompute": np.where(again == FULL, 1.0, 0.0),
        "selective_recompute": np.where(again == SELECTIVE, 1.0, 0.0),
    }


def _columns(table: Table, rows: NDArray[np.intp], choices: Array) -> dict[str, Any]:
    """What rules look at: degrees along the first axis, choices along the second."""
    columns: dict[str, Any] = {name: values[None, :] for name, values in _chosen(choices).items()}
    columns |= {name: values[rows][:, None] for name, values in table.items()}
    return {name: columns[name] for name in LAYOUT_FIELDS}


def _run_by(
    framework: Framework,
    rows: NDArray[np.intp],
    choices: Array,
    of: Callable[[NDArray[np.intp], Array], Asked],
    refused: dict[str, int],
) -> Iterator[tuple[NDArray[np.intp], Array]]:
    """The part of a kind that a framework runs, in kinds of rows that may choose the same; `refused` takes the rest.

    Rules of choices are asked once for rows that are alike to them.
    """
    rules = framework_rules(framework)

    def left(layouts: Asked, by_degrees: bool, shape: tuple[int, int], each: int) -> NDArray[np.bool_]:
        """What no rule of a kind refuses; every refusal stands for `each` layouts."""
        kept = np.ones(shape, dtype=bool)
        for rule in rules:
            if rule.by_degrees == by_degrees:
                broken = kept & ~np.broadcast_to(rule.holds(layouts), shape)
                if count := int(np.count_nonzero(broken)) * each:
                    refused[rule.name] = refused.get(rule.name, 0) + count
                    kept &= ~broken
        return kept.ravel()

    split = of(rows, choices[:, :1])
    able = left(split, True, (rows.size, 1), choices.shape[1])
    alike = np.stack(
        [np.broadcast_to(one, (rows.size, 1))[able, 0] for one in seen_of_degrees(split, framework)]
    )
    rows = rows[able]
    _, first, member = np.unique(alike, axis=1, return_index=True, return_inverse=True)
    for position, one in enumerate(first):
        mine = rows[member.ravel() == position]
        kept = left(of(rows[[one]], choices), False, (1, choices.shape[1]), mine.size)
        if kept.any():
            yield mine, choices[:, kept]


SEARCHED_TIERS = (HOST, PEER, DRIVES)
"""Tiers that a search goes through unasked: few SuperNodes have a pool, so that it is one to ask for."""


def _kinds(
    table: Table, only: Only, far: NDArray[np.bool_], schedules: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.intp], Array]]:
    """Rows by which choices are open to them; where nothing is split or repeated there is no choice."""
    open_rows = np.stack(
        [
            table["tensor_parallel"] > 1,
            table["data_parallel"] * table["context_parallel"] > 1,
            far,
            table["shard_ranks"] > 0,
            table["context_parallel"] > 1,
            *schedules,
        ]
    )
    # One number for what is open to a row: quicker to sort than columns.
    numbers = (1 << np.arange(len(open_rows))) @ open_rows
    _, first, kind = np.unique(numbers, return_index=True, return_inverse=True)
    rows_of: dict[tuple[tuple[float, ...], ...], list[int]] = {}
    for number, (tensor, replicated, placed, group, shared, *runs) in enumerate(open_rows[:, first].T):
        open_to = {
            "recompute": (NONE, SELECTIVE, FULL),
            "sequence_parallel": (0.0, 1.0) if tensor else (0.0,),
            "tensor_overlap": (0.0, 1.0) if tensor else (1.0,),
            "context_exchange": tuple(CONTEXT_EXCHANGES) if shared else (RING,),
            "zero_stage": ((1.0, 2.0, 3.0) if group else (0.0, 1.0, 2.0, 3.0)) if replicated else (1.0,),
            "data_overlap": (0.0, 1.0) if replicated else (1.0,),
            "pipeline_inside": (0.0, 1.0) if placed else (0.0,),
            "schedule": held_values(
                only, "schedule", [code for code, can in zip(SCHEDULES, runs, strict=True) if can]
            ),
            "offload": (KEPT, STATES_AWAY, ACTIVATIONS_AWAY, BOTH_AWAY),
            "offload_tier": held_values(only, "offload_tier", TIERS)
            if "offload_tier" in only
            else SEARCHED_TIERS,
        }
        axes = [
            held_values(only, name, values) if len(values) > 1 else values for name, values in open_to.items()
        ]
        if all(len(axis) for axis in axes):
            rows_of.setdefault(tuple(map(tuple, axes)), []).append(number)
    # Held axes leave the same choices to many: together they make few large blocks.
    for alike, members in rows_of.items():
        rows = np.flatnonzero(np.isin(kind, members))
        yield rows, _one_tier_of_nothing(grid(list(alike)))


def _one_tier_of_nothing(choices: Array) -> Array:
    """What is not offloaded goes to no tier: combinations that differ in nothing else are one."""
    kept = choices[CHOICES.index("offload")] == KEPT
    tier = CHOICES.index("offload_tier")
    if np.all(choices[tier] == HOST):
        return choices
    choices[tier] = np.where(kept, HOST, choices[tier])
    _, first = np.unique(choices, axis=1, return_index=True)
    return choices[:, np.sort(first)]


def _shapes(outer: Array, choices: Array) -> LayerShapes:
    tp, cp, ep, expert_tensor, micro_batch = np.repeat(outer, choices.shape[1], axis=1)
    again, in_sequence, overlap, way = np.tile(choices, outer.shape[1])
    return LayerShapes(
        tensor_parallel=tp,
        context_parallel=cp,
        expert_parallel=ep,
        expert_tensor_ranks=expert_tensor,
        micro_batch=micro_batch,
        sequence_parallel=in_sequence,
        recompute=np.where(again == FULL, 1.0, 0.0),
        selective_recompute=np.where(again == SELECTIVE, 1.0, 0.0),
        tensor_overlap=overlap,
        context_exchange=way,
    )


def _position(table: Array, columns: Array) -> NDArray[np.intp]:
    """Where each column stands in a table of columns that has it."""
    same = (table[:, :, None] == columns[:, None, :]).all(axis=0)
    found: NDArray[np.intp] = np.argmax(same, axis=0)
    return found
