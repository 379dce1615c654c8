"""Prompts cut over ranks: long ones in nearly a part of their time, short ones in no less, never below arithmetic."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.engine.performance.serving.context_exchange import gathered_kv_bytes, gathering_s
from app.engine.performance.serving.engine_rules import runs
from app.engine.performance.serving.expert_load import accelerators_of, ranks_of
from app.engine.performance.serving.kv_transfer import replica_ranks
from app.engine.performance.serving.memory import Occupancy, serving_memory
from app.engine.performance.serving.served_model import served_model
from app.engine.performance.serving.setting import setting_of
from app.engine.performance.serving.space import cuts_of, layouts_of
from app.engine.trace import first_of
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving import pods
from tests.engine.performance.serving.speed_cases import prompt, roofline, step
from tests.support import number

RANDOM = np.random.default_rng(3)


def gathered(tokens: float, cp: float, *, layers: float, elements: float, shards: float) -> float:
    found = gathered_kv_bytes(
        tokens=number(tokens),
        attention_layers=number(layers),
        elements=number(elements),
        index_elements=number(0),
        shards=number(shards),
        context_parallel=number(cp),
    )
    return first_of(found)


def test_a_rank_gathers_what_the_others_have() -> None:
    """Llama 70B on eight ranks, one head each: 2 x 128 elements of 2 B in 80 layers, of three quarters of 32,768 tokens."""
    assert gathered(32_768, 4, layers=80, elements=2048, shards=8) == 0.75 * 32_768 * 80 * 256 * 2
    assert gathered(32_768, 1, layers=80, elements=2048, shards=8) == 0
    # a latent has no heads to cut
    assert gathered(1000, 2, layers=61, elements=576, shards=1) == 0.5 * 1000 * 61 * 576 * 2


def test_replicas_gather_at_the_same_time() -> None:
    """1 GB at 100 GB/s and 10 passes of 80 layers at 5 us: 14 ms, of two prompts at once 7 ms each."""
    found = gathering_s(
        gathered_kv_bytes=number(1e9),
        bytes_per_s=number(100e9),
        passes=number(10),
        attention_layers=number(80),
        latency_s=number(5e-6),
        prompts=number(2),
    )
    assert first_of(found) == pytest.approx(7e-3)


def test_a_long_prompt_takes_its_share_and_the_exchange() -> None:
    """Llama 70B, 65,536 tokens, eight chunks: arithmetic over four ranks, keys and values, and the weights of each chunk."""
    whole, cut = (prompt(cases.llama_70b(), cases.layout(cp=cp), tokens=65_536) for cp in (1, 4))
    weights = 8 * first_of(whole.passes.weights_s) * 2  # that a pass reads by itself
    arithmetic = first_of(whole.alone_s) - weights
    machine = cases.machine(1)
    keys = gathered(65_536, 4, layers=80, elements=2048, shards=1)
    exchange = keys / first_of(machine.scale_up_bandwidth_bytes_per_s)
    assert first_of(cut.alone_s) == pytest.approx(arithmetic / 4 + exchange + weights)
    assert first_of(cut.alone_s) < first_of(whole.alone_s) / 3


def test_a_short_prompt_gains_nothing_where_the_host_is_slow() -> None:
    whole, cut = (
        prompt(cases.llama_70b(), cases.layout(cp=cp), tokens=64, prefill_kernel_time_s=100e-6)
        for cp in (1, 8)
    )
    assert first_of(cut.alone_s) == pytest.approx(first_of(whole.alone_s), rel=0.05)


@pytest.mark.slow
def test_no_cut_is_below_the_arithmetic_bound() -> None:
    """Over 120 prompts, layouts and models: not sooner than all ranks at work, and not later than one but for exchange."""
    for _ in range(120):
        model = (cases.llama_70b(), cases.gpt_oss())[RANDOM.integers(2)]
        tokens, cp, tp = (
            float(RANDOM.integers(64, 100_000)), float(2 ** RANDOM.integers(1, 4)), float(2 ** RANDOM.integers(0, 3)),
        )  # fmt: skip
        whole = prompt(model, cases.layout(tp=tp), tokens=tokens)
        cut = prompt(
            model, cases.layout(tp=tp, cp=cp, ep=tp * cp if first_of(model.experts) else 1), tokens=tokens
        )
        more = prompt(
            model,
            cases.layout(tp=tp, cp=2 * cp, ep=2 * tp * cp if first_of(model.experts) else 1),
            tokens=tokens,
        )
        served, m = served_model(model), model
        active = served.dense_parameters + m.expert_layers * m.experts_per_token * served.expert_parameters
        bound = first_of(2 * active * tokens) / (tp * cp) / 1e15
        assert first_of(cut.alone_s) > bound
        assert first_of(cut.cost_s) > bound
        if not first_of(model.experts):  # experts on whole ranks exchange otherwise than slices of them
            assert first_of(cut.alone_s) >= first_of(whole.alone_s) / cp * (1 - 1e-9)
        if tokens > 16_384:
            assert first_of(more.alone_s) < first_of(cut.alone_s) < first_of(whole.alone_s)


def test_weights_outside_the_experts_are_held_by_every_rank() -> None:
    """And activations are those of a part of a chunk; keys and values of all of it are kept."""

    def held(cp: float) -> dict[str, float]:
        found = serving_memory(
            Occupancy(
                architecture=cases.llama_70b(),
                layout=cases.layout(cp=cp),
                parts=cases.parts(),
                sequence_tokens=number(32_768),
                assumptions=roofline(),
            ),
            number(1),
        )
        return {name: first_of(part) for name, part in found.breakdown_bytes.items()}

    one, four = held(1), held(4)
    assert four["weights"] == one["weights"]
    assert four["kv_cache"] == one["kv_cache"]
    assert four["activations"] == one["activations"] / 4
    layout = cases.layout(tp=2, dp=2, pp=2, cp=4)
    assert first_of(ranks_of(layout)) == 16
    assert first_of(accelerators_of(layout)) == first_of(layout.accelerators) == 32


def test_all_ranks_of_a_prompt_send_its_keys_and_values() -> None:
    found = replica_ranks(tensor_parallel=number(4), pipeline_parallel=number(2), context_parallel=number(4))
    assert first_of(found) == 32


@pytest.mark.parametrize(
    ("engine", "dp", "cp", "fine"),
    [
        ("vllm", 1, 4, True), ("vllm", 2, 4, False), ("vllm", 2, 1, True),
        ("sglang", 2, 4, True), ("mindie", 1, 2, True), ("mindie", 1, 4, False), ("mindie", 2, 2, False),
    ],
)  # fmt: skip
def test_engines_cut_prompts_in_layouts_of_their_own(engine: str, dp: float, cp: float, fine: bool) -> None:
    served = pods.workload(engine=engine)
    assert runs(served, number(16), cases.layout(tp=2, dp=dp, cp=cp)) == [fine]


@pytest.mark.parametrize(
    ("tokens", "cached", "able", "most"),
    [(32_768, 0, True, 8), (32_768, 0, False, 1), (8192, 0, True, 1), (32_768, 0.9, True, 1)],
)
def test_only_long_prompts_are_tried_on_several_ranks(
    tokens: float, cached: float, able: bool, most: float
) -> None:
    asked = dataclasses.replace(
        pods.workload().requests, input_tokens=number(tokens), cached_share=number(cached)
    )
    served = dataclasses.replace(pods.workload(requests=asked), cuts_prompts=able)
    setting = setting_of(**pods.pod(workload=served))
    cuts = cuts_of(setting)
    assert max(cuts) == most
    layouts = layouts_of(setting, cuts=cuts)
    assert np.max(layouts.context_parallel) == min(most, 8)
    assert np.all(layouts.accelerators <= 8)


def test_decoding_does_not_use_the_ranks_of_a_cut_prompt() -> None:
    """All work on every token; of gpt-oss results of experts go to all, 32 x 2,880 x 2 B x 3 / 4 a layer."""
    one, four = (
        step(cases.gpt_oss(), cases.layout(dp=2, cp=cp, ep=2 * cp), sequences=64).parts_s for cp in (1, 4)
    )
    for name in ("dense_matmul", "output_head", "attention", "launch"):
        assert first_of(four[name]) == pytest.approx(first_of(one[name])), name
    assert first_of(four["experts"]) < first_of(one["experts"])
    link = first_of(cases.machine(1).scale_up_bandwidth_bytes_per_s)
    back = 36 * 32 * 2880 * 2 * 0.75 / link
    assert first_of(four["expert_exchange"]) >= back
