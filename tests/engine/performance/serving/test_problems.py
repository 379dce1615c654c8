"""Problems of a served model: the term that binds is named, with its limit and a way out."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.engine.fabric.collectives.shared_links import nothing_shared
from app.engine.performance.serving.answers import OF_A_TOKEN, TO_THE_FIRST_TOKEN
from app.engine.performance.serving.evaluate import evaluate_serving
from app.engine.performance.serving.problems import serving_problems
from app.engine.performance.serving.setting import setting_of
from app.engine.performance.serving.words import FLOOR_WORDS, MEMORY_WORDS
from app.engine.specs import Adapters, Encoder, Pod, Requests, ServingPlan
from tests.engine.performance.serving.pods import (
    demand,
    evaluate,
    instance,
    level,
    llama_3_1_405b,
    parts,
    plan,
    pod,
    problems,
    workload,
)
from tests.support import build, dgx_h100, number


def test_nothing_stands_in_the_way_of_what_fits() -> None:
    assert problems() == []


def test_weights_that_do_not_fit_are_named_with_what_is_missing() -> None:
    (found,) = problems(architecture=llama_3_1_405b(), parts=parts(dense_parameter_bytes=2.0))
    assert (found.kind, found.constraint, found.unit) == ("infeasible", "memory", "B")
    assert "most of it weights" in found.message
    assert "pipeline stages in an instance" in found.message
    assert found.value is not None
    assert found.limit is not None
    assert found.missed_by == pytest.approx(found.value - found.limit)


def test_keys_and_values_that_fit_no_batch_are_named() -> None:
    long = build(
        Requests, input_tokens=1e6, output_tokens=1, input_variation=0, output_variation=0, cached_share=0
    )
    (found,) = problems(requests=long, plan=plan(instance(1)))
    assert found.constraint == "memory"
    assert "KV cache of the request" in found.message
    assert "8 bit" in found.message


def test_a_time_per_token_below_the_floor_names_the_largest_term() -> None:
    (found,) = problems(level=level(tpot_s=1e-4), plan=plan(instance(8)))
    alone = evaluate(level=level(tpot_s=1e-4), plan=plan(instance(8)), concurrency=number(1))
    largest = max(alone.time_breakdown_s, key=lambda name: float(alone.time_breakdown_s[name][0]))
    assert (found.kind, found.field) == ("infeasible", "workload.service_level.tpot_s")
    assert found.limit == 1e-4
    assert "Even a single request" in found.message
    assert f"Its parts: {FLOOR_WORDS[largest]}" in found.message


def test_a_first_token_below_the_floor_names_its_prefill() -> None:
    long = build(
        Requests, input_tokens=1e5, output_tokens=10, input_variation=0, output_variation=0, cached_share=0
    )
    (found,) = problems(level=level(ttft_s=0.2), requests=long)
    assert found.field == "workload.service_level.ttft_s"
    assert "Its parts: prefill" in found.message
    assert "prefix cache" in found.message


def test_a_stated_load_beyond_the_promise_says_so() -> None:
    (found,) = problems(level=level(tpot_s=0.008), plan=plan(instance(1)), concurrency=number(1000))
    assert found.field == "workload.service_level.tpot_s"
    assert "Fewer requests in flight" in found.message


def test_more_in_flight_than_memory_holds_is_a_warning() -> None:
    (found,) = problems(plan=plan(instance(1)), concurrency=number(1e5))
    assert (found.kind, found.field) == ("warning", "workload.concurrency")
    assert found.fix is not None
    assert found.fix.value == found.limit


def test_a_demand_beyond_the_pod_says_how_many_supernodes_it_needs() -> None:
    (found,) = problems(demand=demand(1e4), level=level(tpot_s=0.05))
    assert (found.field, found.constraint, found.limit) == ("workload.demand", "demand", 1)
    assert found.fix is not None
    assert found.fix.field == "pod.supernodes"
    assert found.fix.value == found.value


def test_a_replica_larger_than_the_pod_is_refused_with_a_way_out() -> None:
    (found,) = problems(plan=plan(instance(16)), concurrency=number(1))
    assert (found.constraint, found.value, found.limit) == ("layout", 16, 8)
    assert found.fix is not None
    assert (found.fix.field, found.fix.value) == ("pod.supernodes", 2)
    assert "Smaller or fewer instances" in found.message


def test_a_group_that_was_searched_for_and_does_not_fit_can_be_one_instance() -> None:
    one = build(Pod, supernodes=1, accelerators_used=1, fabric=None)
    (found,) = problems(one, mode="disaggregated")
    assert (found.constraint, found.value, found.limit) == ("layout", 2, 1)
    assert "mode: aggregated" in found.message


@pytest.mark.slow
def test_prefill_instances_that_hold_no_prompt_are_named() -> None:
    """Llama 3.1 405B in 8 bit: 406 GB, which 8 of H100 hold and 2 do not."""
    small = plan(instance(8), instance(2), decode_instances=number(1), prefill_instances=number(4))
    two = build(Pod, supernodes=2, accelerators_used=16, fabric=None)
    changes: dict[str, Any] = {"architecture": llama_3_1_405b(), "plan": small, "concurrency": number(1)}
    (found,) = problems(two, **changes)
    assert (found.kind, found.field, found.constraint) == ("infeasible", "workload.layout.prefill", "memory")
    assert "on a prefill instance" in found.message
    assert found.missed_by == pytest.approx(found.value - found.limit)  # type: ignore[operator]
    same = plan(instance(8), instance(8), decode_instances=number(1), prefill_instances=number(1))
    assert problems(two, **(changes | {"plan": same})) == []


def test_a_promise_that_no_load_keeps_is_not_mended_by_supernodes() -> None:
    found = problems(demand=demand(1e4), level=level(tpot_s=1e-4), plan=plan(instance(8)))
    assert [problem.field for problem in found] == ["workload.service_level.tpot_s"]


def test_every_term_has_words() -> None:
    terms = {*OF_A_TOKEN, *TO_THE_FIRST_TOKEN, "calibration"}
    assert terms == set(FLOOR_WORDS)
    adapters = build(Adapters, count=2, rank=8, slots=2, share=1, popularity=1, everywhere=True)
    encoder = build(
        Encoder,
        layers=2, hidden=8, inner=8, matrices=2, windowed_layers=0, window_positions=0, projector_parameters=1, spans=1,
        positions=4, tokens=1,
    )  # fmt: skip
    assert set(MEMORY_WORDS) == set(evaluate(adapters=adapters, encoder=encoder).memory_breakdown_bytes)


def test_answers_of_one_token_have_no_time_per_token_to_keep() -> None:
    def named(tokens_out: float) -> set[str]:
        requests = build(
            Requests,
            input_tokens=1024, output_tokens=tokens_out, input_variation=0, output_variation=0, cached_share=0,
        )  # fmt: skip
        return {one.constraint for one in problems(requests=requests, level=level(tpot_s=1e-6))}

    assert "tpot" in named(2)
    assert "tpot" not in named(1)


def test_a_group_beyond_its_domain_without_a_fabric_is_said() -> None:
    """One SuperNode whose accelerators lie in domains of four, a group of prefill and decode over both."""

    def named(layout: ServingPlan) -> list[str]:
        given = pod(
            workload=workload(plan=layout, concurrency=4),
            supernode=replace(dgx_h100(), scale_up_domain_accelerators=np.full(1, 4.0)),
            fabric=SimpleNamespace(
                scale_out_bandwidth_bytes_per_s=np.zeros(1),
                shared_links=nothing_shared(),
            ),
        )
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            found = evaluate_serving(**given)
            said = serving_problems(setting=setting_of(**given), pod=given["pod"], performance=found)
        return [one.constraint for one in said]

    one = {"decode_instances": np.ones(1), "prefill_instances": np.ones(1)}
    assert named(plan(instance(4), prefill=instance(4), **one)) == ["topology"]
    assert named(plan(instance(4), decode_instances=np.ones(1))) == []
