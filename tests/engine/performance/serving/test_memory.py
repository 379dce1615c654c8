"""Memory of an accelerator that serves: published batch limits, weights by layout, sums and limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.memory import Occupancy, batch_limit, serving_memory, shared_prefix_bytes
from app.engine.specs import Architecture, ServingLayout, Speculation
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.support import number

DECODES = {"prefills": number(0)}


def limit(
    model: Architecture, layout: ServingLayout, memory: float, tokens: float, **changes: float
) -> float:
    return float(
        batch_limit(
            Occupancy(
                architecture=model,
                layout=layout,
                parts=cases.parts(),
                sequence_tokens=number(tokens),
                assumptions=cases.assumed(**changes),
            ),
            cases.machine(memory),
        )[0]
    )


def weights(model: Architecture, layout: ServingLayout, **changes: float) -> float:
    needed = serving_memory(
        Occupancy(
            architecture=model,
            layout=layout,
            parts=cases.parts(),
            sequence_tokens=number(1),
            assumptions=cases.assumed(**changes),
        ),
        number(0),
    )
    return float(needed.breakdown_bytes["weights"][0])


@pytest.mark.parametrize(("tokens", "published"), [(2048, 1408), (4096, 768)])
@pytest.mark.parametrize("redundant", [0, 32])
def test_deepseek_on_gb200_as_sglang(tokens: float, published: float, redundant: float) -> None:
    """SGLang team 2025-09-25, lmsys.org/blog/2025-09-25-gb200-part-2: 48 decode ranks, KV cache about full.

    Experts in NVFP4 with its scales, the rest of the checkpoint 1.6 bytes a parameter on average, keys and
    values in FP8. The run had 32 redundant experts.
    """
    held = batch_limit(
        Occupancy(
            architecture=deepseek_v3(),
            layout=cases.layout(dp=48, ep=48, copies=redundant),
            parts=cases.parts(dense=1.6, expert=0.5625, kv=1, sent=0.5625),
            sequence_tokens=number(tokens),
            assumptions=cases.assumed(kv_block_tokens=64),
            **DECODES,
        ),
        cases.machine(cases.GB200_BYTES),
    )
    assert held[0] / 48 == pytest.approx(published, rel=0.10)


def test_weights_of_a_dense_model() -> None:
    """Llama 3.1 70B: 70.55e9 parameters in 16 bit over 8 ranks, biases and norms left out."""
    assert weights(cases.llama_70b(), cases.layout(tp=8)) == pytest.approx(70.55e9 * 2 / 8, rel=1e-3)


def test_weights_of_experts_are_over_all_ranks() -> None:
    """58 layers of 256 experts of 3 x 7168 x 2048; what is outside them is on every replica."""
    routed = 58 * 256 * 3 * 7168 * 2048 * 2
    outside = weights(deepseek_v3(), cases.layout()) - routed
    assert outside == pytest.approx((671.03e9 - routed / 2) * 2, rel=1e-3)
    spread = weights(deepseek_v3(), cases.layout(dp=48, ep=48))
    assert spread == pytest.approx(outside + routed / 48)
    assert weights(deepseek_v3(), cases.layout(tp=8, ep=8)) == pytest.approx((outside + routed) / 8)
    copies = weights(deepseek_v3(), cases.layout(dp=48, ep=48, copies=32))
    assert copies == pytest.approx(outside + 1.125 * routed / 48)


def test_copies_of_experts_take_room_and_nothing_without_experts() -> None:
    alike = {"memory": cases.GB200_BYTES, "tokens": 4096.0}
    assert limit(deepseek_v3(), cases.layout(dp=48, ep=48, copies=32), **alike) < limit(
        deepseek_v3(), cases.layout(dp=48, ep=48), **alike
    )
    llama = cases.llama_70b()
    assert weights(llama, cases.layout(tp=8, copies=32)) == weights(llama, cases.layout(tp=8))


def test_stages_share_weights_and_one_table_each() -> None:
    model = cases.llama_70b()
    table = 128256 * 8192 * 2
    whole = weights(model, cases.layout())
    assert weights(model, cases.layout(pp=2)) == pytest.approx((whole - 2 * table) / 2 + table)
    tied = replace(model, tied_embedding=number(1))
    assert weights(tied, cases.layout()) == pytest.approx(whole - table)


def test_llama_batch_by_hand() -> None:
    """8 x H100: 0.9 x 85.5 GB less weights, one chunk, reserve, over keys, values and logits of a sequence."""
    chunk = 8192 * 2 * (4 * 8192 + 3 * 28672 / 8)
    free = 0.9 * cases.H100_BYTES - weights(cases.llama_70b(), cases.layout(tp=8)) - chunk - 3e9
    expected = np.floor(free / (4096 * 327_680 / 8 + 128256 * 4))
    assert limit(cases.llama_70b(), cases.layout(tp=8), cases.H100_BYTES, 4096) == expected


def test_what_does_not_fit() -> None:
    assert limit(cases.llama_70b(), cases.layout(), cases.H100_BYTES, 1024) == 0  # weights alone
    assert limit(cases.llama_70b(), cases.layout(tp=4), cases.H100_BYTES, 1e9) == 0  # one sequence
    assert np.isnan(limit(cases.llama_70b(), cases.layout(tp=8), np.nan, 1024))


def test_shared_prefix_makes_room() -> None:
    own = Occupancy(
        architecture=cases.llama_70b(),
        layout=cases.layout(tp=8),
        parts=cases.parts(),
        sequence_tokens=number(4096),
        assumptions=cases.assumed(),
    )
    alone, half = (
        batch_limit(held, cases.machine(cases.H100_BYTES))[0]
        for held in (own, replace(own, shared_tokens=number(2048)))
    )
    assert 1.9 * alone < half < 2.1 * alone


def test_a_shared_prefix_is_held_once_by_hand() -> None:
    """2,000 of 4,096 tokens are 125 blocks of 16, of which eight ranks have 40,960 B a token each, once."""
    own = Occupancy(
        architecture=cases.llama_70b(),
        layout=cases.layout(tp=8, dp=2),
        parts=cases.parts(),
        sequence_tokens=number(4096),
        assumptions=cases.assumed(),
    )
    shared = replace(own, shared_tokens=number(2000))
    each = 327_680 / 8
    assert shared_prefix_bytes(shared)[0] == 2000 * each
    for batch in (0, 1, 2, 32):
        sequences = np.ceil(batch / 2)  # of one replica of attention
        kept = serving_memory(shared, number(batch)).breakdown_bytes
        assert kept["kv_cache"][0] == 2000 * each + sequences * (4096 - 2000) * each
        bare = serving_memory(own, number(batch)).breakdown_bytes
        assert {name: part for name, part in kept.items() if name != "kv_cache"} == {
            name: part for name, part in bare.items() if name != "kv_cache"
        }
    nothing = replace(own, shared_tokens=number(15))  # no whole block
    assert serving_memory(nothing, number(9)) == serving_memory(own, number(9))


@pytest.mark.slow
@given(
    tensor=st.sampled_from([1, 2, 4, 8]), data=st.sampled_from([1, 4, 16]), pipeline=st.sampled_from([1, 2]),
    tokens=st.integers(1, 200_000), gigabytes=st.floats(40, 400), kv=st.sampled_from([0.5, 1, 2]),
    share=st.sampled_from([0, 0.3, 1]),
)  # fmt: skip
def test_the_limit_is_what_fits(
    tensor: int, data: int, pipeline: int, tokens: int, gigabytes: float, kv: float, share: float
) -> None:
    layout = cases.layout(tp=tensor, dp=data, pp=pipeline, ep=tensor * data)
    held = Occupancy(
        architecture=deepseek_v3(),
        layout=layout,
        parts=cases.parts(dense=1, expert=0.5625, kv=kv),
        sequence_tokens=number(tokens),
        shared_tokens=number(share * tokens),
        assumptions=cases.assumed(),
        speculation=Speculation(tokens=number(1), acceptance=number(0.7)),
    )
    most = batch_limit(held, cases.machine(gigabytes * 1e9))
    usable = 0.9 * gigabytes * 1e9
    needed = serving_memory(held, most)
    total = sum(part[0] for part in needed.breakdown_bytes.values())
    assert needed.memory_per_accelerator_bytes[0] == pytest.approx(total)
    if most[0] > 0:
        assert total <= usable * (1 + 1e-12)
    more = serving_memory(held, most + data)
    assert more.memory_per_accelerator_bytes[0] > usable * (1 - 1e-12)


def test_many_layouts_at_once() -> None:
    layouts = replace(
        cases.layout(),
        tensor_parallel=np.array([8.0, 1.0, 4.0]),
        data_parallel=np.array([1.0, 8.0, 2.0]),
        expert_parallel=np.array([8.0, 8.0, 8.0]),
    )
    at_once = batch_limit(
        Occupancy(
            architecture=deepseek_v3(),
            layout=layouts,
            parts=cases.parts(dense=1, expert=0.5625, kv=1),
            sequence_tokens=number(4096),
            assumptions=cases.assumed(),
        ),
        cases.machine(cases.GB200_BYTES),
    )
    assert at_once.shape == (3,)
    assert at_once[1] > at_once[2] > at_once[0]  # a latent is held whole by each tensor-parallel rank
