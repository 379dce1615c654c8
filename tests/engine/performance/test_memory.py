"""Memory by component: published formulas and a published run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.activations import chunks_in_flight, last_chunks_in_flight
from tests.engine.performance import cases
from tests.support import dgx_h100, h100, llama_405b_training, number

GPT_3 = cases.training(cases.gpt(96, 12288, 96), 2048, 64, "fp16")


@pytest.mark.parametrize(
    ("tensor", "sequence_parallel", "fused", "expected"),
    [
        (1, 0, 0, 34 + 5 * 96 * 2048 / 12288),
        (8, 0, 0, 10 + 24 / 8 + 5 * 96 * 2048 / (12288 * 8)),
        (8, 1, 0, 34 / 8 + 5 * 96 * 2048 / (12288 * 8)),
        (8, 1, 1, 34 / 8),
    ],
)
def test_gpt_3_layer_as_korthikanti(tensor: int, sequence_parallel: int, fused: int, expected: float) -> None:
    """Korthikanti et al. 2022, arXiv 2205.05198, equations 1, 2, 4 and 6, in units of s b h."""
    a = replace(
        cases.assumed(GPT_3, cases.dgx_a100()), fused_attention=number(fused), dropout_mask_bytes=number(1)
    )
    kept = cases.layer_kept(GPT_3, cases.layout(tp=tensor, sequence_parallel=sequence_parallel), a)
    assert kept / (2048 * 12288) == pytest.approx(expected)


def test_llama_405b_fits_as_it_did_for_meta() -> None:
    """Meta 2024, arXiv 2407.21783, section 3.3: TP 8, PP 16, no recomputation on 80 GB."""
    workload = llama_405b_training()
    a = cases.assumed(workload, dgx_h100())
    needed = cases.held(workload, cases.layout(tp=8, pp=16, vpp=8, zero=2), 16384, a)
    assert needed.memory_per_accelerator_bytes[0] < h100().memory_bytes[0]
    parts = sum(part[0] for part in needed.breakdown_bytes.values())
    assert parts == pytest.approx(needed.memory_per_accelerator_bytes[0], rel=1e-14)


def test_zero_as_rajbhandari() -> None:
    """Rajbhandari et al. 2020, arXiv 1910.02054, figure 1: 7.5B on 64 ranks, 120, 31.4, 16.6 and 1.9 GB.

    They keep gradients in 16 bit.
    """
    model = cases.gpt(36, 4096, 32)
    workload = cases.training(model, 2048, 64)
    a = replace(cases.assumed(workload, dgx_h100()), gradient_parameter_bytes=number(2))
    scale = 7.5e9 / cases.job(workload).counts.total[0]
    for stage, expected in enumerate((120, 31.4, 16.6, 1.9)):
        parts = cases.held(workload, cases.layout(zero=stage), 64, a).breakdown_bytes
        states = sum(parts[name][0] for name in ("weights", "gradients", "optimizer"))
        assert states * scale == pytest.approx(expected * 1e9, rel=0.02)


@pytest.mark.parametrize(
    ("stages", "virtual", "micro_batches", "expected"),
    [(1, 1, 8, 1), (4, 1, 8, 4), (4, 1, 2, 2), (4, 2, 8, 11), (16, 8, 16, 128)],
)
def test_chunks_in_flight(stages: int, virtual: int, micro_batches: int, expected: int) -> None:
    """1F1B holds pp micro-batches; interleaving L (1 + (p - 1) / (p m)) layers, Korthikanti equation 5."""
    held = chunks_in_flight(
        pipeline_parallel=number(stages), virtual_stages=number(virtual), micro_batches=number(micro_batches),
        group=number(stages), schedule=number(0),
    )  # fmt: skip
    assert held[0] == expected


@pytest.mark.parametrize(
    ("stages", "virtual", "micro_batches", "expected"),
    [(1, 1, 8, 1), (4, 1, 8, 1), (4, 2, 8, 5), (4, 2, 2, 4), (16, 8, 16, 113)],
)
def test_chunks_in_flight_on_the_last_stage(
    stages: int, virtual: int, micro_batches: int, expected: int
) -> None:
    """1F1B turns each micro-batch round at once; interleaving has v - 1 rounds of pp chunks behind it."""
    held = last_chunks_in_flight(
        pipeline_parallel=number(stages), virtual_stages=number(virtual), micro_batches=number(micro_batches),
        group=number(stages), schedule=number(0),
    )  # fmt: skip
    assert held[0] == expected


def test_logits_count_where_the_last_stage_is_the_fullest() -> None:
    """Two stages of one layer: 151,936 logits a token are more than a second micro-batch of a small layer."""
    a = cases.assumed(GPT_3, dgx_h100())
    parts = {
        vocabulary: cases.held(
            cases.training(cases.gpt(2, 1024, 16, vocabulary), 2048, 64), cases.layout(pp=2), 2, a
        ).breakdown_bytes
        for vocabulary in (64, 151936)
    }
    assert parts[64]["logits"][0] == 0
    assert parts[151936]["logits"][0] == pytest.approx(2048 * 151936 * 6)
    assert parts[64]["activations"][0] == pytest.approx(2 * parts[151936]["activations"][0])


def test_full_recomputation_keeps_layer_inputs_only() -> None:
    workload = llama_405b_training()
    a = replace(cases.assumed(workload, dgx_h100()), fragmentation=number(0))
    kept = cases.held(workload, cases.layout(tp=8, pp=16, recompute=1), 16384, a).breakdown_bytes[
        "activations"
    ]
    none = cases.held(workload, cases.layout(tp=8, pp=16), 16384, a).breakdown_bytes["activations"]
    layer = none[0] / (16 * 8)
    # The layer that is computed again has its input among those kept.
    assert kept[0] == pytest.approx((16 * 8 - 1) * 2 * 8192 * 16384 / 8 + layer)


@pytest.mark.slow
@given(
    zero=st.sampled_from([0, 1, 2]), tp=st.sampled_from([1, 2, 4]), pp=st.sampled_from([1, 2, 4]),
    recompute=st.floats(0, 0.9),
)  # fmt: skip
def test_sharding_more_never_needs_more(zero: int, tp: int, pp: int, recompute: float) -> None:
    workload = cases.training(cases.gpt(32, 4096, 32), 4096, 256)
    a = cases.assumed(workload, dgx_h100())

    def needed(**values: float) -> float:
        chosen = {"tp": tp, "pp": pp, "zero": zero, "recompute": recompute} | values
        return float(cases.held(workload, cases.layout(**chosen), 128, a).memory_per_accelerator_bytes[0])

    # ZeRO 3 gathers whole layers again, more than a bucket where a stage has few of them.
    if zero < 2:
        assert needed(zero=zero + 1) <= needed() * (1 + 1e-12)
    assert needed(tp=2 * tp) <= needed()


def test_unknown_sequence_is_unknown_memory() -> None:
    workload = replace(llama_405b_training(), sequence_length=np.full(1, np.nan))
    a = cases.assumed(workload, dgx_h100())
    needed = cases.held(workload, cases.layout(tp=8, pp=16), 16384, a)
    assert np.isnan(needed.memory_per_accelerator_bytes).all()
