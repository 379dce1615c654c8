"""What a decode step reads, by hand, and that no step reads faster than its memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.traffic import decode_traffic
from app.engine.specs import Requests
from tests.engine.performance.serving.pods import evaluate, instance, llama_8b, plan
from tests.engine.performance.serving.search.cases import MIXTURE, layout, mixture, setting
from tests.support import build, number

LAYER = 2 * 4096 * (4096 + 1024) + 3 * 4096 * 14336  # query and output, key and value, feed-forward
HEAD = 128256 * 4096
TOKENS = 1024 + 512


def test_a_dense_step_by_hand() -> None:
    """Weights in 8 bit and the head in 16 once, keys and values of 8 heads of 128 in 16 bit for each sequence."""
    read = decode_traffic(setting(), layout(2), number(16))
    kept = TOKENS * 32 * 2 * 8 * 128 * 2
    assert read[0] == pytest.approx((32 * LAYER + 2 * HEAD + 16 * kept) / 2, rel=1e-3)


def test_stages_read_their_layers_for_one_group_after_another() -> None:
    """Two stages with 8 sequences each: all layers once, for the 8 that a rank has at a time."""
    staged = decode_traffic(setting(), layout(2, pp=2), number(16))
    assert staged[0] == pytest.approx(decode_traffic(setting(), layout(2), number(8))[0])


def test_of_experts_those_in_use_are_read() -> None:
    """One token uses 8 of 64, many all."""
    expert = 32 * 3 * 4096 * 1024
    one, all_ranks = (decode_traffic(mixture(), layout(1, dp), number(dp))[0] for dp in (1, 8))
    used = 64 * (1 - (1 - 8 / 64) ** 8)
    assert one - all_ranks == pytest.approx(expert * (8 - used / 8), rel=1e-6)


def test_sparse_attention_reads_what_it_chooses() -> None:
    long = build(
        Requests, input_tokens=100_000, output_tokens=2, input_variation=0, output_variation=0, cached_share=0
    )
    sparse = llama_8b(sparse_tokens=2048, index_elements=128)
    read = decode_traffic(setting(architecture=sparse, requests=long), layout(1), number(1))
    kept = 32 * (2048 * 2 * 8 * 128 * 2 + 100_001 * 128)
    assert read[0] == pytest.approx(32 * LAYER + 2 * HEAD + kept, rel=1e-3)


@pytest.mark.slow
@given(
    sparse=st.sampled_from([0, 2048]), tensor=st.sampled_from([1, 2]), stages=st.sampled_from([1, 2, 4]),
    batch=st.integers(1, 500), tokens=st.sampled_from([100, 4000, 60_000]), experts=st.booleans(),
)  # fmt: skip
def test_no_step_reads_faster_than_its_memory(
    sparse: int, tensor: int, stages: int, batch: int, tokens: int, experts: bool
) -> None:
    asked = build(
        Requests,
        input_tokens=tokens,
        output_tokens=100,
        input_variation=0,
        output_variation=0,
        cached_share=0,
    )
    found = evaluate(
        architecture=llama_8b(sparse_tokens=sparse, index_elements=128, **(MIXTURE if experts else {})),
        requests=asked,
        plan=plan(instance(tensor, pp=stages)),
        concurrency=number(batch),
    )
    assert 0 < found.memory_bandwidth_share[0] < 1
