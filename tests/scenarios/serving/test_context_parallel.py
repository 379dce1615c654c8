"""Prompts cut over ranks in a scenario: who may, what is shown, and when a search does it."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.performance.serving.section import ServingPerformance
from app.engine.trace import first_of
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, served, values

LLAMA: dict[str, Any] = {"model": "llama_3_1_70b", "precision": "fp8", "engine": {"name": "sglang"}}
LONG = {"requests": {"input_tokens": 60_000, "output_tokens": 100}}


def split(cp: int = 4) -> dict[str, Any]:
    return {"layout": {"prefill": {"tp": 8, "cp": cp}, "decode": {"tp": 8}}}


def run(**workload: Any) -> ServingPerformance:
    found = evaluate_scenario(
        build_scenario(values(supernodes=10, **LLAMA | LONG | workload)), ready_catalog()
    )
    performance = found.evaluation.sections.performance
    assert isinstance(performance, ServingPerformance)
    return performance


@pytest.mark.parametrize(
    ("workload", "said"),
    [
        (LLAMA | {"engine": {"name": "tensorrt_llm"}} | split(), "has no context parallelism of prompts"),
        (
            LLAMA | {"engine": {"name": "vllm", "version": "0.24.0"}} | split(),
            "has no context parallelism of prompts",
        ),
        (
            LLAMA | {"layout": {"prefill": {"tp": 8}, "decode": {"tp": 8, "cp": 2}}},
            "decode instances read none",
        ),
        (
            {"model": "qwen3_5_397b_a17b", "engine": {"name": "sglang"}, "layout": {"tp": 8, "cp": 2}},
            "recurrent layers",
        ),
        (LLAMA | {"layout": {"tp": 8, "cp": 20}}, "tp 8 x dp 1 x pp 1 x cp 20"),
    ],
)
def test_who_cuts_no_prompts_is_refused(workload: dict[str, Any], said: str) -> None:
    assert any(said in told for told in faults(supernodes=10, **workload))


def test_experts_are_spread_over_all_ranks_of_a_prompt() -> None:
    plan = served(supernodes=10, engine={"name": "sglang"}, layout={"tp": 4, "cp": 4}).plan
    assert plan is not None
    assert first_of(plan.decode.expert_parallel) == 16


def test_a_cut_prompt_comes_sooner_and_says_so() -> None:
    whole, cut = (run(concurrency=1, **split(cp)) for cp in (1, 4))
    assert first_of(cut.prefill_s) < first_of(whole.prefill_s) / 2
    assert first_of(cut.strategy["prefill_cp"]) == 4
    assert "prefill_cp" not in whole.strategy
    assert first_of(cut.accelerators_per_replica) == 40


def test_a_search_cuts_long_prompts_that_are_promised_soon() -> None:
    soon = run(mode="disaggregated", service_level={"ttft_s": 1.5}, engine={"name": "sglang"})
    assert first_of(soon.strategy["prefill_cp"]) > 1
    without = run(
        mode="disaggregated", service_level={"ttft_s": 1.5}, engine={"name": "vllm", "version": "0.24.0"}
    )
    assert "prefill_cp" not in without.strategy
    assert first_of(soon.ttft_s) < first_of(without.ttft_s)
