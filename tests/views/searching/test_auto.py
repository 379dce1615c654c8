"""The layout `auto` of random served designs: what a search of every layout finds, and no promise missed that one keeps."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.explore.serving_search import search_pod
from app.engine.performance.serving.search.space import ServingSpace
from app.engine.performance.serving.section import ServingPerformance
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from tests.support import part_of

pytestmark = pytest.mark.slow

SYSTEMS = (
    "gb200_nvl72",
    "dgx_b200",
    "dgx_h100",
    "dgx_h200",
    "huawei_cloudmatrix384",
    "gb300_nvl72",
    "tpu_v7_pod",
)
MODELS = ("deepseek_v3", "llama_3_1_70b", "llama_3_1_405b", "qwen3_235b_a22b", "gpt_oss_120b", "kimi_k2", "llama_3_1_8b")  # fmt: skip
SEEDS = part_of(range(30))
BEHIND = 0.05
"""Of the best output tokens per second of the search, that `auto` may miss: it tries fewer loads."""


def design_of(seed: int, mode: str) -> dict[str, Any]:
    pick = random.Random(seed).choice
    level = {"ttft_s": pick([1, 2, 5]), "tpot_s": pick([0.015, 0.03, 0.05, 0.1]), "percentile": 0.95}
    return {
        "name": f"seed {seed}",
        "workload": {
            "kind": "serving",
            "model": pick(MODELS),
            "mode": mode,
            "arrivals": pick(["steady", "random"]),
            "requests": {"input_tokens": pick([200, 2000, 8000]), "output_tokens": pick([100, 1000])},
            "service_level": level,
        },
        "supernode": {"system": pick(SYSTEMS)},
        "pod": {"supernodes": pick([1, 1, 2, 3, 4, 8])},
    }


@pytest.mark.parametrize("mode", ["aggregated", "disaggregated"])
def test_auto_is_as_good_as_a_search(seeded_data_dir: object, mode: str) -> None:
    compared = 0
    for seed in SEEDS:
        try:
            design = resolve(build_scenario(design_of(seed, mode)), ready_catalog()).design
        except ScenarioError:  # a format that the accelerator has no peak for
            continue
        sections = evaluate(design).sections
        tried = search_pod(design, sections, ServingSpace(modes=(mode,))).search.tried
        performance = sections.performance
        assert isinstance(performance, ServingPerformance)
        if tried is None:
            continue
        keeps = tried.known & (tried.over_promise <= 1)
        if not keeps.any():
            continue
        best = tried.tokens_per_s[keeps].max()
        assert np.median(performance.tokens_per_s) >= (1 - BEHIND) * best, (seed, design_of(seed, mode))
        assert np.median(performance.requests_per_s_limit) > 0, (seed, "within the SLO")
        compared += 1
    assert compared >= len(SEEDS) / 2
