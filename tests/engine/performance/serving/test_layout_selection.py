"""What is chosen where a scenario leaves it open: layouts that hold the model, and none that answers what it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.specs import Pod
from tests.engine.performance.serving.pods import (
    demand,
    evaluate,
    instance,
    level,
    llama_3_1_405b,
    plan,
)
from tests.support import build, number


def dgx(count: int) -> Pod:
    return build(Pod, supernodes=count, accelerators_used=8 * count, fabric=None)


@pytest.mark.slow
def test_prefill_is_searched_for_among_what_holds_a_prompt() -> None:
    """405B parameters in 8 bit do not fit 4 of H100: both sides take 8."""
    found = evaluate(dgx(2), architecture=llama_3_1_405b(), mode="disaggregated")
    assert (found.strategy["prefill_tp"][0], found.strategy["tp"][0]) == (8, 8)
    assert found.requests_per_s_limit[0] > 0


def test_groups_that_do_not_fit_hold_the_model_at_least() -> None:
    found = evaluate(dgx(1), architecture=llama_3_1_405b(), mode="disaggregated")
    assert found.batch_limit[0] >= 1
    assert found.accelerators_per_replica[0] == 16


def test_what_holds_no_prompt_answers_nothing_within_the_promise() -> None:
    small = plan(instance(8), instance(2), decode_instances=number(1), prefill_instances=number(4))
    given = {"architecture": llama_3_1_405b(), "plan": small, "demand": demand(1), "concurrency": number(1)}
    found = evaluate(dgx(2), **given)
    assert found.batch_limit[0] >= 1  # decode alone would have room
    assert found.requests_per_s_limit[0] == 0
    assert found.supernodes_needed is not None
    assert np.isnan(found.supernodes_needed[0])


@pytest.mark.parametrize("promise", [{"tpot_s": 1e-4}, {"ttft_s": 1e-4}])
def test_a_promise_that_no_load_keeps_leaves_no_requests(promise: dict[str, float]) -> None:
    found = evaluate(level=level(**promise), demand=demand(1))
    assert found.requests_per_s_limit[0] == 0
    assert found.supernodes_needed is not None
    assert np.isnan(found.supernodes_needed[0])
    assert found.requests_per_s[0] > 0  # it answers, later than promised


def test_a_pod_has_whole_replicas_of_each_supernode() -> None:
    """Replicas of 5 on servers of 8: one on each, though 24 accelerators are nearly five of them."""
    found = evaluate(dgx(3), plan=plan(instance(1, pp=5)), concurrency=number(8))
    assert found.replicas[0] == 3
