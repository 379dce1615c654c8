"""What ranks send each other: bytes by hand, networks by reach."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.exchange import (
    all_reduce_s,
    all_reduces,
    dispatched_copies,
    expert_dispatch_s,
    reaches_across,
)
from tests.support import number


def test_all_reduce_by_hand() -> None:
    """Two ranks, 100 tokens of 4,096: 2 x 1/2 x 100 x 4,096 x 2 B at 1 GB/s, and 5 us x (1 + 0.2)."""
    found = all_reduce_s(
        all_reduces=number(1), tokens=number(100), hidden=number(4096), tensor_parallel=number(2),
        latency_s=number(5e-6), growth=number(0.2), across_latency_s=number(1), across=number(0),
        bandwidth_bytes_per_s=number(2e9), bandwidth_share=number(0.5),
    )  # fmt: skip
    assert found[0] == pytest.approx(6e-6 + 819200 / 1e9)


@pytest.mark.parametrize(
    ("tensor", "data", "norm", "expected"),
    [(1, 1, 0, 0), (8, 1, 0, 120), (4, 2, 0, 60), (8, 1, 2, 180), (8, 1, 1, 120)],
)
def test_all_reduces_of_a_pass(tensor: float, data: float, norm: float, expected: float) -> None:
    """60 layers: two each; with replicas of attention one; norms over all heads one more."""
    found = all_reduces(
        layers=number(60),
        query_key_norm=number(norm),
        tensor_parallel=number(tensor),
        data_parallel=number(data),
    )
    assert found[0] == expected


def test_dispatch_by_hand() -> None:
    """Two tokens of 7,168 to 8 experts, one byte there and two back, at 100 GB/s in one layer."""
    found = expert_dispatch_s(
        expert_layers=number(1), tokens=number(2), hidden=number(7168), data_parallel=number(8),
        sent_element_bytes=number(1), latency_s=number(1e-5), across_latency_s=number(0), across=number(0),
        copies=number(8), bandwidth_bytes_per_s=number(2e11), bandwidth_share=number(0.5), exposed=number(1),
    )  # fmt: skip
    assert found[0] == pytest.approx(2e-5 + 2 * 7168 * 8 * 3 / 1e11)


def test_one_replica_of_attention_dispatches_nothing() -> None:
    found = expert_dispatch_s(
        expert_layers=number(58), tokens=number(2), hidden=number(7168), data_parallel=number(1),
        sent_element_bytes=number(1), latency_s=number(1), across_latency_s=number(1), across=number(0),
        copies=number(8), bandwidth_bytes_per_s=number(1), bandwidth_share=number(1), exposed=number(1),
    )  # fmt: skip
    assert found[0] == 0


def copies(ranks: float, *, across: float, once: float) -> float:
    found = dispatched_copies(
        experts_per_token=number(8), ranks=number(ranks), domain_accelerators=number(8), across=number(across),
        once_a_domain=number(once),
    )  # fmt: skip
    return float(found[0])


def test_copies_of_a_token() -> None:
    """Within a domain and while decoding one for each expert; a long prompt over four nodes at most three."""
    assert copies(4, across=0, once=1) == 4
    assert copies(32, across=1, once=0) == 8
    assert copies(32, across=1, once=1) == pytest.approx(3 * (1 - 0.75**8))
    assert copies(8e9, across=1, once=1) == pytest.approx(8, rel=1e-3)


@given(ranks=st.integers(1, 1024), domain=st.integers(1, 576))
def test_an_instance_within_its_domain_stays_there(ranks: int, domain: int) -> None:
    found = reaches_across(ranks=number(ranks), domain_accelerators=number(domain))
    assert found[0] == (1 if ranks > domain else 0)
