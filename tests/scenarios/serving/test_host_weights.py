"""Scenarios whose model lies in the memory of the host in part."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, served, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

REQUESTS = {"input_tokens": 512, "output_tokens": 128}
DESK: dict[str, Any] = {
    "model": "llama_3_1_70b", "precision": "fp8", "engine": {"name": "vllm"}, "requests": REQUESTS, "concurrency": 1,
}  # fmt: skip


def found(system: str, **workload: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values(system, **workload)), ready_catalog())


@cache
def on_a_desk() -> EvaluatedScenario:
    return found("rtx_5090_workstation", host_weights={"part": "auto"}, **DESK)


def test_a_70b_model_on_one_card_of_32_gb() -> None:
    """47 GB of 68 GB of layers lie in the host and cross at 50 GB/s for each token."""
    performance = on_a_desk().evaluation.sections.performance
    assert on_a_desk().evaluation.feasible
    share = float(performance.strategy["host_share"][0])
    assert share == 55 / 80
    away = float(performance.offloaded_per_accelerator_bytes[0])
    assert away == pytest.approx(share * 68.45e9, rel=1e-3)
    assert float(performance.time_breakdown_s["host_weights"][0]) == pytest.approx(away / 5e10, rel=1e-3)
    assert float(performance.batch_limit[0]) >= 1
    assert sum(float(part[0]) for part in performance.time_breakdown_s.values()) == pytest.approx(
        float(performance.tpot_s[0])
    )


def test_a_layout_that_does_not_fit_is_offered_the_host_which_mends_it() -> None:
    without = found("rtx_5090_workstation", **DESK)
    (problem,) = [one for one in without.evaluation.problems if one.constraint == "memory"]
    assert problem.fix is not None
    assert (problem.fix.field, problem.fix.value) == ("workload.host_weights.part", "layers")
    assert "69% of the layers" in problem.fix.message
    mended = found("rtx_5090_workstation", host_weights={"part": problem.fix.value}, **DESK)
    assert mended.evaluation.feasible


def test_a_host_that_is_too_small_is_no_way_out() -> None:
    """671 GB of weights, and a desk with 128 GB of host memory."""
    scenario = found(
        "rtx_5090_workstation", precision="fp8", engine={"name": "sglang"}, requests=REQUESTS, concurrency=1
    )
    (problem,) = [one for one in scenario.evaluation.problems if one.constraint == "memory"]
    assert problem.fix is None


def test_deepseek_on_eight_accelerators_of_40_gb() -> None:
    """13 of 58 layers of experts in 4 bit, 8 of 256 in use by one token, over eight links of 25 GB/s."""
    performance = found(
        "dgx_a100_320", precision="w4a16", engine={"name": "vllm"}, requests=REQUESTS, concurrency=1,
        host_weights={"part": "experts"},
    ).evaluation.sections.performance  # fmt: skip
    assert float(performance.strategy["host_share"][0]) == pytest.approx(13 / 58)
    used = 13 * 8 * 3 * 7168 * 2048 * 4.15625 / 8
    assert float(performance.time_breakdown_s["host_weights"][0]) == pytest.approx(
        used / 8 / 2.5e10, rel=0.02
    )


def test_nothing_lies_in_the_host_where_all_fits() -> None:
    plain, auto = (
        found(
            "dgx_h200", concurrency=8, layout={"tp": 8}, engine={"name": "vllm"}, **more
        ).evaluation.sections.performance
        for more in ({}, {"host_weights": {"part": "auto"}})
    )
    assert float(auto.strategy["host_share"][0]) == 0
    assert np.array_equal(auto.tpot_s, plain.tpot_s)
    assert np.array_equal(auto.ttft_s, plain.ttft_s)
    assert plain.offloaded_per_accelerator_bytes is None


def test_more_in_the_host_takes_longer_and_lets_more_requests_fit() -> None:
    near, far = (
        found(
            "rtx_5090_workstation", host_weights={"part": "layers", "share": share}, **DESK
        ).evaluation.sections.performance
        for share in (0.75, 0.9)
    )
    assert far.tpot_s[0] > near.tpot_s[0]
    assert far.ttft_s[0] > near.ttft_s[0]
    assert far.batch_limit[0] > near.batch_limit[0]


def test_what_the_host_does_not_hold_is_infeasible() -> None:
    scenario = found(
        "rtx_5090_workstation", precision="fp8", engine={"name": "sglang"}, requests=REQUESTS, concurrency=1,
        host_weights={"part": "experts", "share": 1},
    )  # fmt: skip
    problems = {one.constraint: one for one in scenario.evaluation.problems if one.kind == "infeasible"}
    assert "128.0 GB" in problems["host_memory"].message
    assert problems["host_memory"].missed_by == pytest.approx(654e9 - 128e9, rel=0.01)


def test_ways_are_what_engines_do() -> None:
    ways = {
        (engine, part): served(
            "dgx_h100", model="gpt_oss_120b", precision=precision, engine={"name": engine}, host_weights={"part": part}
        ).host_weights
        for engine, part, precision in (
            ("vllm", "layers", "fp8"), ("vllm", "experts", "fp8"), ("sglang", "experts", "fp8"),
            ("sglang", "layers", "fp8"), ("llama_cpp", "layers", "q8_0"), ("llama_cpp", "experts", "q8_0"),
        )
    }  # fmt: skip
    assert {key: weights.way.computed for key, weights in ways.items() if weights is not None} == {
        ("vllm", "layers"): False, ("vllm", "experts"): False, ("sglang", "experts"): True,
        ("sglang", "layers"): False, ("llama_cpp", "layers"): True, ("llama_cpp", "experts"): True,
    }  # fmt: skip


def test_what_cannot_be_is_refused_with_a_way_out() -> None:
    for system, precision in (("dgx_spark", "nvfp4"), ("jetson_agx_thor_kit", "fp8")):
        (told,) = faults(system, model="llama_3_1_8b", precision=precision, engine={"name": "vllm"},
                         host_weights={"part": "layers"})  # fmt: skip
        assert "have one memory, so nothing is gained" in told
    (told,) = faults(model="llama_3_1_70b", engine={"name": "vllm"}, host_weights={"part": "experts"})
    assert "the model has none" in told
    (told,) = faults(engine={"name": "ollama"}, precision="q8_0", host_weights={"part": "experts"})
    assert told.startswith("workload.host_weights.part: ollama keeps no weights of experts in the host")
    assert "llama_cpp" in told
    (told,) = faults(engine={"name": "vllm"}, host_weights={"part": "layers", "way": "compute"})
    assert "to be multiplied there" in told
    with pytest.raises(Exception, match="part is none"):
        build_scenario(values(host_weights={"share": 0.5}))
