"""The instances that a search tries: every cut of attention and experts that the engine of the workload runs.

Attention replicas that are no powers of two too, experts spread over a part of the ranks, and pipeline stages where
the memory needs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from app.engine.performance.serving.engine_rules import Flags, runs
from app.engine.performance.serving.expert_load import ranks_of
from app.engine.performance.serving.replica_load import Replica, limit_of
from app.engine.performance.serving.setting import AGGREGATED, DISAGGREGATED, Setting
from app.engine.performance.serving.space import DEGREES, WIDEST, at_rows
from app.engine.specs import ServingLayout
from app.engine.trace import Array, first_of

STEMS = (1, 3, 5, 9)
"""Attention replicas are these times powers of two: what whole racks and published layouts have."""
STAGES = (1, 2, 4)
MOST_COPIES = 1.0
"""Redundant experts over the experts of the model, where more ranks than experts are to be dealt whole ones."""
THINNEST = 128.0
"""Columns of an expert that a rank has at least: the block of the scales of 8-bit weights, and a tile of the kernels
([1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.3.2)."""
MODES = (AGGREGATED, DISAGGREGATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSpace:
    """What a search may try. `only` holds degrees, by the names of a layout, to some values."""

    modes: tuple[str, ...] = MODES
    only: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


def instances_of(
    setting: Setting, space: ServingSpace, *, prefills: bool, cuts: tuple[float, ...] = (1.0,)
) -> ServingLayout:
    """Layouts of one instance, of shape (n,). Works on bare values of one sample.

    Parameters
    ----------
    prefills : whether the instance works on prompts too, which takes memory for them
    cuts : ranks that a prompt may be cut over
    """
    grid = _grid(setting, space, cuts)
    rows = np.flatnonzero(_possible(setting, grid))
    layouts = at_rows(grid, rows)
    if "pipeline_parallel" in space.only or not rows.size:
        return layouts
    return at_rows(layouts, np.flatnonzero(_needed(setting, layouts, prefills)))


def holds_a_request(setting: Setting, layouts: ServingLayout, *, prefills: bool) -> Array:
    """Sequences that an instance of each layout holds in memory, of shape (n,); 0 where not even one fits."""
    none = ServingLayout(**dict.fromkeys(DEGREES, np.ones(1)))
    alone = Replica(
        decode=layouts,
        decode_instances=np.ones(1),
        prefill=None if prefills else none,
        prefill_instances=None if prefills else np.ones(1),
    )
    return np.broadcast_to(limit_of(setting, alone), layouts.accelerators.shape)


def _grid(setting: Setting, space: ServingSpace, cuts: tuple[float, ...]) -> ServingLayout:
    """Every combination of the degrees, possible or not."""
    used = first_of(setting.accelerators_used)
    widest = min(used, max(first_of(setting.machine.domain_accelerators), WIDEST))
    moe = first_of(setting.workload.architecture.experts) > 0
    ranks = _multiples(widest)
    axes = {
        "tensor_parallel": _multiples(widest, (1,)),
        "data_parallel": ranks if moe else np.ones(1),
        "pipeline_parallel": np.array(STAGES, dtype=float),
        "expert_parallel": ranks if moe else np.ones(1),
        "context_parallel": np.array(cuts),
    }
    for name, values in space.only.items():
        axes[name] = np.unique(np.array(values, dtype=float))
    columns = [column.ravel() for column in np.meshgrid(*axes.values(), indexing="ij")]
    degrees = dict(zip(axes, columns, strict=True))
    # Redundant experts fill up what whole ones leave of the last rank.
    experts, over = first_of(setting.workload.architecture.experts), degrees["expert_parallel"]
    copies = np.where(over > 1, -experts % over, 0.0)
    return ServingLayout(**degrees, redundant_experts=copies)


def _possible(setting: Setting, grid: ServingLayout) -> Flags:
    """Layouts that the engine runs on the accelerators there are."""
    m, machine = setting.workload.architecture, setting.machine
    domain = np.maximum(machine.domain_accelerators, 1.0)
    ranks = ranks_of(grid)
    whole = (m.heads % grid.tensor_parallel == 0) & (ranks % grid.expert_parallel == 0)
    fits = grid.accelerators <= setting.accelerators_used
    near = (grid.tensor_parallel <= domain) & (ranks <= np.maximum(domain, WIDEST))
    staged = grid.pipeline_parallel <= m.layers
    dealt = grid.redundant_experts <= MOST_COPIES * m.experts
    cut = ranks / grid.expert_parallel
    thick = (cut == 1) | (m.expert_hidden % cut == 0) & (m.expert_hidden / cut >= THINNEST)
    mixture = np.where(m.experts > 0, thick, (grid.data_parallel == 1) & (grid.expert_parallel == 1))
    possible: Flags = whole & fits & near & staged & dealt & mixture & runs(setting.workload, domain, grid)
    return possible


def _needed(setting: Setting, layouts: ServingLayout, prefills: bool) -> Flags:
    """Layouts without stages, and those with stages of which half as many hold no request."""
    stages = layouts.pipeline_parallel
    half = ServingLayout(
        **{name: getattr(layouts, name) for name in DEGREES if name != "pipeline_parallel"},
        pipeline_parallel=np.maximum(stages / 2, 1.0),
    )
    needed: Flags = (stages == 1) | (holds_a_request(setting, half, prefills=prefills) < 1)
    return needed


def _multiples(limit: float, stems: tuple[int, ...] = STEMS) -> Array:
    """Powers of two times each stem, up to a limit that is at least 1.

    >>> _multiples(10.0).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 9.0, 10.0]
    """
    powers = 2.0 ** np.arange(int(np.log2(max(limit, 1.0))) + 1)
    every = np.unique(np.outer(np.array(stems, dtype=float), powers))
    return every[every <= max(limit, 1.0)]
