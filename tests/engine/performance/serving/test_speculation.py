"""Tokens guessed ahead: how many stand, what guessing takes in time and memory, and the best length."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.best_length import LENGTHS, lengths_tried, with_best_length
from app.engine.performance.serving.decode import decode_step
from app.engine.performance.serving.memory import Occupancy, batch_limit, serving_memory
from app.engine.performance.serving.replica_load import Replica
from app.engine.performance.serving.served_model import served_model
from app.engine.performance.serving.speculation import tokens_standing
from app.engine.specs.serving import Speculation
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.search.cases import setting
from tests.engine.performance.serving.speed_cases import YEAR, roofline
from tests.support import number


def guesses(tokens: float, acceptance: float = 0.7, **more: Any) -> Speculation:
    return Speculation(tokens=number(tokens), acceptance=number(acceptance), **more)


def parts_s(
    speculation: Speculation, model: Any = None, sequences: float = 1, **changes: float
) -> dict[str, Any]:
    return decode_step(
        model=served_model(model or cases.llama_70b()),
        parts=cases.parts(),
        machine=cases.machine(cases.GB200_BYTES),
        layout=cases.layout(tp=8),
        sequences=number(sequences),
        context_tokens=number(1024),
        step_tokens=1 + speculation.tokens,
        engine_year=number(YEAR),
        assumptions=roofline(**changes),
        speculation=speculation,
    ).parts_s


@pytest.mark.parametrize(
    ("guessed", "acceptance", "expected"), [(0, 0.7, 1), (1, 0.7, 1.7), (3, 0, 1), (3, 1, 4), (2, 0.5, 1.75)]
)
def test_tokens_of_a_step(guessed: float, acceptance: float, expected: float) -> None:
    """CloudMatrix384 (arXiv 2506.12708): one token guessed, 70 % stand, 1.7 tokens a step."""
    found = tokens_standing(guessed=number(guessed), acceptance=number(acceptance))
    assert found[0] == pytest.approx(expected)


@given(guessed=st.integers(0, 16), acceptance=st.floats(0, 1))
def test_between_one_and_all(guessed: int, acceptance: float) -> None:
    found = tokens_standing(guessed=number(guessed), acceptance=number(acceptance))
    assert 1 <= found[0] <= guessed + 1 + 1e-9


def test_a_guess_passes_one_layer_and_the_head() -> None:
    """Of 80 layers; the layer works on one token a sequence, however many the step checks."""
    once = parts_s(guesses(0))
    layers = sum(
        part[0]
        for name, part in once.items()
        if name not in ("output_head", "step_overhead", "sequence_overhead")
    )
    found = parts_s(guesses(3))["guessing"][0]
    assert found == pytest.approx(3 * (layers / 80 + once["output_head"][0]))
    assert "guessing" not in once


def test_exchange_of_a_guess_counts() -> None:
    """An all-reduce of a layer and guess more where an all-reduce takes a time of its own."""
    free, paid = (parts_s(guesses(1), all_reduce_latency_s=each)["guessing"][0] for each in (0.0, 1e-5))
    assert paid - free == pytest.approx(2e-5, rel=0.05)


def test_a_draft_model_passes_all_its_layers() -> None:
    draft = replace(cases.llama_70b(), layers=number(16), attention_layers=number(16))
    small = parts_s(guesses(2, draft=draft))["guessing"][0]
    module = parts_s(guesses(2))["guessing"][0]
    alone = parts_s(guesses(0), model=draft)
    whole = sum(part[0] for name, part in alone.items() if name not in ("step_overhead", "sequence_overhead"))
    assert small == pytest.approx(2 * whole)
    assert small > 5 * module


def occupancy(speculation: Speculation | None, **more: Any) -> Occupancy:
    return Occupancy(
        architecture=more.get("architecture", cases.llama_70b()),
        layout=cases.layout(tp=8),
        parts=cases.parts(),
        sequence_tokens=number(4096),
        assumptions=cases.assumed(),
        speculation=speculation,
    )


def test_the_module_takes_memory_by_hand() -> None:
    """Llama 3.1 70B: a layer of 855 million parameters and 2 h^2 = 134 million, 2 B each, over 8 ranks."""
    none, one = (serving_memory(occupancy(guesses(k)), number(10)).breakdown_bytes for k in (0, 1))
    layer = 8192 * (8192 * 2 + 2 * 1024) + 3 * 8192 * 28672
    more = one["weights"][0] - none["weights"][0]
    assert more == pytest.approx((layer + 2 * 8192**2) * 2 / 8, rel=1e-3)
    assert one["kv_cache"][0] == pytest.approx(none["kv_cache"][0] * 81 / 80)
    assert none["weights"][0] == serving_memory(occupancy(None), number(10)).breakdown_bytes["weights"][0]


def test_a_module_with_experts_holds_them() -> None:
    none, one = (
        serving_memory(occupancy(guesses(k), architecture=deepseek_v3()), number(1)).breakdown_bytes[
            "weights"
        ][0]
        for k in (0, 1)
    )
    experts = 256 * 3 * 7168 * 2048
    assert (one - none) * 8 / 2 > 0.9 * experts  # of the mean of 61 layers, 58 of them with experts


def test_a_draft_model_takes_its_weights_and_its_cache() -> None:
    draft = replace(cases.llama_70b(), layers=number(8), attention_layers=number(8))
    none, with_draft = (
        serving_memory(occupancy(guesses(k, draft=draft)), number(10)).breakdown_bytes for k in (0, 2)
    )
    assert with_draft["kv_cache"][0] == pytest.approx(none["kv_cache"][0] * 88 / 80)
    assert with_draft["weights"][0] > none["weights"][0] + 8 * 8192 * 28672 * 3 * 2 / 8


def test_guessing_never_leaves_more_room() -> None:
    held = [batch_limit(occupancy(guesses(k)), cases.machine(cases.H100_BYTES))[0] for k in range(5)]
    assert held == sorted(held, reverse=True)


def found_lengths(concurrency: float, acceptance: float) -> list[float]:
    base = setting()
    asked = replace(base.workload, speculation=guesses(1, acceptance))
    replica = Replica(decode=cases.layout(tp=8), decode_instances=np.ones(1))
    tried = lengths_tried(replace(base, workload=asked), replica, number(concurrency))
    assert [one.tokens for one in tried] == list(LENGTHS)
    return [one.gain for one in tried]


@pytest.mark.slow
def test_the_best_length_falls_with_load_and_rises_with_acceptance() -> None:
    """Checking many sequences is arithmetic; where no guess stands none is best."""
    few, many = (int(np.argmax(found_lengths(load, 0.7))) for load in (1, 256))
    assert few > many
    assert int(np.argmax(found_lengths(1, 0.95))) >= few
    assert int(np.argmax(found_lengths(1, 0.0))) == 0


def test_auto_takes_the_shortest_time_per_token() -> None:
    base = setting()
    asked = replace(base.workload, speculation=guesses(1, 0.9, auto=True), concurrency=number(1))
    found = with_best_length(replace(base, workload=asked))
    assert found.workload.speculation.tokens[0] >= 2
    hopeless = replace(asked, speculation=guesses(1, 0.0, auto=True))
    assert with_best_length(replace(base, workload=hopeless)).workload.speculation.tokens[0] == 0
    stated = replace(base, workload=replace(asked, speculation=guesses(1)))
    assert with_best_length(stated) is stated
