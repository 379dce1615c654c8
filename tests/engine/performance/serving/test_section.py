"""The section of a pod that serves: its figures hang together, and what is left open is chosen well."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.capacity import with_headroom
from app.engine.performance.serving.section import ServingPerformance
from tests.engine.performance.serving.pods import (
    demand,
    evaluate,
    instance,
    level,
    llama_8b,
    parts,
    plan,
    workload,
)
from tests.support import build, dgx_h100, number


def value(figure: Any) -> float:
    return float(figure[0])


SPLIT = plan(instance(2), instance(1), decode_instances=number(1), prefill_instances=number(2))
CASES: dict[str, dict[str, Any]] = {
    "searched": {},
    "stated": {"plan": plan(instance(4)), "concurrency": number(64)},
    "split": {"plan": SPLIT, "concurrency": number(64)},
    "promised": {"level": level(ttft_s=1.0, tpot_s=0.02)},
    "demanded": {"demand": demand(20), "level": level(tpot_s=0.03)},
    "measured": {"measured_over_predicted_tpot": 1.2, "measured_over_predicted_ttft": 0.8},
}
every_case = pytest.mark.parametrize("changes", CASES.values(), ids=CASES)


@pytest.mark.slow
@every_case
def test_parts_sum_to_their_whole(changes: dict[str, Any]) -> None:
    found = evaluate(**changes)
    assert value(sum(found.time_breakdown_s.values())) == pytest.approx(value(found.tpot_s))
    assert value(sum(found.ttft_breakdown_s.values())) == pytest.approx(value(found.ttft_s))
    assert value(sum(found.memory_breakdown_bytes.values())) == pytest.approx(
        value(found.memory_per_accelerator_bytes)
    )


@pytest.mark.slow
@every_case
def test_rates_follow_from_one_another(changes: dict[str, Any]) -> None:
    found = evaluate(**changes)
    rate = value(found.requests_per_s)
    assert value(found.tokens_per_s) == pytest.approx(1024 * rate)
    assert value(found.input_tokens_per_s) == pytest.approx(1024 * rate)
    assert value(found.tokens_per_s_per_accelerator) == pytest.approx(1024 * rate / 8)
    busy = value(found.replicas * found.accelerators_per_replica)
    assert value(found.output_tokens_per_s_per_accelerator) == pytest.approx(1024 * rate / busy)
    assert value(found.tokens_per_s_per_user) == pytest.approx(1 / value(found.tpot_s))
    assert busy <= 8


@pytest.mark.slow
@every_case
def test_as_many_are_in_flight_as_come_and_stay(changes: dict[str, Any]) -> None:
    """Little's law, to the one token by which the first one counts."""
    found = evaluate(**changes)
    assert value(found.concurrency) == pytest.approx(
        value(found.requests_per_s * found.end_to_end_s), rel=5e-3
    )


@pytest.mark.slow
@every_case
def test_percentiles_are_in_order_and_about_the_mean(changes: dict[str, Any]) -> None:
    found = evaluate(**changes)
    for percentiles, mean in (
        (found.ttft_percentiles_s, found.ttft_s),
        (found.tpot_percentiles_s, found.tpot_s),
        (found.end_to_end_percentiles_s, found.end_to_end_s),
    ):
        ordered = [value(percentiles[name]) for name in ("p50", "p90", "p95", "p99")]
        assert ordered == sorted(ordered)
        assert ordered[0] <= value(mean) * (1 + 1e-9)
    assert value(found.ttft_within_s) == pytest.approx(value(found.ttft_percentiles_s["p95"]))


def test_weights_of_one_copy_are_counted_by_hand() -> None:
    """8.03 B parameters, 1.05 B of them in two tables of 16 bit."""
    tables = 2 * 128256 * 4096
    found = evaluate()
    assert value(found.parameters) == pytest.approx(8.03e9, rel=1e-3)
    assert value(found.weights_bytes) == pytest.approx(value(found.parameters) - tables + 2 * tables)


def test_arithmetic_of_a_decoded_token_by_hand() -> None:
    """2 for each weight but the input table, and 4 x 32 heads x 128 for each of 1,536 tokens in 32 layers."""
    found = evaluate()
    weights = 2 * (value(found.parameters) - 128256 * 4096)
    assert value(found.model_flop_per_token) == pytest.approx(weights + 32 * 4 * 32 * 128 * 1536)


def test_a_step_cannot_read_faster_than_its_memory() -> None:
    found = evaluate(plan=plan(instance(1)), concurrency=number(8))
    assert value(found.replicas) == 8
    assert value(found.batch) == 1
    assert 0.5 < value(found.memory_bandwidth_share) < 1
    assert value(found.mfu) < 0.02


def test_an_own_measurement_corrects_time_and_rate() -> None:
    """With one request in flight the rate falls as the time of a request grows."""
    fixed: dict[str, Any] = {"plan": plan(instance(8)), "concurrency": number(1)}
    plain, measured = evaluate(**fixed), evaluate(**fixed, measured_over_predicted_tpot=1.25)
    assert value(measured.tpot_s) == pytest.approx(1.25 * value(plain.tpot_s))
    assert value(measured.time_breakdown_s["calibration"]) == pytest.approx(0.25 * value(plain.tpot_s))
    assert value(measured.ttft_s) == value(plain.ttft_s)
    slower = value(plain.end_to_end_s) / value(measured.end_to_end_s)
    assert value(measured.requests_per_s) == pytest.approx(slower * value(plain.requests_per_s))


def test_more_is_answered_where_nothing_is_promised() -> None:
    free, held = evaluate(), evaluate(level=level(tpot_s=0.008))
    assert value(held.tpot_within_s) <= 0.008
    assert value(held.requests_per_s) < value(free.requests_per_s)


@pytest.mark.slow
def test_of_all_layouts_none_that_keeps_the_promise_answers_more() -> None:
    promised = level(ttft_s=0.5, tpot_s=0.01)
    best = evaluate(level=promised)
    for tensor in (1, 2, 4, 8):
        stated = evaluate(level=promised, plan=plan(instance(tensor)))
        if value(stated.tpot_within_s) <= 0.01 and value(stated.ttft_within_s) <= 0.5:
            assert value(stated.requests_per_s) <= value(best.requests_per_s) * 1.01, tensor


@pytest.mark.slow
@pytest.mark.parametrize("asked", [0.01, 1.0, 20.0])
def test_the_load_of_a_demand_is_what_it_asks_for(asked: float) -> None:
    found = evaluate(demand=demand(asked / 2, peak_to_mean=2.0))
    assert value(found.requests_per_s) == pytest.approx(asked, rel=0.01)
    assert value(found.requests_per_s_limit) > asked
    assert value(found.supernodes_needed) == 1


def test_a_demand_beyond_the_pod_needs_more_of_it() -> None:
    found = evaluate(demand=demand(1e4), level=level(tpot_s=0.05))
    each = value(found.requests_per_s_limit) / value(found.replicas)
    assert value(found.requests_per_s) == pytest.approx(value(found.requests_per_s_limit))
    replicas = np.ceil(1e4 / each)
    inside = 8 // value(found.accelerators_per_replica)
    assert value(found.supernodes_needed) == np.ceil(replicas / inside)


def headroom(found: ServingPerformance, availability: float) -> float:
    more = with_headroom(
        found,
        workload=workload(demand=demand(1e4)),
        supernodes=(dgx_h100(),),
        replica_availability=number(availability),
    )
    return value(more.supernodes_needed_with_headroom)


def test_replicas_that_fail_need_headroom() -> None:
    found = evaluate(demand=demand(1e4))
    assert np.isnan(value(found.supernodes_needed_with_headroom))
    needed = value(found.supernodes_needed)
    assert headroom(found, 1.0) == needed < headroom(found, 0.99) < headroom(found, 0.9)


def test_without_a_demand_nothing_is_needed() -> None:
    found = evaluate()
    assert found.supernodes_needed is None
    assert found.supernodes_needed_with_headroom is None


def test_a_split_says_what_it_sends_and_who_prefills() -> None:
    found = evaluate(plan=SPLIT, concurrency=number(64))
    assert found.mode == "disaggregated"
    assert value(found.accelerators_per_replica) == 4
    assert value(found.replicas) == 2
    assert value(found.prefill_share) == 0.5
    assert value(found.kv_transfer_s) > 0
    assert evaluate().kv_transfer_s is None


@pytest.mark.slow
def test_a_split_without_counts_is_balanced_within_the_pod() -> None:
    found = evaluate(plan=plan(instance(1), instance(1)), level=level(ttft_s=2.0, tpot_s=0.05))
    size = value(found.accelerators_per_replica)
    assert size == value(found.strategy["prefill_instances"] + found.strategy["decode_instances"])
    assert size * value(found.replicas) <= 8
    alone = evaluate(
        plan=plan(instance(1), instance(1), decode_instances=number(1), prefill_instances=number(7)),
        level=level(ttft_s=2.0, tpot_s=0.05),
    )
    assert value(found.requests_per_s) >= value(alone.requests_per_s)


@pytest.mark.slow
def test_a_search_over_splits_finds_layouts_for_both_sides() -> None:
    found = evaluate(mode="disaggregated", level=level(ttft_s=2.0, tpot_s=0.05))
    assert found.mode == "disaggregated"
    assert {"prefill_tp", "prefill_instances", "decode_instances"} <= found.strategy.keys()


def test_a_mixture_of_experts_is_tried_with_replicas_of_attention() -> None:
    mixture = llama_8b(
        experts=64, experts_per_token=4, expert_hidden=2048, expert_layers=32, feed_forward_hidden=0
    )
    found = evaluate(architecture=build(type(mixture), **_fields(mixture)))
    ranks = value(found.strategy["tp"] * found.strategy["dp"])
    assert ranks * value(found.replicas) <= 8
    assert value(found.strategy["ep"]) in (1, ranks)


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


def test_smaller_keys_and_values_leave_room_for_more_requests() -> None:
    wide, narrow = (
        evaluate(plan=plan(instance(1))),
        evaluate(plan=plan(instance(1)), parts=parts(kv_element_bytes=1.0)),
    )
    assert value(narrow.batch_limit) > 1.9 * value(wide.batch_limit)
    assert value(narrow.kv_bytes_per_request) == value(wide.kv_bytes_per_request) / 2
    assert value(wide.kv_bytes_per_request) == 2048 * 32 * 2 * 8 * 128 * 2


@pytest.mark.slow
@given(st.integers(1, 600), st.sampled_from([1, 2, 4, 8]))
def test_more_in_flight_answers_no_less_and_nobody_sooner(requests: int, tensor: int) -> None:
    few = evaluate(plan=plan(instance(tensor)), concurrency=number(requests))
    many = evaluate(plan=plan(instance(tensor)), concurrency=number(requests * 1.5))
    assert value(many.tokens_per_s) >= value(few.tokens_per_s) * (1 - 1e-9)
    assert value(many.end_to_end_s) >= value(few.end_to_end_s) * (1 - 1e-9)


def test_many_samples_are_evaluated_at_once() -> None:
    """Each sample as by itself, with the layout and load of their median."""
    fixed: dict[str, Any] = {"plan": plan(instance(4)), "concurrency": number(64)}
    ratios = np.array([[1.0], [1.1], [1.3]])
    together = evaluate(**fixed, measured_over_predicted_tpot=ratios)
    alone = [value(evaluate(**fixed, measured_over_predicted_tpot=ratio).tpot_s) for ratio in ratios]
    assert together.tpot_s.shape == (3, 1)
    np.testing.assert_allclose(together.tpot_s[:, 0], alone)
