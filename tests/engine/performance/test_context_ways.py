"""Ring, all-gather, Ulysses and hybrid context parallelism, and experts shared by ranks."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance import context_exchange as ways
from tests.engine.performance import cases


def one(value: float) -> np.ndarray:
    return np.full(1, float(value))


def ranks(cp: float, way: float, heads: float = 8, tp: float = 1) -> tuple[float, float]:
    swapped = ways.ulysses_ranks(
        context_parallel=one(cp),
        context_exchange=one(way),
        key_value_heads=one(heads),
        tensor_parallel=one(tp),
    )
    ring = ways.ring_ranks(context_parallel=one(cp), context_exchange=one(way), ulysses_ranks=swapped)
    return float(ring[0]), float(swapped[0])


def test_a_hybrid_swaps_as_far_as_key_value_heads_go() -> None:
    assert ranks(16, ways.RING) == (16, 1)
    assert ranks(16, ways.ALL_GATHER) == (1, 1)
    assert ranks(16, ways.ULYSSES) == (1, 16)
    assert ranks(16, ways.HYBRID) == (2, 8)
    assert ranks(16, ways.HYBRID, heads=8, tp=4) == (8, 2)
    assert ranks(6, ways.HYBRID, heads=8) == (3, 2)


def test_tiles_of_a_ring_by_hand() -> None:
    """8,192 tokens over 4 ranks with half the rate at 300: 1.146 over 1.037."""

    def ratio(length: float, cp: float) -> float:
        return float(
            ways.ring_tile_ratio(sequence_length=one(length), ring_ranks=one(cp), saturation_tokens=one(300))[
                0
            ]
        )

    assert ratio(8192, 4) == pytest.approx((1 + 300 / 2048) / (1 + 300 / 8192))
    assert ratio(8192, 1) == 1
    assert ratio(131072, 4) < 1.01


def timed(cp: int, way: float, sequence: int, batch: int = 64) -> dict[str, float]:
    workload = cases.training(cases.gpt(32, 4096, 32), sequence, batch)
    parts = cases.timed(workload, cases.layout(tp=2, cp=cp, context=way), 64).breakdown_s
    return {name: float(part[0]) for name, part in parts.items()}


@pytest.mark.parametrize("way", list(ways.CONTEXT_EXCHANGES))
def test_short_sequences_pay_for_every_way(way: float) -> None:
    """Of 8,192 tokens each rank more costs; attention never gets faster than its share."""
    alone, shared = timed(1, way, 8192), timed(4, way, 8192)
    assert shared["cp"] > 0
    assert shared["attention"] >= alone["attention"] * (1 - 1e-9)
    assert alone["cp"] == 0


def test_a_ring_hides_in_long_sequences() -> None:
    def share(sequence: int) -> float:
        found = timed(4, ways.RING, sequence, 16)
        return found["cp"] / (found["cp"] + found["attention"])

    assert share(131072) < share(8192) / 3


def test_full_recomputation_passes_keys_and_values_once_more() -> None:
    sent = [
        float(
            ways.context_ring_bytes(
                tokens=one(2048), key_value_width=one(2048), ring_ranks=one(4), attention_layers=one(1),
                layers=one(1), recompute=one(share),
            )[0]
        )
        for share in (0, 1)
    ]  # fmt: skip
    assert sent[0] == 3 * 3 * 2 * 2048 * 2048
    assert sent[1] / sent[0] == pytest.approx(4 / 3)


def test_experts_shared_by_ranks() -> None:
    """Twice the ranks of an expert: half its columns and memory, twice its rows, and a gather before it."""
    workload = cases.training(cases.deepseek_v3(), 4096, 2048)
    whole, shared = (cases.layout(tp=4, ep=8, pp=4, etp=ranks) for ranks in (0, 4))
    parts = [cases.timed(workload, layout, 512).breakdown_s for layout in (whole, shared)]
    assert parts[1]["ep"][0] > parts[0]["ep"][0]
    weights = [
        cases.held(workload, layout, 512, cases.assumed(workload, cases.dgx_h100())).breakdown_bytes[
            "weights"
        ][0]
        for layout in (whole, shared)
    ]
    assert weights[1] < weights[0]


def test_one_rank_an_expert_is_the_usual_way() -> None:
    workload = cases.training(cases.deepseek_v3(), 4096, 2048)
    usual, stated = (
        cases.timed(workload, cases.layout(tp=4, ep=8, pp=4, etp=ranks), 512).step_time_s for ranks in (0, 1)
    )
    np.testing.assert_array_equal(usual, stated)
