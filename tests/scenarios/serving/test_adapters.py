"""Scenarios that answer with LoRA adapters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, served, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

ASKED: dict[str, Any] = {
    "model": "llama_3_1_8b", "engine": {"name": "vllm"}, "layout": {"tp": 1, "instances": 1}, "concurrency": 16,
    "requests": {"input_tokens": 512, "output_tokens": 128},
}  # fmt: skip


def found(**workload: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values("dgx_h100", **(ASKED | workload))), ready_catalog())


def test_adapters_take_memory_and_time_and_none_change_nothing() -> None:
    bare, none, some = (
        found(**more).evaluation.sections.performance
        for more in ({}, {"adapters": {"count": 0}}, {"adapters": {"count": 64, "max_loras": 16}})
    )
    assert np.array_equal(bare.tpot_s, none.tpot_s)
    assert np.array_equal(bare.ttft_s, none.ttft_s)
    assert none.adapter_hit_share is None
    assert float(some.memory_breakdown_bytes["adapters"][0]) == 16 * 2 * 41_943_040
    assert 0.5 < float(some.adapter_hit_share[0]) < 0.75
    load = 2 * 41_943_040 / 5e10 * (1 - float(some.adapter_hit_share[0]))
    assert float(some.ttft_breakdown_s["adapter_load"][0]) == pytest.approx(load)
    assert some.tpot_s[0] > bare.tpot_s[0]
    for whole, parts in ((some.ttft_s, some.ttft_breakdown_s), (some.tpot_s, some.time_breakdown_s)):
        assert float(whole[0]) == pytest.approx(sum(float(part[0]) for part in parts.values()))


@pytest.mark.parametrize("arrivals", ["random", "steady", "burst"])
def test_fewer_slots_load_more_and_bound_the_batch(arrivals: str) -> None:
    few, many = (
        found(adapters={"count": 64, "max_loras": slots}, arrivals=arrivals).evaluation.sections.performance
        for slots in (4, 64)
    )
    assert few.batch_limit[0] < 10 < many.batch_limit[0]
    assert few.ttft_s[0] > many.ttft_s[0]
    assert float(many.adapter_hit_share[0]) == 1


def test_prefill_instances_load_adapters_too() -> None:
    apart = found(
        adapters={"count": 64, "max_loras": 16}, layout={"prefill": {"tp": 1}, "decode": {"tp": 1}}
    ).evaluation.sections.performance
    assert float(apart.ttft_breakdown_s["adapter_load"][0]) > 0
    assert float(apart.ttft_s[0]) == pytest.approx(
        sum(float(part[0]) for part in apart.ttft_breakdown_s.values())
    )


def test_popularity_is_an_assumption_that_may_be_stated() -> None:
    usual = served("dgx_h100", **ASKED, adapters={"count": 10}).adapters
    stated = served("dgx_h100", **ASKED, adapters={"count": 10, "popularity": 0.4}).adapters
    assert usual is not None
    assert stated is not None
    assert (usual.popularity[0], stated.popularity[0]) == (1, 0.4)


def test_adapters_that_the_host_does_not_hold_are_warned_of() -> None:
    scenario = found(adapters={"count": 10_000, "rank": 256, "max_loras": 4})
    (warning,) = [one for one in scenario.evaluation.problems if one.field == "workload.adapters.count"]
    assert warning.kind == "warning"
    assert warning.fix is not None
    assert warning.fix.value == 2e12 // (2 * 16 * 41_943_040)


def test_what_cannot_be_is_refused() -> None:
    (told,) = faults(engine={"name": "ollama"}, precision="q8_0", adapters={"count": 2})
    assert "ollama has no LoRA adapters that change between requests" in told
    with pytest.raises(Exception, match="count is 0"):
        build_scenario(values(adapters={"rank": 8}))
