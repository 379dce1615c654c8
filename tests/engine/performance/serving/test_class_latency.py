"""Latencies of classes: alike classes see what all see, means add up, and longer prompts wait longer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.answers import answers_of
from app.engine.performance.serving.class_latency import class_answers
from app.engine.performance.serving.replica_load import Replica, latency_of, limit_of
from app.engine.performance.serving.request_mix import mixture_of
from app.engine.performance.serving.setting import Setting, setting_of
from app.engine.specs import Arrivals, RequestClass, Requests
from tests.engine.performance.serving.pods import instance, pod, workload
from tests.support import build

ARRIVALS = ("random", "steady")


def of(share: float, input_tokens: float, output_tokens: float, **more: Any) -> RequestClass:
    values = {
        "input_variation": 1, "output_variation": 1, "cached_share": 0, "shared_prefix_tokens": 0,
    } | more  # fmt: skip
    return build(
        RequestClass,
        name="one",
        share=share,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        **values,
    )


def setting(arrivals: str, requests: Requests, **changes: Any) -> Setting:
    asked = replace(workload(requests=requests, **changes), arrivals=Arrivals(kind=arrivals))
    return setting_of(**pod(workload=asked))


def replica(*, apart: bool = False) -> Replica:
    if not apart:
        return Replica(decode=instance(1), decode_instances=np.ones(1))
    return Replica(
        decode=instance(1), decode_instances=np.ones(1), prefill=instance(2), prefill_instances=np.ones(1)
    )


@pytest.mark.slow
@pytest.mark.parametrize("arrivals", ARRIVALS)
@pytest.mark.parametrize("apart", [False, True])
def test_classes_that_are_alike_see_what_requests_of_one_kind_see(arrivals: str, apart: bool) -> None:
    one = of(0.3, 2000, 300, cached_share=0.25)
    mix = mixture_of((one, replace(one, share=np.array([0.7]))), "accelerator")
    plain = replace(mix, classes=(), running=None)
    mixed, kind = setting(arrivals, mix), setting(arrivals, plain)
    at, load = replica(apart=apart), np.array([20.0])
    limit = limit_of(mixed, at)
    assert limit == limit_of(kind, at)
    expected = answers_of(kind, latency_of(kind, at, load, limit))
    for name in ("ttft_s", "tpot_s", "requests_per_s"):
        whole = answers_of(mixed, latency_of(mixed, at, load, limit))
        assert getattr(whole, name)[0] == pytest.approx(getattr(expected, name)[0]), name
    for found in class_answers(mixed, at, load, limit):
        for name in (
            "ttft_s", "tpot_s", "tpot_of_requests_s", "end_to_end_s", "ttft_spread_s", "tpot_spread_s",
            "end_to_end_spread_s",
        ):  # fmt: skip
            assert getattr(found, name)[0] == pytest.approx(getattr(expected, name)[0], rel=1e-3), name


@pytest.mark.slow
@pytest.mark.parametrize("arrivals", ARRIVALS)
def test_a_longer_prompt_waits_longer_and_classes_add_up(arrivals: str) -> None:
    """Over 50 drawn mixes of two: the mean over classes is the mean of all, but for further passes of long prompts."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        share, short = rng.uniform(0.2, 0.8), rng.uniform(200, 1000)
        long, answer = short * rng.uniform(1.5, 6), rng.uniform(50, 600)
        mix = mixture_of((of(share, short, answer), of(1 - share, long, answer)), "accelerator")
        at = replica()
        mixed = setting(arrivals, mix)
        limit, load = limit_of(mixed, at), np.array([rng.uniform(1, 40)])
        whole = answers_of(mixed, latency_of(mixed, at, load, limit))
        first, second = class_answers(mixed, at, load, limit)
        assert second.ttft_s[0] > first.ttft_s[0]
        assert second.end_to_end_s[0] > first.end_to_end_s[0]
        mean = share * first.ttft_s[0] + (1 - share) * second.ttft_s[0]
        assert mean == pytest.approx(whole.ttft_s[0], rel=0.02)
        assert first.requests_per_s[0] + second.requests_per_s[0] == pytest.approx(whole.requests_per_s[0])


def test_without_classes_there_are_none() -> None:
    plain = replace(mixture_of((of(0.5, 100, 10), of(0.5, 200, 10)), "accelerator"), classes=())
    assert class_answers(setting("steady", plain), replica(), np.ones(1), np.ones(1)) == ()
