"""What splitting must keep: parameters, FLOPs and bytes; and what is left when exchange costs nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.performance.layer_matmuls import _feed_forward, _projections
from app.engine.performance.model_share import model_share
from app.engine.trace import Array
from tests.engine.performance import cases
from tests.support import dgx_h100, number

DENSE = cases.training(cases.gpt(24, 4096, 32), 4096, 512)
MIXTURE = cases.training(cases.deepseek_v3(), 4096, 15360, "fp8")
POWERS = st.sampled_from([1, 2, 4, 8])


@settings(max_examples=40, deadline=None)
@given(tp=POWERS, pp=POWERS, cp=POWERS, zero=st.sampled_from([0, 1, 2, 3]))
def test_ranks_hold_all_parameters_of_a_dense_model(tp: int, pp: int, cp: int, zero: int) -> None:
    """Layers that divide: the ranks of a replica hold each layer once; the tables are on two stages."""
    counts = cases.job(DENSE).counts
    share = model_share(
        job=cases.job(DENSE), strategy=cases.single(cases.layout(tp=tp, pp=pp, cp=cp, zero=zero), 512)
    )
    tables = counts.embedding * (1 if pp == 1 else pp)
    held = share.dense * tp * pp
    np.testing.assert_allclose(held, 24 * counts.dense_per_layer + tables)
    np.testing.assert_allclose(share.dense_replicas * tp * pp, 512)


@settings(max_examples=40, deadline=None)
@given(tp=POWERS, pp=st.sampled_from([1, 61]), ep=st.sampled_from([1, 2, 8, 32, 64]))
def test_ranks_hold_all_experts(tp: int, pp: int, ep: int) -> None:
    counts = cases.job(MIXTURE).counts
    used = 61 * 512
    share = model_share(
        job=cases.job(MIXTURE), strategy=cases.single(cases.layout(tp=tp, pp=pp, ep=ep), used)
    )
    np.testing.assert_allclose(share.expert * used / share.expert_replicas, 61 * counts.routed_per_layer)


@settings(max_examples=40, deadline=None)
@given(tp=POWERS, tokens=st.integers(1, 100_000))
def test_tensor_parallel_ranks_multiply_what_one_would(tp: int, tokens: int) -> None:
    m = DENSE.architecture

    def flop(ranks: int) -> float:
        rows, split = number(tokens), number(ranks)
        products = _projections(m, split, rows) + _feed_forward(
            rows, m.hidden, m.mlp_matrices - 1, m.feed_forward_hidden / split
        )
        return sum(float((2 * one.rows * one.depth * one.columns * one.groups)[0]) for one in products)

    np.testing.assert_allclose(tp * flop(tp), flop(1))
    per_layer = 2 * cases.job(DENSE).counts.dense_per_layer
    np.testing.assert_allclose(flop(1) / tokens, per_layer, rtol=0.01)  # norms multiply nothing


@pytest.mark.parametrize("layout", [cases.layout(tp=8, pp=4, vpp=2), cases.layout(cp=4, zero=3, context=2)])
def test_infinite_bandwidth_leaves_launches(layout: cases.Layout) -> None:
    """With links of infinite speed an exchange costs its starts and hops, which no bandwidth shortens."""
    node = dgx_h100()
    fast = replace(
        node,
        accelerator=replace(
            node.accelerator,
            scale_up_bandwidth_bytes_per_s=number(np.inf),
            scale_up_pair_bandwidth_bytes_per_s=number(np.inf),
        ),
        scale_up_domain_accelerators=number(512),
    )
    none = {
        name: number(0)
        for name in ("collective_launch_s", "scale_up_hop_s", "scale_out_hop_s", "shard_rank_s")
    }
    a = replace(cases.assumed(DENSE, fast), **none)
    parts = cases.timed(DENSE, layout, 512, supernode=fast, assumptions=a).breakdown_s
    assert [_first(parts[name]) for name in ("tp", "cp", "dp", "pp_transfer")] == [0, 0, 0, 0]
    slow = cases.timed(DENSE, layout, 512, supernode=node).breakdown_s
    assert sum(_first(slow[name]) for name in ("tp", "cp", "dp", "pp_transfer")) > 0
    assert parts["gemm"] == slow["gemm"]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(tp=POWERS, pp=POWERS, count=st.sampled_from([64, 128, 512]))
def test_parts_sum_to_the_step(tp: int, pp: int, count: int) -> None:
    step = cases.timed(DENSE, cases.layout(tp=tp, pp=pp), count)
    np.testing.assert_allclose(sum(step.breakdown_s.values()), step.step_time_s, rtol=1e-12)
    assert all(_first(part) >= 0 for part in step.breakdown_s.values())


def _first(array: Array) -> float:
    return float(array.reshape(-1)[0])
