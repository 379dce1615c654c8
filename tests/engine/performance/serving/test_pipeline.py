"""Pipeline stages: worked micro-batches, chunks that fill them, hand-overs, and what no layout of stages can beat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.memory import weight_bytes_each
from app.engine.performance.serving.pipeline import (
    handed_bytes,
    handing_over_s,
    longest_stage_s,
    prompt_through_stages_s,
    stage_wait_s,
    stages_apart,
)
from app.engine.trace import first_of
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import prompt, step
from tests.support import number

RANDOM = np.random.default_rng(7)


def parts_of(**changes: Any) -> dict[str, float]:
    return {name: first_of(part) for name, part in step(cases.llama_70b(), **changes).parts_s.items()}


def test_a_token_waits_for_the_stage_with_the_output_head() -> None:
    """Four stages of 20 layers: the last takes L / 4 + h, and each of four micro-batches has to pass it: 3 h more."""
    found = parts_of(layout=cases.layout(pp=4), sequences=64)
    assert found["output_head"] > 0
    assert found["stage_wait"] + found["stage_exchange"] == pytest.approx(3 * found["output_head"])


def test_one_sequence_waits_for_no_other() -> None:
    """And its token takes one way through all stages, as long as through one, but for the hand-overs."""
    staged, whole = (parts_of(layout=cases.layout(pp=pp), sequences=1) for pp in (4, 1))
    assert staged["stage_wait"] == 0
    assert {"stage_wait", "stage_exchange"}.isdisjoint(whole)
    assert sum(staged.values()) == pytest.approx(sum(whole.values()) + staged["stage_exchange"])


def test_uneven_stages_make_all_wait() -> None:
    """61 layers on two stages: 31 and 30 with the head."""
    found = longest_stage_s(
        layers_s=number(61e-3), head_s=number(0.25e-3), layers=number(61), pipeline_parallel=number(2)
    )
    assert first_of(found) == pytest.approx(31e-3)
    wait = stage_wait_s(pass_s=number(61.25e-3), longest_stage_s=found, micro_batches=number(2))
    assert first_of(wait) == pytest.approx(0.75e-3)


@pytest.mark.parametrize(
    ("stages", "ranks", "domain", "apart"),
    [(1, 8, 8, 0), (2, 8, 8, 1), (4, 4, 8, 1), (4, 16, 8, 3), (8, 8, 72, 0), (16, 8, 72, 1)],
)
def test_as_many_stages_as_fit_lie_in_a_domain(
    stages: float, ranks: float, domain: float, apart: float
) -> None:
    found = stages_apart(
        pipeline_parallel=number(stages), stage_ranks=number(ranks), domain_accelerators=number(domain)
    )
    assert first_of(found) == apart


def test_a_hand_over_sends_slices_of_two_states() -> None:
    """8,192 tokens of width 8,192 over eight ranks: 2 x 2 B x 8,192^2 / 8 = 33.6 MB of each, twice within a domain, once beyond."""
    sent = handed_bytes(tokens=number(8192), hidden=number(8192), tensor_parallel=number(8))
    assert first_of(sent) == 33_554_432
    found = handing_over_s(
        pipeline_parallel=number(4),
        apart=number(1),
        handed_bytes=sent,
        passes=number(1),
        latency_s=number(5e-6),
        across_latency_s=number(30e-6),
        within_bytes_per_s=number(400e9),
        across_bytes_per_s=number(40e9),
    )
    assert first_of(found) == pytest.approx(45e-6 + 33_554_432 * (2 / 400e9 + 1 / 40e9))


@pytest.mark.parametrize(
    ("passes", "stages", "follow", "share"),
    [(4, 4, 1, 7 / 16), (1, 4, 1, 1), (4, 1, 1, 1), (4, 4, 0, 1), (1000, 4, 1, 1003 / 4000)],
)
def test_chunks_fill_the_stages(passes: float, stages: float, follow: float, share: float) -> None:
    """(c + p - 1) / (c p) of the time on all stages one after another, where chunks follow."""
    found = prompt_through_stages_s(
        prefill_s=number(1),
        passes=number(passes),
        stage_share=number(1 / stages),
        chunks_follow=number(follow),
    )
    assert first_of(found) == pytest.approx(share)


def test_a_long_prompt_is_prefilled_in_parts_of_its_time() -> None:
    """Llama 70B, 65,536 tokens in eight chunks on four stages: 11 / 32 of the time, and three hand-overs of a chunk."""
    whole = prompt(cases.llama_70b(), tokens=65_536)
    staged = prompt(cases.llama_70b(), cases.layout(pp=4), tokens=65_536)
    handed = 3 * 8192 * 8192 * 4 / first_of(cases.machine(1).scale_up_bandwidth_bytes_per_s)
    assert first_of(staged.alone_s) == pytest.approx(first_of(whole.alone_s) * 11 / 32 + handed)
    assert first_of(staged.cost_s) == pytest.approx(first_of(whole.cost_s) / 4)
    waiting = prompt(cases.llama_70b(), cases.layout(pp=4), tokens=65_536, prompt_chunks_follow=0)
    assert first_of(waiting.alone_s) == pytest.approx(first_of(whole.alone_s) + 8 * handed)


@pytest.mark.slow
def test_no_stages_beat_their_share_of_the_work() -> None:
    """Over 120 prompts and layouts: no sooner than all ranks at work, and never sooner for fewer stages' throughput."""
    for _ in range(120):
        tokens, stages = float(RANDOM.integers(100, 200_000)), float(2 ** RANDOM.integers(0, 4))
        chunk = float(2 ** RANDOM.integers(9, 15))
        whole = prompt(cases.llama_70b(), tokens=tokens, chunk_tokens=chunk)
        staged = prompt(cases.llama_70b(), cases.layout(pp=stages), tokens=tokens, chunk_tokens=chunk)
        assert first_of(staged.alone_s) >= first_of(whole.alone_s) / stages * (1 - 1e-12)
        assert first_of(staged.cost_s) >= first_of(whole.cost_s) / stages * (1 - 1e-12)
        if tokens > chunk * stages:
            assert first_of(staged.alone_s) <= first_of(whole.alone_s) * (1 + 1e-3)


def test_the_fullest_stage_has_most_layers_and_a_table() -> None:
    """A quarter of the layers of Llama 70B, and the embedding or the output head."""
    model = cases.llama_70b()
    one, four = (
        first_of(weight_bytes_each(architecture=model, layout=cases.layout(pp=pp), parts=cases.parts()))
        for pp in (1, 4)
    )
    table = 128_256 * 8192 * 2
    assert four == pytest.approx((one - 2 * table) / 4 + table)
