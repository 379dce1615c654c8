"""Expert dispatch and combine of a layer: who gets a copy of a token."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.performance.expert_exchange import expert_exchange
from tests.engine.performance import cases
from tests.support import dgx_h100

TOKENS = np.full(1, 4096.0)


def exposed_s(
    expert_parallel: int, scale_up_bandwidth_bytes_per_s: float | None = None, compute_s: float = 1e9
) -> float:
    workload = cases.training(cases.deepseek_v3(), 4096, 2048)
    assumptions = cases.assumed(workload, dgx_h100())
    hardware = cases.hardware(workload, dgx_h100(), 2048, assumptions)
    if scale_up_bandwidth_bytes_per_s is not None:
        hardware = replace(
            hardware, scale_up_bandwidth_bytes_per_s=np.full(1, scale_up_bandwidth_bytes_per_s)
        )
    shapes = cases.single(cases.layout(ep=expert_parallel), 2048).shapes
    beside = np.full(1, compute_s)
    return float(
        expert_exchange(workload.architecture, hardware, shapes, TOKENS, beside, assumptions).alone[0]
    )


def test_nothing_is_sent_by_a_rank_that_holds_all_experts() -> None:
    assert exposed_s(1) == 0


def test_a_rank_gets_one_copy_of_a_token_however_many_of_its_experts_are_meant() -> None:
    """Over a link that is all there is to wait for, eight experts on two ranks are hardly more than one copy."""
    slow = 1e7
    on_eight, on_two = 8 * (1 - (7 / 8) ** 8) * 7 / 8, 2 * (1 - (1 / 2) ** 8) / 2
    assert exposed_s(8, slow) / exposed_s(2, slow) == pytest.approx(on_eight / on_two, rel=0.01)


def test_no_more_is_hidden_than_there_is_compute_beside() -> None:
    hidden, bare = exposed_s(8), exposed_s(8, compute_s=0)
    assert hidden < bare
    assert exposed_s(8, compute_s=bare - hidden) == pytest.approx(hidden)
    assert exposed_s(8, compute_s=(bare - hidden) / 2) == pytest.approx((bare + hidden) / 2)
