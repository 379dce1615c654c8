"""Latencies of requests that differ: none is answered sooner than what all take."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.specs import Requests
from tests.engine.performance.serving.pods import evaluate, instance, plan
from tests.support import build, number


@pytest.mark.parametrize("variation", [0, 1, 3, 5])
def test_no_request_is_answered_before_the_overhead(variation: float) -> None:
    found: Any = evaluate(
        requests=build(
            Requests,
            input_tokens=8000,
            output_tokens=500,
            input_variation=variation,
            output_variation=0,
            cached_share=0,
        ),
        concurrency=number(1),
        plan=plan(instance(1), decode_instances=number(1)),
    )
    floor = float(found.ttft_breakdown_s["overhead"][0])
    assert floor > 0
    within = [float(found.ttft_percentiles_s[name][0]) for name in ("p50", "p90", "p95", "p99")]
    assert within[0] >= floor * (1 - 1e-9)
    assert within == sorted(within)
    step = float(found.tpot_s[0]) - float(found.time_breakdown_s["prefill_interference"][0])
    assert float(found.tpot_percentiles_s["p50"][0]) >= step * (1 - 1e-9)
    assert float(found.end_to_end_percentiles_s["p50"][0]) >= floor
    assert float(found.ttft_within_s[0]) == pytest.approx(within[2])


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [0.3, 1.5, 3])
def test_own_measurements_stretch_every_time_to_the_first_token_alike(ratio: float) -> None:
    def found(measured: float) -> Any:
        return evaluate(
            requests=build(
                Requests,
                input_tokens=4000,
                output_tokens=200,
                input_variation=1,
                output_variation=1,
                cached_share=0,
            ),
            concurrency=number(16),
            plan=plan(instance(2), decode_instances=number(1)),
            measured_over_predicted_ttft=measured,
            measured_over_predicted_tpot=measured,
        )

    before, after = found(1), found(ratio)
    for name in ("p50", "p95", "p99"):
        assert after.ttft_percentiles_s[name][0] == pytest.approx(
            ratio * before.ttft_percentiles_s[name][0], rel=0.02
        )
    assert after.tpot_within_s[0] == pytest.approx(ratio * before.tpot_within_s[0], rel=0.05)
