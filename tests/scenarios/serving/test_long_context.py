"""Disaggregated retrieval over long contexts: transfer and answer differ between machines as their links do."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import values

TOKENS, ANSWER = 100_000, 400
PROMPT = 100_000 * 327_680  # bytes of keys and values of Llama 3.1 70B in 16 bit
MACHINES = {
    "dgx_h100": ("fp8", 4, 50e9),  # 32 accelerators lie in four domains: a 400 Gb/s link each
    "gb200_nvl72": ("fp8", 1, 900e9),  # in one, over NVLink
    "huawei_cloudmatrix384": ("int8", 1, 392e9),  # in one, over the unified bus
}


def seeded(name: str) -> float:
    return float(ready_catalog().assumption("serving", name, {"engine": "vllm"}).value)


def retrieval(system: str, *, prefills: int = 3, **workload: Any) -> dict[str, Any]:
    precision, supernodes, _ = MACHINES[system]
    scenario = values(
        system,
        supernodes * (1 if prefills == 3 else 2),
        **{
            "model": "llama_3_1_70b",
            "precision": precision,
            "engine": {"name": "vllm"},
            "requests": {"input_tokens": TOKENS, "output_tokens": ANSWER},
            "concurrency": 1,
            "layout": {"prefill": {"tp": 8, "instances": prefills}, "decode": {"tp": 8, "instances": 1}},
        }
        | workload,
    )
    found: dict[str, Any] = evaluate_scenario(build_scenario(scenario), ready_catalog()).as_json[
        "performance"
    ]
    return found


@pytest.fixture(scope="module")
def alone(seeded_data_dir: object) -> dict[str, dict[str, Any]]:
    return {system: retrieval(system) for system in MACHINES}


@pytest.mark.parametrize("system", MACHINES)
def test_a_prompt_goes_over_the_links_of_its_ranks(alone: dict[str, dict[str, Any]], system: str) -> None:
    """32.8 GB over eight links, at half 164 ms on servers of eight, 9 ms in a rack, 21 ms in a SuperNode."""
    sent = PROMPT / (8 * MACHINES[system][2] * seeded("kv_transfer_bandwidth_share"))
    found = alone[system]
    assert found["kv_transfer_s"] == pytest.approx(sent + seeded("kv_transfer_overhead_s"), rel=0.001)
    assert found["ttft_breakdown_s"]["kv_transfer"] == pytest.approx(found["kv_transfer_s"])
    parts = sum(found["ttft_breakdown_s"].values())
    assert found["ttft_s"] == pytest.approx(parts)
    assert found["end_to_end_s"] == pytest.approx(parts + (ANSWER - 1) * found["tpot_s"], rel=1e-6)


def test_a_group_beyond_its_rack_sends_over_the_fabric(alone: dict[str, dict[str, Any]]) -> None:
    """Nine prefill instances and one that decodes are 80 accelerators: more than a rack, less than a SuperNode."""
    within, beyond = alone["gb200_nvl72"], retrieval("gb200_nvl72", prefills=9)
    assert beyond["kv_transfer_s"] > 5 * within["kv_transfer_s"]
    assert beyond["ttft_s"] > within["ttft_s"]
    wide = retrieval("huawei_cloudmatrix384", prefills=9)
    assert wide["kv_transfer_s"] == pytest.approx(alone["huawei_cloudmatrix384"]["kv_transfer_s"])


def test_chunks_that_are_sent_as_they_end_are_mostly_hidden(alone: dict[str, dict[str, Any]]) -> None:
    """SGLang sends thirteen chunks of 8,192 tokens: the last is left."""
    chunked = retrieval("dgx_h100", engine={"name": "sglang"})
    assert chunked["kv_transfer_s"] == pytest.approx((alone["dgx_h100"]["kv_transfer_s"]) / 13, rel=0.01)


def test_transfers_of_many_wait_for_one_another(alone: dict[str, dict[str, Any]]) -> None:
    many = retrieval("dgx_h100", concurrency=8)
    assert many["kv_transfer_s"] > alone["dgx_h100"]["kv_transfer_s"]
