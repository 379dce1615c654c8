"""The space of parallel layouts: what each axis may be, and every layout that they make together.

A layout of the space divides the accelerators, the batch, the sequence and the experts; whether it fits the
memory is found by computing it. Layouts are made block by block from three short tables: degrees with their
micro-batches and virtual stages, what else a layout of that kind may choose, and the layer shapes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.strategy import LayerShapes, Strategy
from app.engine.specs import SuperNode, TrainingWorkload
from app.engine.trace import Array

BLOCK = 32_768
"""Layouts at a time: their arrays stay in the processor's cache, and memory stays flat."""
NONE, SELECTIVE, FULL = 0.0, 1.0, 2.0  # recomputation
KEPT, STATES_AWAY, ACTIVATIONS_AWAY, BOTH_AWAY = 0.0, 1.0, 2.0, 3.0  # offload to the host
DEGREES = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel", "data_parallel")
CHOICES = (
    "recompute", "sequence_parallel", "tensor_overlap", "zero_stage", "data_overlap", "pipeline_inside",
    "zero_bubble", "offload",
)  # fmt: skip
SHAPE_CHOICES = CHOICES[:3]  # those that change what a layer costs
OUTER = ("tensor_parallel", "context_parallel", "expert_parallel", "micro_batch")

Only = Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Which layouts are looked at.

    `only` holds the values that an axis may take, by its name in `Strategy`; an axis that is not named takes
    every value that is possible, from divisors of the accelerators, the batch, the sequence and the experts.
    """

    shortest_chunk_tokens: float = 1024.0  # share of a sequence below which it is not split
    tensor_in_domain: bool = False  # no tensor-parallel group leaves the scale-up domain
    only: Only = field(default_factory=dict)


WHOLE = Space()
"""Every layout. Zero-bubble schedules and offload to the host are looked at only where they are asked for: few
frameworks have the one, and the other is slower wherever a layout fits without."""

USUAL = Space(
    shortest_chunk_tokens=4096.0,
    tensor_in_domain=True,
    only={
        "tensor_parallel": (1, 2, 4, 8, 16, 32, 64),
        "pipeline_parallel": (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64),
        "context_parallel": (1, 2, 4, 8, 16),
        "expert_parallel": (1, 2, 4, 8, 16, 32, 64),
        "micro_batch": (1, 2, 4, 8),
        "virtual_stages": (1, 2, 4, 8),
        "sequence_parallel": (1,),
        "tensor_overlap": (1,),
        "data_overlap": (1,),
        "zero_stage": (1, 2, 3),
    },
)
"""What `parallelism: auto` looks through: degrees in use, without choices that cost speed for nothing."""

NOT_ASKED: Only = {"zero_bubble": (0.0,), "offload": (0.0,)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """Layouts with the same choices open to them: rows of the table of degrees, and those choices."""

    rows: NDArray[np.intp]
    choices: Array  # one row a choice, one column a combination
    shape: NDArray[np.intp]  # of each combination, where its choices stand among those of layer shapes


class Layouts:
    """Every layout of a space for one job, made when asked for. `size` is their number.

    Parameters
    ----------
    workload, supernode : bare values of one sample
    accelerators_used : of the job [1]
    space : what to look at
    """

    def __init__(
        self, *, workload: TrainingWorkload, supernode: SuperNode, accelerators_used: Array, space: Space
    ) -> None:
        only = {**NOT_ASKED, **space.only}
        table = _degrees(workload, supernode, _value(accelerators_used), space, only)
        table = _expanded(table, workload, only)
        self._table = table
        outer, self._outer = np.unique(np.stack([table[name] for name in OUTER]), axis=1, return_inverse=True)
        kinds = list(_kinds(table, only, _far(table, supernode, _value(accelerators_used))))
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
        chosen = dict(zip(CHOICES, choices, strict=True))
        again, away = chosen.pop("recompute"), chosen.pop("offload")
        return Strategy(
            **{name: values[row] for name, values in self._table.items()},
            **chosen,
            shard_ranks=np.zeros(row.size),
            optimizer_offload=np.where((away == STATES_AWAY) | (away == BOTH_AWAY), 1.0, 0.0),
            activation_offload=np.where(away >= ACTIVATIONS_AWAY, 1.0, 0.0),
            recompute=np.where(again == FULL, 1.0, 0.0),
            selective_recompute=np.where(again == SELECTIVE, 1.0, 0.0),
            shapes=self.shapes,
            shape_index=self._outer[row] * self._shape_choices + shape,
        )


def _degrees(
    workload: TrainingWorkload, supernode: SuperNode, used: float, space: Space, only: Only
) -> dict[str, Array]:
    """Tensor, pipeline, context, expert and data parallel degrees that divide what they split."""
    m = workload.architecture
    heads, layers, experts = _value(m.heads), _value(m.layers), _value(m.experts)
    kv_heads = heads if m.attention == "mla" else _value(m.kv_heads)
    sequence, batch = _value(workload.sequence_length), _value(workload.global_batch_sequences)
    whole = divisors(used)
    tensor = whole[(heads % whole == 0) & ((kv_heads % whole == 0) | (whole % kv_heads == 0))]
    if space.tensor_in_domain:
        tensor = tensor[tensor <= _value(supernode.scale_up_domain_accelerators)]
    pipeline = whole[whole <= layers]
    chunk = sequence / whole
    context = whole[(chunk == np.floor(chunk)) & ((chunk >= space.shortest_chunk_tokens) | (whole == 1))]
    expert = divisors(experts) if experts else np.ones(1)
    axes = {
        name: _allowed(only, name, values)
        for name, values in zip(DEGREES, (tensor, pipeline, context, expert), strict=False)
    }
    tp, pp, cp, ep = _grid(list(axes.values()))
    dp = used / (tp * pp * cp)
    possible = (
        (dp == np.floor(dp))
        & (batch % np.maximum(dp, 1) == 0)
        & (np.where(ep > 1, dp * cp * tp % ep, 0) == 0)
    )
    return dict(zip(DEGREES, (column[possible] for column in (tp, pp, cp, ep, dp)), strict=True))


def _expanded(table: dict[str, Array], workload: TrainingWorkload, only: Only) -> dict[str, Array]:
    """Each row with every micro-batch that divides a replica's sequences and every number of virtual stages."""
    layers, batch = _value(workload.architecture.layers), _value(workload.global_batch_sequences)
    micro_batches = _allowed(only, "micro_batch", divisors(batch))
    virtual = _allowed(only, "virtual_stages", np.arange(1.0, layers + 1))
    row, mb = (part.ravel() for part in np.indices((table["data_parallel"].size, micro_batches.size)))
    fits = batch / table["data_parallel"][row] % micro_batches[mb] == 0
    row, mb = row[fits], mb[fits]
    # Of uneven stages the longest decides; embedding and head may stand in for a layer each.
    stages = table["pipeline_parallel"]
    longest = np.ceil(layers / stages)
    possible = np.where(
        stages[:, None] > 1,
        (longest[:, None] % virtual == 0) & (virtual * stages[:, None] <= layers + 2),
        virtual == 1,
    )
    again, chosen = np.nonzero(possible[row])
    row, mb = row[again], mb[again]
    return {name: values[row] for name, values in table.items()} | {
        "micro_batch": micro_batches[mb],
        "virtual_stages": virtual[chosen],
    }


def _far(table: dict[str, Array], supernode: SuperNode, used: float) -> NDArray[np.bool_]:
    """Rows where it matters whether stages or replicas lie nearer: the job leaves the domain, a stage's
    inner ranks do not fill it, and there are both."""
    domain = _value(supernode.scale_up_domain_accelerators)
    replicas = table["data_parallel"] * table["context_parallel"]
    inner = np.maximum(table["tensor_parallel"] * table["context_parallel"], table["expert_parallel"])
    matters: NDArray[np.bool_] = (
        (used > domain) & (inner < domain) & (replicas > 1) & (table["pipeline_parallel"] > 1)
    )
    return matters


def _kinds(
    table: dict[str, Array], only: Only, far: NDArray[np.bool_]
) -> Iterator[tuple[NDArray[np.intp], Array]]:
    """Rows by which choices are open to them; where nothing is split or repeated there is no choice."""
    split = table["tensor_parallel"] > 1
    replicas = table["data_parallel"] * table["context_parallel"] > 1
    plain_stages = (table["pipeline_parallel"] > 1) & (table["virtual_stages"] == 1)
    for tensor, replicated, placed, bubble in itertools.product((False, True), repeat=4):
        here = (split == tensor) & (replicas == replicated) & (far == placed) & (plain_stages == bubble)
        # A held schedule that needs a plain pipeline leaves out all others.
        if not here.any() or not (bubble or 0.0 in only["zero_bubble"]):
            continue
        open_to = {
            "recompute": (NONE, SELECTIVE, FULL),
            "sequence_parallel": (0.0, 1.0) if tensor else (0.0,),
            "tensor_overlap": (0.0, 1.0) if tensor else (1.0,),
            "zero_stage": (0.0, 1.0, 2.0, 3.0) if replicated else (1.0,),
            "data_overlap": (0.0, 1.0) if replicated else (1.0,),
            "pipeline_inside": (0.0, 1.0) if placed else (0.0,),
            "zero_bubble": (0.0, 1.0) if bubble else (0.0,),
            "offload": (KEPT, STATES_AWAY, ACTIVATIONS_AWAY, BOTH_AWAY),
        }
        axes = [_of(only, name, values) if len(values) > 1 else values for name, values in open_to.items()]
        yield np.flatnonzero(here), _grid(axes)


def _shapes(outer: Array, choices: Array) -> LayerShapes:
    tp, cp, ep, micro_batch = np.repeat(outer, choices.shape[1], axis=1)
    again, in_sequence, overlap = np.tile(choices, outer.shape[1])
    return LayerShapes(
        tensor_parallel=tp,
        context_parallel=cp,
        expert_parallel=ep,
        micro_batch=micro_batch,
        sequence_parallel=in_sequence,
        recompute=np.where(again == FULL, 1.0, 0.0),
        selective_recompute=np.where(again == SELECTIVE, 1.0, 0.0),
        tensor_overlap=overlap,
    )


def divisors(whole: float) -> Array:
    """All divisors of a whole number, ascending.

    >>> divisors(12.0)
    array([ 1.,  2.,  3.,  4.,  6., 12.])
    """
    small = np.arange(1, int(np.sqrt(whole)) + 1)
    low = small[int(whole) % small == 0]
    return np.unique(np.concatenate([low, int(whole) // low])).astype(float)


def _of(only: Only, name: str, values: Any) -> list[float]:
    allowed = only.get(name)
    return [float(value) for value in values if allowed is None or value in allowed]


def _allowed(only: Only, name: str, values: Array) -> Array:
    return np.array(_of(only, name, values))


def _grid(axes: list[Any]) -> Array:
    """Every combination, one row an axis."""
    return np.stack([part.ravel() for part in np.meshgrid(*axes, indexing="ij")]).astype(float)


def _position(table: Array, columns: Array) -> NDArray[np.intp]:
    """Where each column stands in a table of columns that has it."""
    same = (table[:, :, None] == columns[:, None, :]).all(axis=0)
    found: NDArray[np.intp] = np.argmax(same, axis=0)
    return found


def _value(array: Array) -> float:
    return float(np.median(array))
