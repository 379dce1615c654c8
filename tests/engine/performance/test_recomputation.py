"""Selective recomputation: what it keeps, what it costs, and that it lies between none and full."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.specs import TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100, llama_3_1_405b, number

DEEPSEEK = cases.training(cases.deepseek_v3(), 4096, 15360, "fp8")
GPT_3 = cases.training(cases.gpt(96, 12288, 96), 2048, 64, "fp16")
MODES = {"none": {}, "selective": {"selective": 1.0}, "full": {"recompute": 1.0}}


def test_deepseek_v3_by_hand() -> None:
    """Bytes per token and layer, with the recomputation and formats of arXiv 2412.19437, section 3.2.3."""
    a = cases.assumed(DEEPSEEK, dgx_h100())
    heads, hidden, expert_share = 128, 7168, 58 / 61
    inner = (3 * 18432 + 58 * 9 * 2048) / 61
    norm_inputs, latents, output = 2 * 2 * hidden, 2 * (1536 + 512 + 64), 2 * heads * 128
    swiglu_inputs, dispatched = 2 * inner * 1.03, expert_share * 8 * hidden
    selective = norm_inputs + latents + output + swiglu_inputs + dispatched
    kept = cases.layer_kept(DEEPSEEK, cases.layout(pp=16, ep=64, selective=1), a)
    assert kept / 4096 == pytest.approx(selective)
    # Besides, in 8 bit: both norm outputs, normed latents and the activation; in 16 bit: query, key and
    # value, the activation's inputs, and the experts' outputs.
    eight_bit = 2 * hidden + 1536 + 512 + inner
    sixteen_bit = 2 * heads * (192 + 192 + 128) + 2 * inner * (2 - 1.03) + 2 * dispatched
    none = cases.layer_kept(DEEPSEEK, cases.layout(pp=16, ep=64), a)
    assert none / 4096 == pytest.approx(selective + eight_bit + sixteen_bit)


def test_gpt_3_by_hand() -> None:
    """Of the 34 s b h of Korthikanti et al. 2022 the norm outputs (4) and the GeLU output (8) go.

    With them the scores of unfused attention, 5 a s / h, which are what that paper recomputes.
    """
    a = replace(
        cases.assumed(GPT_3, cases.dgx_a100()), fused_attention=number(0), dropout_mask_bytes=number(1)
    )
    kept = cases.layer_kept(GPT_3, cases.layout(selective=1, sequence_parallel=0), a)
    assert kept / (2048 * 12288) == pytest.approx(34 - 4 - 8)


def test_one_layer_is_whole_while_it_is_recomputed() -> None:
    a = replace(cases.assumed(DEEPSEEK, dgx_h100()), fragmentation=number(0))
    selective, none = cases.layout(pp=16, ep=64, selective=1), cases.layout(pp=16, ep=64)
    held = cases.held(DEEPSEEK, selective, 2048, a).breakdown_bytes["activations"][0]
    in_flight = 16 * 4 - 1
    expected = in_flight * cases.layer_kept(DEEPSEEK, selective, a) + cases.layer_kept(DEEPSEEK, none, a)
    assert held == pytest.approx(expected)


def test_deepseek_v3_fits_as_it_did() -> None:
    """arXiv 2412.19437: 2,048 H800 of 80 GB, PP 16, EP 64, no tensor parallelism."""
    a = cases.assumed(DEEPSEEK, dgx_h100())
    needed = {
        mode: cases.held(DEEPSEEK, cases.layout(pp=16, ep=64, **values), 2048, a)
        for mode, values in MODES.items()
    }
    assert needed["selective"].memory_per_accelerator_bytes[0] < 80e9
    assert needed["none"].memory_per_accelerator_bytes[0] > 120e9


def test_time_of_norms_and_activation_by_hand() -> None:
    """GPT-3 on 8 ranks: 4 widths of norms split over tokens, 3.5 inner widths of GeLU, 16 bit."""
    a = cases.assumed(GPT_3, cases.dgx_a100())
    layout = cases.layout(tp=8, selective=1)
    step = cases.timed(GPT_3, layout, 64, cases.dgx_a100(), a)
    moved = 2 * 2048 * (4 * 12288 + 3.5 * 4 * 12288) / 8
    micro_batches, layers = 8, 96
    expected = micro_batches * layers * moved / (2.039e12 * 0.85)
    assert step.breakdown_s["recompute"][0] == pytest.approx(expected)


def test_unfused_attention_is_done_again_as_korthikanti() -> None:
    a = replace(cases.assumed(GPT_3, cases.dgx_a100()), fused_attention=number(0))
    fused = replace(a, fused_attention=number(1))
    layout = cases.layout(tp=8, selective=1)
    unfused_s = cases.timed(GPT_3, layout, 64, cases.dgx_a100(), a).breakdown_s
    fused_s = cases.timed(GPT_3, layout, 64, cases.dgx_a100(), fused).breakdown_s
    forward = unfused_s["attention"][0] / 3
    assert unfused_s["recompute"][0] == pytest.approx(fused_s["recompute"][0] + forward)


def test_up_projections_count_as_hardware_flop() -> None:
    """2 FLOPs for each of 1536 x 24576 + 512 x 32768 weights in 61 layers."""
    layout = cases.layout(pp=16, ep=64, selective=1)
    found = cases.evaluated(DEEPSEEK, layout, 2048)
    again = 2 * 61 * (1536 * 128 * 192 + 512 * 128 * 256)
    expected = 1 + again / found.model_flop_per_token[0]
    assert found.hfu[0] / found.mfu[0] == pytest.approx(expected)
    dense = cases.evaluated(
        cases.training(llama_3_1_405b(), 8192, 2048), cases.layout(tp=8, pp=16, selective=1), 16384
    )
    assert dense.hfu[0] == dense.mfu[0]


def test_latent_attention_without_a_query_latent() -> None:
    """DeepSeek-V2-Lite projects queries from the residual stream, which costs more to do again."""
    model = replace(cases.deepseek_v3(), latent_query_rank=number(0))
    layout = cases.layout(pp=16, ep=64, selective=1)
    without = cases.evaluated(cases.training(model, 4096, 15360, "fp8"), layout, 2048)
    again = 2 * 61 * (7168 * 128 * 192 + 512 * 128 * 256)
    assert without.hfu[0] / without.mfu[0] == pytest.approx(1 + again / without.model_flop_per_token[0])


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    workload=st.sampled_from(
        [
            DEEPSEEK,
            cases.training(cases.deepseek_v3(), 4096, 15360, "bf16"),
            cases.training(cases.deepseek_v3(), 4096, 15360, "nvfp4"),
            cases.training(cases.gpt(96, 12288, 96), 2048, 2048, "bf16"),
            cases.training(llama_3_1_405b(), 8192, 2048, "mxfp8"),
        ]
    ),
    tp=st.sampled_from([1, 2, 8]), pp=st.sampled_from([1, 4, 16]), vpp=st.sampled_from([1, 2]),
    zero=st.sampled_from([0, 1, 3]), sequence_parallel=st.sampled_from([0, 1]), fused=st.sampled_from([0, 1]),
)  # fmt: skip
def test_selective_lies_between_none_and_full(
    workload: TrainingWorkload, tp: int, pp: int, vpp: int, zero: int, sequence_parallel: int, fused: int
) -> None:
    a = replace(cases.assumed(workload, dgx_h100()), fused_attention=number(fused))
    layouts = [
        cases.layout(
            tp=tp, pp=pp, vpp=vpp if pp > 1 else 1, zero=zero, sequence_parallel=sequence_parallel, **values
        )
        for values in MODES.values()
    ]
    needed = [cases.held(workload, one, 1024, a).memory_per_accelerator_bytes[0] for one in layouts]
    times = [cases.timed(workload, one, 1024, assumptions=a).step_time_s[0] for one in layouts]
    assert needed[0] * (1 + 1e-12) >= needed[1]
    assert needed[1] * (1 + 1e-12) >= needed[2]
    # Where the device waits for the host, doing more costs no time.
    assert times[0] <= times[1] * (1 + 1e-12)
    assert times[1] <= times[2] * (1 + 1e-12)


def test_search_tries_selective_recomputation() -> None:
    every = cases.usual_layouts(DEEPSEEK, dgx_h100(), 2048)
    assert set(zip(every.recompute, every.selective_recompute, strict=True)) == {(0, 0), (0, 1), (1, 0)}
    np.testing.assert_array_equal(
        every.selective_recompute, every.shapes.selective_recompute[every.shape_index]
    )
    found = cases.evaluated(DEEPSEEK, None, 2048)
    assert found.memory_per_accelerator_bytes[0] <= found.memory_capacity_bytes[0]
