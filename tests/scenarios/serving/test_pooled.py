"""Scenarios whose prompts are read and not answered: embeddings and rerankers."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from app.catalog.embedding_models import embedding_models
from app.catalog.ready import ready_catalog
from app.engine.performance.serving.section import ServingPerformance
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, resolved, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

ASKED = {"input_tokens": 512, "output_tokens": 0, "input_variation": 0}


def found(model: Any = "bge_m3", **workload: Any) -> EvaluatedScenario:
    asked = {"precision": "bf16", "engine": {"name": "vllm"}, "requests": ASKED} | workload
    return evaluate_scenario(build_scenario(values("dgx_h100", model=model, **asked)), ready_catalog())


@cache
def loaded(model: str, concurrency: float, **workload: Any) -> ServingPerformance:
    section = found(
        model, concurrency=concurrency, layout={"tp": 1, "instances": 1}
    ).evaluation.sections.performance
    assert isinstance(section, ServingPerformance)
    return section


def test_nothing_of_a_token_is_shown_and_nothing_is_unknown() -> None:
    scenario = found()
    shown = scenario.as_json["performance"]
    for name in ("tpot_s", "tpot_within_s", "tokens_per_s_per_user", "output_tokens_per_s_per_accelerator"):
        assert getattr(scenario.evaluation.sections.performance, name) is None
        assert shown[name] is None
    assert shown["time_breakdown_s"] == {} == shown["tpot_percentiles_s"]
    assert scenario.as_json["cost"]["usd_per_million_output_tokens"] is None
    assert (
        shown["tokens_per_s"] == shown["input_tokens_per_s"] == pytest.approx(512 * shown["requests_per_s"])
    )
    assert scenario.as_json["cost"]["usd_per_million_tokens"] > 0
    assert scenario.as_json["power"]["energy_j_per_token"] > 0
    unknown = [
        name
        for name, figure in scenario.figures.items()
        if name.startswith("performance.") and np.isnan(figure.value).any()
    ]
    assert unknown == []


def test_the_time_of_a_prompt_is_that_of_its_parts_and_littles_law_holds() -> None:
    for concurrency in (1, 16, 400):
        p = loaded("qwen3_embedding_8b", concurrency)
        assert float(p.ttft_s[0]) == pytest.approx(
            sum(float(part[0]) for part in p.ttft_breakdown_s.values())
        )
        assert float(p.end_to_end_s[0]) == float(p.ttft_s[0])
        assert float(p.requests_per_s[0] * p.ttft_s[0]) == pytest.approx(concurrency)
    rates = [float(loaded("qwen3_embedding_8b", c).requests_per_s[0]) for c in (1, 2, 8, 64, 500)]
    assert rates == sorted(rates)


def test_no_reading_is_faster_than_its_arithmetic() -> None:
    """24 layers of 12.6 M parameters and 512 x 512 pairs, at the dense peak of an H100."""
    p = loaded("bge_m3", 5000)
    flop = 512 * 2 * 24 * 12_582_912 + 512 * 512 * 24 * 4 * 1024
    assert float(p.model_flop_per_token[0]) == pytest.approx(flop / 512)
    assert float(p.requests_per_s[0]) < 989.4e12 / flop
    assert 0.3 < float(p.mfu[0]) * 8 < 0.8  # one of eight accelerators works


def test_attention_both_ways_counts_all_pairs() -> None:
    """The same shape as a causal model has half of the pairs, and keeps keys and values of all its layers."""
    shape = {
        "name": "Causal", "layers": 24, "hidden": 1024, "heads": 16, "kv_heads": 16, "head_dim": 64,
        "feed_forward_hidden": 4096, "mlp_matrices": 2, "vocabulary": 250002, "tied_embedding": True, "context_tokens": 8192,
    }  # fmt: skip
    both = found(concurrency=1).evaluation.sections.performance
    causal = found(shape, concurrency=1).evaluation.sections.performance
    pairs = 512 * 24 * 4 * 1024
    assert float(both.model_flop_per_token[0] - causal.model_flop_per_token[0]) == pytest.approx(pairs / 2)
    assert both.batch_limit[0] > 10 * causal.batch_limit[0]


def test_prompts_at_random_times_queue() -> None:
    steady, random = (
        found(
            "qwen3_embedding_8b", concurrency=4, arrivals=kind, layout={"tp": 1, "instances": 1}
        ).evaluation.sections.performance
        for kind in ("steady", "random")
    )
    assert random.ttft_s[0] > steady.ttft_s[0]
    assert float(random.ttft_breakdown_s["queue_wait"][0]) > 0


def test_a_demand_is_sized_by_prompts() -> None:
    few, many = (
        found(demand={"requests_per_s": rate}, service_level={"ttft_s": 0.5}).evaluation.sections.performance
        for rate in (100, 100_000)
    )
    assert few.supernodes_needed[0] == 1
    assert many.supernodes_needed[0] >= 100_000 / float(few.requests_per_s_limit[0]) * 0.9


def test_every_embedding_model_of_the_file_is_in_the_catalog() -> None:
    assert set(embedding_models()) <= set(ready_catalog().keys("models"))


def test_what_has_no_use_is_refused() -> None:
    (told,) = faults(model="bge_m3", precision="bf16", requests={"output_tokens": 16})
    assert told == "workload.requests.output_tokens: bge_m3 gives embeddings and no tokens. State 0."
    several = faults(
        model="bge_m3", precision="bf16", requests={"output_tokens": 0, "cached_share": 0.5}, speculation={"tokens": 2},
        service_level={"tpot_s": 0.05}, layout={"prefill": {"tp": 1}, "decode": {"tp": 1}},
    )  # fmt: skip
    assert len(several) == 4
    assert any("nothing of a prompt can be found in a cache" in one for one in several)
    with pytest.raises(Exception, match="below one token"):
        build_scenario(values(requests={"output_tokens": 0.5}))
    assert resolved(requests={"output_tokens": 0}).design.workload.requests.pooled


def test_a_prompt_of_an_encoder_takes_one_pass() -> None:
    scenario = found(requests=ASKED | {"input_tokens": 4096}, engine={"name": "vllm", "chunk_tokens": 2048})
    (problem,) = [one for one in scenario.evaluation.problems if one.constraint == "chunk"]
    assert problem.fix is not None
    assert problem.fix.value == 4096
    causal = found(
        "qwen3_embedding_8b",
        requests=ASKED | {"input_tokens": 4096},
        engine={"name": "vllm", "chunk_tokens": 2048},
    )
    assert causal.evaluation.feasible
    assert np.isfinite(causal.evaluation.sections.performance.ttft_s).all()
