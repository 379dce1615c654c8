"""Which of equally fast layouts is the simplest: answers of a search that tie are one answer with its variants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.schedules import ONE_F_ONE_B
from app.engine.performance.strategy import Strategy
from app.engine.specs import Layout
from app.engine.trace import Array

TIE = 0.001
"""Step times this near tie [1]. The step-time model errs by per cents, so a tenth of one decides nothing."""


def simplest_first(layouts: Layout | Strategy) -> NDArray[np.intp]:
    """The order of layouts from the simplest to the most special; equally simple ones keep theirs.

    Who sets up a run pays for every split with a process group, and for every choice that is off by default with a
    setting to test: the fewest of both come first. Of as many the simpler value decides, in the order of what is
    hardest to set up: virtual stages, then context, expert and tensor parallelism, ZeRO stages, recomputation, stages.
    """
    order: NDArray[np.intp] = np.lexsort(_complexity(layouts)[::-1])
    return order


def _complexity(layouts: Layout | Strategy) -> Array:
    """What makes a layout hard to set up, one row a reason, the weightiest first."""
    s = layouts
    split = s.tensor_parallel > 1
    reasons = (
        sum(
            np.asarray(present, dtype=float)
            for present in (
                *(degree > 1 for degree in (s.tensor_parallel, s.pipeline_parallel, s.context_parallel,
                                            s.expert_parallel, s.virtual_stages)),
                s.schedule != ONE_F_ONE_B,
                s.shard_ranks > 0,
                s.expert_tensor_ranks > 0,
                s.optimizer_offload > 0,
                s.activation_offload > 0,
                s.pipeline_inside > 0,
                split & (s.sequence_parallel < 1),
                split & (s.tensor_overlap < 1),
                s.data_overlap < 1,
            )
        ),
        s.virtual_stages,
        s.context_parallel,
        s.expert_parallel,
        s.tensor_parallel,
        s.zero_stage,
        # None, selective, then full or a share of it.
        np.where(s.recompute > 0, 1 + s.recompute, s.selective_recompute),
        s.pipeline_parallel,
        s.schedule,
        s.offload_tier,
        s.context_exchange,
    )  # fmt: skip
    return np.stack(np.broadcast_arrays(*reasons))
