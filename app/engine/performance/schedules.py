"""Pipeline schedules by name: in which order a stage computes forward, input and weight gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array

ONE_F_ONE_B, ZB_H1, ZB_V, DUALPIPE, MOE_OVERLAP = 0.0, 1.0, 2.0, 3.0, 4.0


class Schedule(NamedTuple):
    """A schedule as people read it: its key in a scenario, its name, what it needs, and where it is published."""

    key: str
    name: str
    needs: str
    source: str


SCHEDULES = {
    ONE_F_ONE_B: Schedule(
        "1f1b",
        "1F1B",
        "nothing",
        "Narayanan et al. 2021, arXiv 2104.04473, section 2.2",
    ),
    ZB_H1: Schedule(
        "zb_h1",
        "ZB-H1",
        "pp above 1 and vpp 1",
        "Qi et al. 2023, arXiv 2401.10241, section 2",
    ),
    ZB_V: Schedule(
        "zb_v",
        "ZB-V",
        "pp above 1 and vpp 2, the two chunks of a stage in the shape of a V",
        "Qi et al. 2023, arXiv 2401.10241, section 6",
    ),
    DUALPIPE: Schedule(
        "dualpipe",
        "DualPipe",
        "an even pp, vpp 1, and an even number of micro-batches of at least 2 pp",
        "DeepSeek-AI 2024, arXiv 2412.19437, section 3.2.1; github.com/deepseek-ai/DualPipe",
    ),
    MOE_OVERLAP: Schedule(
        "moe_overlap",
        "1F1B, MoE overlap",
        "ep above 1, and vpp above 1 where pp is above 1",
        "NVIDIA Megatron-Core, overlap_moe_expert_parallel_comm",
    ),
}
CODES = {schedule.key: code for code, schedule in SCHEDULES.items()}
FORMER_KEYS = {"interleaved": "1f1b", "zero_bubble": "zb_h1"}
"""As scenarios were written before there were more than two."""


def possible_schedules(
    *,
    pipeline_parallel: Array,
    virtual_stages: Array,
    expert_parallel: Array,
    micro_batches: Array,
) -> NDArray[np.bool_]:
    """Which schedules each layout can have; one row a schedule, in the order of SCHEDULES."""
    pp, v, m = pipeline_parallel, virtual_stages, micro_batches
    staged = pp > 1
    rows = {
        ONE_F_ONE_B: np.ones_like(staged),
        ZB_H1: staged & (v == 1),
        ZB_V: staged & (v == 2),
        DUALPIPE: staged & (v == 1) & (pp % 2 == 0) & (m % 2 == 0) & (m >= 2 * pp),
        MOE_OVERLAP: (expert_parallel > 1) & (~staged | (v > 1)),
    }
    return np.stack(np.broadcast_arrays(*(rows[code] for code in SCHEDULES)))


def micro_batch_group(pipeline_parallel: Array, virtual_stages: Array, micro_batches: Array) -> Array:
    """Micro-batches that run through a chunk of layers before the next chunk has its turn, g [1].

    pp where they divide by it. Else the smallest g of at least pp that leaves no rest, or one of at least pp, as
    Megatron-Core demands of microbatch_group_size_per_virtual_pipeline_stage; all where there are
    fewer than stages, as PyTorch's ScheduleInterleaved1F1B runs them.
    """
    pp, v, m = np.broadcast_arrays(
        *(np.asarray(part, dtype=float) for part in (pipeline_parallel, virtual_stages, micro_batches))
    )
    group: Array = pp.copy()
    uneven = (v > 1) & np.isfinite(m) & (m % np.maximum(pp, 1) != 0)
    if not uneven.any():
        return group
    stages, count = pp[uneven], m[uneven]
    size = np.where(count < 2 * stages, count, stages)
    open_still = np.flatnonzero(count >= 2 * stages)
    while open_still.size:  # a few turns, each for those that left a rest
        size[open_still] += 1
        rest = count[open_still] % size[open_still]
        open_still = open_still[(rest > 0) & (rest < stages[open_still])]
    group[uneven] = size
    return group
