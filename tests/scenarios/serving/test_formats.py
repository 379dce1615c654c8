"""Number formats of a served model, from the scenario to latencies."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from app.catalog.number_formats import number_formats
from app.catalog.ready import ready_catalog
from app.engine.performance.serving.section import ServingPerformance
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, served, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

CHIPS = ("dgx_a100_640", "dgx_h200", "dgx_b200")
MODEL = "llama_3_1_70b"
GGUF = ("q8_0", "q4_k")
"""Of llama.cpp and Ollama alone."""


@cache
def measured(
    system: str, precision: str, concurrency: int = 1, tokens: int = 32_768
) -> ServingPerformance | None:
    """One request in flight on eight accelerators; None where the engine does not run the format."""
    asked = values(
        system, model=MODEL, precision=precision, engine={"name": "vllm"}, layout={"tp": 8}, concurrency=concurrency,
        requests={"input_tokens": tokens, "output_tokens": 256, "input_variation": 0, "output_variation": 0},
    )  # fmt: skip
    try:
        performance = evaluate_scenario(
            build_scenario(asked), ready_catalog()
        ).evaluation.sections.performance
    except ScenarioError:
        return None
    assert isinstance(performance, ServingPerformance)
    return performance


def middle(value: np.ndarray) -> float:
    return float(np.median(value))


def test_fewer_bits_never_weigh_more() -> None:
    by_bits = sorted(number_formats().values(), key=lambda form: form.bits)
    for system in CHIPS:
        found = [one for form in by_bits if (one := measured(system, form.key)) is not None]
        sizes = [middle(one.weights_bytes) for one in found]
        assert len(sizes) >= 6
        assert sizes == sorted(sizes)


@pytest.mark.parametrize("system", CHIPS)
@pytest.mark.parametrize(
    "precision", [key for key, form in number_formats().items() if form.weights_alone and key not in GGUF]
)
def test_weights_alone_answer_sooner_and_read_prompts_no_sooner(system: str, precision: str) -> None:
    """One sequence decodes by reading weights; a long prompt is arithmetic, at 16 bit less dequantising."""
    plain, packed = measured(system, "bf16"), measured(system, precision)
    assert plain is not None
    assert packed is not None
    assert middle(packed.tpot_s) < middle(plain.tpot_s)
    assert middle(packed.prefill_s) >= middle(plain.prefill_s)


@pytest.mark.parametrize("system", CHIPS)
def test_a_large_batch_is_no_faster_by_packed_weights(system: str) -> None:
    plain, packed = measured(system, "bf16", 1024, 128), measured(system, "w4a16", 1024, 128)
    assert plain is not None
    assert packed is not None
    dense = [middle(one.time_breakdown_s["dense_matmul"]) for one in (packed, plain)]
    assert dense[0] > 0.95 * dense[1]


def test_a_missing_unit_is_dequantised_and_an_engine_that_does_not_is_refused() -> None:
    hopper = served("dgx_h200", model=MODEL, precision="nvfp4", engine={"name": "vllm"})
    assert hopper.dequantised == "outside_experts"
    assert hopper.parts.dense_peak_flop_per_s[0] == 989.4e12
    assert hopper.parts.dense_parameter_bytes[0] == 0.5625
    blackwell = served("dgx_b200", model=MODEL, precision="nvfp4", engine={"name": "vllm"})
    assert blackwell.dequantised == ""
    (told,) = faults("dgx_h200", model=MODEL, precision="nvfp4", engine={"name": "sglang"})
    assert "vllm as workload.engine.name, which multiplies it in 16 bit" in told
    (told,) = faults("dgx_b200", model=MODEL, precision="int8", engine={"name": "vllm"})
    assert "vllm does not run int8 on B200" in told


def test_an_older_version_is_told_that_a_later_one_does() -> None:
    (told,) = faults(model=MODEL, precision="nvfp4", engine={"name": "vllm", "version": "0.6.4"})
    assert "a later version of vllm" in told


def test_keys_and_values_in_4_bit_are_for_engines_and_chips_that_keep_them() -> None:
    kept = served("dgx_b200", parts={"kv_cache": "nvfp4"})
    assert kept.parts.kv_element_bytes[0] == 0.5625
    (told,) = faults("dgx_h200", parts={"kv_cache": "nvfp4"})
    assert told.startswith("workload.parts.kv_cache: tensorrt_llm does not keep keys and values in nvfp4")
    (told,) = faults("dgx_b200", parts={"kv_cache": "nvfp4"}, engine={"name": "vllm"})
    assert "tensorrt_llm as workload.engine.name, which keeps it" in told


def test_a_stated_peak_stands_for_units() -> None:
    scenario = values(model=MODEL, precision="nvfp4")
    scenario["supernode"]["override"] = {"accelerator": {"peak_flop_per_s": 3e15}}
    asked = build_scenario(scenario)
    design = evaluate_scenario(asked, ready_catalog()).resolved.design
    assert design.workload.parts.dense_peak_flop_per_s[0] == 3e15  # type: ignore[union-attr]


def test_int4_checkpoints_of_experts_keep_the_rest_in_16_bit() -> None:
    parts = served(precision="w4a16_g32", engine={"name": "vllm"}).parts
    assert parts.expert_parameter_bytes[0] == 0.5625
    assert parts.dense_parameter_bytes[0] == 2
