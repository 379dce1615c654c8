"""Keys and values in another tier: time to come back, pace, room, when it pays; and a prefix that all prompts share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.evaluate import evaluate_serving
from app.engine.performance.serving.offload import (
    kv_return_time_s,
    offloaded_sequences,
    returned_bytes,
    returned_tokens,
    saved_by_return_s,
    turn_with_return_s,
)
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import Requests
from tests.engine.performance.serving.pods import evaluate, instance, level, plan, pod, workload
from tests.support import build, number

LLAMA_SEQUENCE = 10_000 * 327_680  # 10,000 tokens of Llama 3.1 70B in 16 bit
TOKEN = 32 * 2 * 8 * 128 * 2  # bytes of a token of Llama 3.1 8B in 16 bit
SPLIT = plan(instance(2), instance(2), decode_instances=number(1), prefill_instances=number(2))
TOGETHER = plan(instance(2))
either = pytest.mark.parametrize("layout", [TOGETHER, SPLIT], ids=["together", "apart"])


def asked(**changes: Any) -> Requests:
    usual: dict[str, Any] = {
        "input_tokens": 4096, "output_tokens": 1024, "input_variation": 0, "output_variation": 0, "cached_share": 0.5,
    }  # fmt: skip
    return build(Requests, **(usual | changes))


def slow(bytes_per_s: float, **changes: Any) -> ServingPerformance:
    """With drives of this rate."""
    given_pod = pod(workload=workload(**changes))
    chips = replace(given_pod["of_chips"], drive_bandwidth_bytes_per_s=number(bytes_per_s))
    with np.errstate(all="ignore"):
        return evaluate_serving(**(given_pod | {"of_chips": chips}))


def test_the_slower_of_link_and_memory() -> None:
    """An eighth of 3.28 GB over 50 GB/s takes 8.2 ms; a host that reads 25 GB/s doubles that."""
    each = {"sequence_bytes": number(LLAMA_SEQUENCE / 8), "link_bytes_per_s": number(50e9)}
    assert kv_return_time_s(**each, medium_bytes_per_s=number(60e9))[0] == pytest.approx(8.192e-3)
    assert kv_return_time_s(**each, medium_bytes_per_s=number(25e9))[0] == pytest.approx(16.384e-3)


@pytest.mark.slow
@given(prompt=st.integers(1, 100_000), shared=st.floats(0, 1), cached=st.floats(0, 0.999))
def test_what_is_shared_does_not_come_back(prompt: int, shared: float, cached: float) -> None:
    prefix = np.floor(shared * prompt)
    found = {"input_tokens": number(prompt), "shared_tokens": number(prefix)}
    at_least = number(max(cached, prefix / prompt))
    back = returned_tokens(**found, cached_share=at_least)
    assert 0 <= back[0] <= cached * prompt
    assert returned_tokens(**found, cached_share=number(prefix / prompt))[0] == 0
    assert returned_bytes(returned_tokens=back, sequence_bytes=number(1e9))[0] == (1e9 if back[0] else 0)


def test_the_slower_of_prefill_and_links_sets_the_pace() -> None:
    one = {"turn_s": number(0.1), "return_s": number(0.4)}
    assert turn_with_return_s(**one, data_parallel=number(1))[0] == 0.4
    assert turn_with_return_s(**one, data_parallel=number(8))[0] == 0.1


def test_room_in_the_host() -> None:
    """2 TB for eight accelerators hold 610 sequences of 3.28 GB."""
    beside = offloaded_sequences(
        capacity_bytes=number(250e9), accelerators=number(8), request_bytes=number(LLAMA_SEQUENCE)
    )
    assert beside[0] == 610


def test_when_it_pays() -> None:
    assert saved_by_return_s(recomputing_s=number(0.5), return_s=number(0.01))[0] == pytest.approx(0.49)
    assert saved_by_return_s(recomputing_s=number(0.5), return_s=number(0.6))[0] < 0


@pytest.mark.slow
@either
def test_half_a_prompt_comes_back_from_the_host_by_hand(layout: Any) -> None:
    """2,048 tokens of 131,072 B over two ranks of 50 GB/s; 500 GB hold 745 requests of 5,120 tokens."""
    alike = {"plan": layout, "concurrency": number(4)}
    kept = evaluate(**alike, requests=asked())
    away = evaluate(**alike, requests=asked(cache_tier="host"))
    back = 2048 * TOKEN / 2 / 50e9
    assert away.ttft_breakdown_s["kv_return"][0] == pytest.approx(back)
    assert sum(float(part[0]) for part in away.ttft_breakdown_s.values()) == pytest.approx(away.ttft_s[0])
    assert away.prefill_s[0] == kept.prefill_s[0]
    anew = evaluate(**alike, requests=asked(cached_share=0))
    assert away.offloaded_sequences is not None
    assert away.saved_by_return_s is not None
    assert away.offloaded_sequences[0] == 500e9 // (5120 * TOKEN) == 745
    assert away.saved_by_return_s[0] == pytest.approx(anew.prefill_s[0] - kept.prefill_s[0] - back)
    assert kept.offloaded_sequences is None
    assert kept.saved_by_return_s is None
    assert "kv_return" not in kept.ttft_breakdown_s


@pytest.mark.slow
@either
@pytest.mark.parametrize("tier", ["host", "nvme"])
def test_nothing_comes_back_where_nothing_is_cached_but_what_is_shared(layout: Any, tier: str) -> None:
    for shared in (0, 2048):
        alike = asked(cached_share=shared / 4096, shared_prefix_tokens=shared)
        kept, away = (
            evaluate(plan=layout, concurrency=number(64), requests=replace(alike, cache_tier=name))
            for name in ("accelerator", tier)
        )
        assert away.ttft_breakdown_s["kv_return"][0] == 0
        for name in (
            "ttft_s",
            "tpot_s",
            "tokens_per_s",
            "batch_limit",
            "memory_per_accelerator_bytes",
            "ttft_within_s",
        ):
            assert getattr(away, name)[0] == pytest.approx(getattr(kept, name)[0], rel=1e-12)


@either
def test_links_answer_no_more_than_they_bring(layout: Any) -> None:
    """134 MB over 100 MB/s are 1.34 s: one instance answers one in as long, two that prefill twice as many."""
    found = slow(1e8, plan=layout, concurrency=number(256), requests=asked(cache_tier="nvme"))
    instances = found.replicas[0] * found.strategy.get("prefill_instances", number(1))[0]
    assert found.requests_per_s[0] == pytest.approx(instances * 1e8 / (2048 * TOKEN / 2), rel=0.01)


def test_a_shared_prefix_makes_room_and_is_computed_once() -> None:
    """Of 4,096 tokens in and half of 1,024 out, 2,048 are held once: 2,560 of 4,608 tokens are a sequence's own."""
    alone = evaluate(plan=TOGETHER, requests=asked(cached_share=0))
    shared = evaluate(plan=TOGETHER, requests=asked(shared_prefix_tokens=2048))
    assert shared.batch_limit[0] == pytest.approx(alone.batch_limit[0] * 4608 / 2560, rel=0.03)
    assert shared.prefill_s[0] < alone.prefill_s[0]
    assert shared.kv_bytes_per_request[0] == alone.kv_bytes_per_request[0]
    alike = {"plan": TOGETHER, "concurrency": number(8)}
    cached, prefix = (evaluate(**alike, requests=asked(shared_prefix_tokens=count)) for count in (0, 2048))
    assert prefix.tpot_s[0] == cached.tpot_s[0]  # every sequence still reads the prefix itself
    assert prefix.memory_bandwidth_share[0] == cached.memory_bandwidth_share[0]
    saved = cached.memory_per_accelerator_bytes[0] - prefix.memory_per_accelerator_bytes[0]
    assert saved == pytest.approx((np.ceil(prefix.batch[0]) - 1) * 2048 * TOKEN / 2)


@pytest.mark.slow
def test_decode_has_the_shared_prefix_already() -> None:
    alike = {"plan": SPLIT, "concurrency": number(8)}
    cached, prefix = (evaluate(**alike, requests=asked(shared_prefix_tokens=count)) for count in (0, 2048))
    assert cached.kv_transfer_s is not None
    assert prefix.kv_transfer_s is not None
    started = pod()["assumptions"].kv_transfer_overhead_s[0]
    assert prefix.kv_transfer_s[0] - started == pytest.approx(
        (cached.kv_transfer_s[0] - started) / 2, rel=0.01
    )


def test_a_search_counts_what_comes_back() -> None:
    """Where half a prompt takes longer to come back than is promised, no layout meets the SLO."""
    promised = {"level": level(ttft_s=1.0), "requests": asked(cache_tier="nvme")}
    assert evaluate(**promised).requests_per_s_limit[0] > 0
    assert slow(1e6, **promised).requests_per_s_limit[0] == 0
