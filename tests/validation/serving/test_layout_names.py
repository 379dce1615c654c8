"""Layouts as files write them."""

from __future__ import annotations

import pytest

from app.validation.serving.words import Cut, aggregated_cut, pool_cut
from app.validation.study import UnsupportedRowError
from tests.validation.serving.rows import group, row


@pytest.mark.parametrize(
    ("tp", "dp", "moe_tp", "moe_ep", "tensor", "data", "expert"),
    [
        (8, 1, 8, 1, 8, 1, 1),
        (4, 1, 1, 4, 4, 1, 4),
        (1, 8, 1, 8, 1, 8, 8),
        (1, 4, 4, 1, 1, 4, 1),
        (8, "", 2, 4, 8, 1, 4),
        (64, 1, 8, 8, 8, 1, 8),
        (16, 1, 4, 4, 4, 1, 4),
        (4, 1, 2, 2, 2, 1, 2),
        (1, 64, 8, 8, 1, 8, 8),
        (4, 4, 1, 16, 1, 4, 4),
        (2, 2, 1, 4, 1, 2, 2),
    ],
)
def test_squared_layouts_are_of_fewer_accelerators(
    tp: object, dp: object, moe_tp: int, moe_ep: int, tensor: int, data: int, expert: int
) -> None:
    stated = row(tp=tp, dp=dp, moe_tp=moe_tp, moe_ep=moe_ep, batch="")
    cut, instances = aggregated_cut(stated, experts=True)
    assert cut == Cut(tensor, data, 1, expert)
    assert instances == 1


def test_the_batch_of_a_rank_says_that_attention_is_data_parallel() -> None:
    stated = row(tp=8, dp="", moe_tp=1, moe_ep=8, concurrency=64, batch=8)
    assert aggregated_cut(stated, experts=True)[0] == Cut(1, 8, 1, 8)


@pytest.mark.parametrize(
    ("tp", "dp", "moe_tp", "moe_ep", "tensor", "data", "expert"),
    [(1, "", 1, 8, 1, 8, 8), (2, "", 4, 2, 2, 4, 2), (1, "", 8, 1, 1, 8, 1), (4, 1, 1, 32, 4, 8, 32)],
)
def test_experts_over_more_ranks_than_attention_mean_replicas_of_it(
    tp: int, dp: object, moe_tp: int, moe_ep: int, tensor: int, data: int, expert: int
) -> None:
    """tp x dp = moe_tp x moe_ep, as TensorRT-LLM cuts one set of ranks twice."""
    cut, _ = aggregated_cut(row(tp=tp, dp=dp, moe_tp=moe_tp, moe_ep=moe_ep, batch=""), experts=True)
    assert cut[:4] == (tensor, data, 1, expert)
    assert cut.assumed == (f"{data} replicas of attention: moe_tp x moe_ep {tensor * data} over tp {tensor}",)


def test_a_pool_whose_experts_reach_over_more_ranks_has_replicas_too() -> None:
    assert pool_cut(group(d_tp=1, d_dp="", d_ep=16), "d_", experts=True)[:4] == (1, 16, 1, 16)


def test_instances_of_a_dense_model_share_the_requests() -> None:
    stated = row(tp=2, dp=1, moe_tp=1, moe_ep=1, concurrency=64, batch=2)
    assert aggregated_cut(stated, experts=False) == (Cut(2, 1, 1, 1), 32)


@pytest.mark.parametrize("tp", [12, 20, 36, 72, 64])
def test_the_size_of_a_deployment_is_no_layout(tp: int) -> None:
    with pytest.raises(UnsupportedRowError, match="whole deployment"):
        aggregated_cut(row(tp=tp, moe_tp=tp, moe_ep=1, batch=""), experts=True)
    with pytest.raises(UnsupportedRowError, match="whole deployment"):
        pool_cut(group(p_tp=tp, p_dp=1), "p_", experts=True)


def test_pools() -> None:
    assert pool_cut(group(), "p_", experts=True) == Cut(1, 4, 1, 4)
    assert pool_cut(group(), "d_", experts=True) == Cut(8, 1, 1, 8)
    wide = pool_cut(group(d_tp=32, d_ep=4), "d_", experts=True)
    assert wide[:4] == (1, 32, 1, 32)
    assert wide.assumed


def test_experts_of_decode_are_over_all_its_ranks_where_prefill_was_copied() -> None:
    copied = pool_cut(group(p_ep=4, d_tp=8, d_ep=4), "d_", experts=True)
    assert copied[:4] == (8, 1, 1, 8)
    assert copied.assumed == ("experts over all 8 ranks of decode",)
    assert pool_cut(group(p_ep=8, d_tp=8, d_ep=4), "d_", experts=True)[:4] == (8, 1, 1, 4)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(UnsupportedRowError, match="d_tp is not given"):
        pool_cut(group(d_tp=""), "d_", experts=True)
    with pytest.raises(UnsupportedRowError, match="does not divide"):
        aggregated_cut(row(tp=8, moe_tp=1, moe_ep=3, batch=""), experts=True)
