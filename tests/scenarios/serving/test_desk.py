"""Models served by engines without a measured run, and on machines that stand on a desk."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, resolved, served, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

SMALL: dict[str, Any] = {
    "model": "llama_3_1_8b",
    "concurrency": 1,
    "requests": {"input_tokens": 500, "output_tokens": 100},
}
DESKS = [
    ("rtx_5090_workstation", "nvfp4", "tensorrt_llm"),
    ("dgx_spark", "nvfp4", "vllm"),
    ("l40s_workstation", "fp8", "sglang"),
    ("l4_edge_server", "w4a16", "lmdeploy"),
    ("jetson_agx_orin_kit", "w4a16", "vllm"),
    ("jetson_agx_thor_kit", "fp8", "vllm"),
    ("mac_studio_m3_ultra", "q4_k", "llama_cpp"),
    ("mac_studio_m4_max", "q8_0", "ollama"),
]


@cache
def found(system: str, precision: str, engine: str) -> EvaluatedScenario:
    asked = values(system, precision=precision, engine={"name": engine}, **SMALL)
    return evaluate_scenario(build_scenario(asked), ready_catalog())


@pytest.mark.parametrize(("system", "precision", "engine"), DESKS)
def test_a_desk_serves_and_pays_for_no_data_centre(system: str, precision: str, engine: str) -> None:
    scenario = found(system, precision, engine)
    assert scenario.evaluation.feasible
    shown = scenario.as_json
    assert shown["performance"]["tpot_s"] > 0
    bill = shown["cost"]["capex_breakdown_usd"]
    assert bill["servers"] > 0
    assert {name: usd for name, usd in bill.items() if usd and name not in ("servers", "storage")} == {}
    running = {name: usd for name, usd in shown["cost"]["opex_breakdown_usd_per_year"].items() if usd}
    assert set(running) <= {"electricity", "insurance"}
    assert sum(shown["power"]["losses_breakdown_w"].values()) == 0
    assert shown["fabric"]["switches_total"] == 0
    assert shown["cooling"]["pue"] < 1.2


def test_memory_bandwidth_bounds_a_token() -> None:
    """Weights alone over the bandwidth of the data sheet are the least that a token takes."""
    for system, precision, engine in DESKS:
        scenario = found(system, precision, engine)
        performance, design = scenario.evaluation.sections.performance, scenario.resolved.design
        read = performance.weights_bytes - 128_256 * 4096 * 2  # the input embedding is looked up
        floor = float(read[0] / design.supernode.accelerator.memory_bandwidth_bytes_per_s[0])
        assert floor < float(np.median(performance.tpot_s)) < 3 * floor, system


def test_an_engine_without_a_run_takes_the_common_constants_and_says_so() -> None:
    scenario = found("mac_studio_m3_ultra", "q4_k", "llama_cpp")
    origin = scenario.resolved.origins["assumptions.serving.kernel_time_s"]
    assert origin.low is not None
    assert origin.high is not None
    measured = resolved("rtx_5090_workstation", precision="fp8", engine={"name": "vllm"}, **SMALL).origins[
        "assumptions.serving.kernel_time_s"
    ]
    assert "vLLM" in measured.label
    assert not any(name in origin.label for name in ("vLLM", "SGLang", "TensorRT-LLM"))
    assert any("No run of Llama.cpp was measured" in one.message for one in scenario.problems)


def test_a_mac_is_served_by_llama_cpp_unasked() -> None:
    assert served("mac_studio_m4_max", precision="q8_0", **SMALL).engine == "llama_cpp"
    (told,) = faults("mac_studio_m4_max", precision="bf16", engine={"name": "vllm"}, **SMALL)
    assert "does not run on Apple accelerators" in told
    (told,) = faults("dgx_spark", precision="int8", engine={"name": "mindie"}, **SMALL)
    assert "runs on Huawei accelerators alone" in told


def test_what_an_engine_or_its_version_does_not_have_is_refused_with_one_that_does() -> None:
    (told,) = faults("dgx_h200", mode="disaggregated", precision="q8_0", engine={"name": "llama_cpp"})
    assert told.startswith(
        "workload.mode: llama_cpp has no prefill instances of their own. Leave it out, or state"
    )
    assert served("dgx_h200", precision="q8_0", engine={"name": "llama_cpp"}).mode == "aggregated"
    (told,) = faults(precision="q8_0", engine={"name": "ollama"}, speculation={"tokens": 2})
    assert "ollama has no module that guesses tokens ahead" in told
    old = {"name": "vllm", "version": "0.6.0"}
    (told,) = faults(engine=old, speculation={"tokens": 2, "draft_model": "llama_3_1_8b"})
    assert "vllm 0.6.0 has no draft model" in told


def test_a_data_centre_keeps_what_it_needs() -> None:
    """The rows of a desk hold for no server."""
    shown = evaluate_scenario(
        build_scenario(values(layout={"tp": 8}, concurrency=8)), ready_catalog()
    ).as_json
    assert shown["cost"]["capex_breakdown_usd"]["facility"] > 0
    assert sum(shown["power"]["losses_breakdown_w"].values()) > 0
