"""A serving scenario as the engine takes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.explain import traced_design
from tests.scenarios.serving.cases import faults, resolved, served


def number(array: np.ndarray) -> float:
    assert array.shape == (1,)
    return float(array[0])


def test_every_number_has_an_origin() -> None:
    found = resolved(
        "gb200_nvl72",
        precision="nvfp4",
        layout={"prefill": {"dp": 4, "instances": 6}, "decode": {"dp": 48, "redundant_experts": 32}},
        demand={"requests_per_s": 10, "regions": [{"name": "Asia", "round_trip_s": 0.05}]},
        concurrency=100,
    )
    traced_design(found.design, found.origins)  # raises KeyError where one has none


@pytest.mark.parametrize(
    ("precision", "model", "dense", "expert"),
    [
        ("bf16", "deepseek_v3", 2, 2),
        ("fp8", "deepseek_v3", 1, 1),
        ("nvfp4", "deepseek_v3", 1.6, 0.5625),
        ("nvfp4", "llama_3_1_70b", 0.5625, 0.5625),
        ("mxfp4", "gpt_oss_120b", 2, 0.53125),
        ("fp8_block", "deepseek_v3", 8.001953125 / 8, 8.001953125 / 8),
    ],
)
def test_bytes_of_a_parameter(precision: str, model: str, dense: float, expert: float) -> None:
    parts = served("gb200_nvl72", precision=precision, model=model).parts
    assert number(parts.dense_parameter_bytes) == dense
    assert number(parts.expert_parameter_bytes) == expert
    assert number(parts.head_parameter_bytes) == 2


def test_a_stated_part_overrides_what_checkpoints_do() -> None:
    parts = served("gb200_nvl72", precision="nvfp4", parts={"outside_experts": "fp8", "head": "fp8"}).parts
    assert number(parts.dense_parameter_bytes) == 1
    assert number(parts.head_parameter_bytes) == 1
    assert number(parts.dense_peak_flop_per_s) == 5e15


@pytest.mark.parametrize(
    ("engine", "precision", "expected"),
    [
        ("tensorrt_llm", "fp8", 1),
        ("sglang", "fp8", 2),
        ("vllm", "fp8", 2),
        ("vllm", "nvfp4", 1),
        ("sglang", "bf16", 2),
    ],
)
def test_the_cache_is_kept_as_the_engine_does_unasked(engine: str, precision: str, expected: float) -> None:
    parts = served("gb200_nvl72", engine={"name": engine}, precision=precision).parts
    assert number(parts.kv_element_bytes) == expected
    stated = served(
        "gb200_nvl72", engine={"name": engine}, precision=precision, parts={"kv_cache": "bf16"}
    ).parts
    assert number(stated.kv_element_bytes) == 2


def test_peaks_are_of_the_formats() -> None:
    parts = served("gb200_nvl72", precision="nvfp4").parts
    assert number(parts.expert_peak_flop_per_s) == 10e15
    assert number(parts.dense_peak_flop_per_s) == 2.5e15  # attention is kept in 16 bit


def test_a_format_without_units_is_multiplied_in_16_bit() -> None:
    parts = served(parts={"experts": "mxfp4"}, precision="bf16", model="gpt_oss_120b").parts
    assert number(parts.expert_peak_flop_per_s) == 989.4e12
    assert number(parts.expert_parameter_bytes) == 0.53125


def test_a_precision_without_a_peak_is_refused() -> None:
    (told,) = faults(precision="nvfp4")
    assert told.startswith("workload.precision: H200 SXM 141GB has no published peak at nvfp4")
    (told,) = faults("huawei_cloudmatrix384")
    assert "no published peak at fp8" in told


@pytest.mark.parametrize(
    ("system", "workload", "words"),
    [
        ("dgx_h200", {}, {"engine": "tensorrt_llm", "era": "2026", "precision": "fp8"}),
        ("huawei_cloudmatrix384", {"precision": "int8"}, {"engine": "vllm", "precision": "int8"}),
        ("dgx_h200", {"engine": {"name": "vllm", "version": "0.12.0"}}, {"engine": "vllm", "era": "2025"}),
        (
            "dgx_h200", {"precision": "bf16", "parts": {"experts": "mxfp4"}, "model": "gpt_oss_120b"},
            {"precision": "nvfp4", "generation": "hopper"},
        ),
    ],
)  # fmt: skip
def test_words_by_which_constants_are_chosen(
    system: str, workload: dict[str, Any], words: dict[str, str]
) -> None:
    context = resolved(system, **workload).context
    assert {name: context[name] for name in words} == words


def test_no_layout_is_left_to_the_engine() -> None:
    assert served().plan is None


def test_a_layout_of_an_instance() -> None:
    plan = served("gb200_nvl72", layout={"tp": 2, "dp": 4}).plan
    assert plan is not None
    assert plan.prefill is None
    assert plan.decode_instances is None
    assert number(plan.decode.accelerators) == 8
    assert (
        number(plan.decode.expert_parallel) == 8
    )  # whole experts on every rank where attention is data-parallel
    alone = served(layout={"tp": 8, "instances": 1}).plan
    assert alone is not None
    assert number(alone.decode.expert_parallel) == 1
    assert alone.decode_instances is not None
    assert number(alone.decode_instances) == 1


def test_a_dense_model_spreads_no_experts_over_its_replicas() -> None:
    """What is reported of it can be stated back."""
    plan = served(model="llama_3_1_8b", layout={"tp": 1, "dp": 8}).plan
    assert plan is not None
    assert number(plan.decode.expert_parallel) == 1
    back = served(model="llama_3_1_8b", layout={"tp": 1, "dp": 8, "ep": 1}).plan
    assert back is not None
    assert number(back.decode.expert_parallel) == 1


def test_a_layout_of_prefill_and_decode() -> None:
    plan = served(
        "gb200_nvl72",
        layout={"prefill": {"dp": 4, "instances": 6}, "decode": {"dp": 48, "redundant_experts": 32}},
    ).plan
    assert plan is not None
    assert plan.prefill is not None
    assert plan.prefill_instances is not None
    assert plan.decode_instances is not None
    assert (number(plan.prefill_instances), number(plan.decode_instances)) == (6, 1)
    assert (number(plan.prefill.expert_parallel), number(plan.decode.expert_parallel)) == (4, 48)
    assert number(plan.decode.redundant_experts) == 32


@pytest.mark.parametrize(
    ("layout", "place", "said"),
    [
        ({"tp": 3}, "workload.layout.tp", "tp 3 does not divide the 128 heads"),
        ({"pp": 62}, "workload.layout.pp", "pp 62 is more than the 61 layers"),
        ({"tp": 8, "ep": 16}, "workload.layout.ep", "ep 16 does not divide the 8 ranks"),
        ({"dp": 48}, "workload.layout.ep", "state redundant_experts: 32"),
        (
            {"dp": 48, "redundant_experts": 31},
            "workload.layout.ep",
            "256 experts of DeepSeek-V3 / R1 and 31 copies",
        ),
        ({"tp": 8, "instances": 10}, "workload.layout", "asks for 80 accelerators"),
        (
            {"prefill": {"tp": 8}, "decode": {"dp": 128}},
            "workload.layout.decode",
            "asks for 136 accelerators",
        ),
        (
            {"prefill": {"tp": 5}, "decode": {"dp": 8}},
            "workload.layout.prefill.tp",
            "does not divide the 128 heads",
        ),
    ],
)
def test_a_layout_that_cannot_be_is_refused(layout: dict[str, object], place: str, said: str) -> None:
    (told,) = faults("gb200_nvl72", layout=layout)
    assert told.startswith(f"{place}: ")
    assert said in told


def test_a_dense_model_has_no_experts_to_spread() -> None:
    (told,) = faults(model="llama_3_1_70b", layout={"tp": 8, "ep": 8})
    assert "no experts to spread" in told


def test_requests_longer_than_the_model_takes_are_refused() -> None:
    (told,) = faults(requests={"input_tokens": 163_000, "output_tokens": 1000})
    assert told.startswith("workload.requests.input_tokens: ")
    assert "takes at most 163,840" in told
    served(requests={"input_tokens": 162_840, "output_tokens": 1000})


def test_an_inline_model_may_state_its_context() -> None:
    model = {"layers": 4, "hidden": 64, "heads": 8, "vocabulary": 1000, "feed_forward_hidden": 256}
    assert np.isnan(served(model=model).context_tokens[0])
    assert number(served(model=model | {"context_tokens": 4096}).context_tokens) == 4096
    (told,) = faults(model=model | {"context_tokens": 2047})
    assert "takes at most 2,047" in told


def test_tokens_of_a_day_are_requests_a_second() -> None:
    demand = served(demand={"tokens_per_day": 86_400 * 2048 * 3}).demand
    assert demand is not None
    assert number(demand.requests_per_s) == pytest.approx(3)
    assert number(demand.peak_to_mean) == pytest.approx(278 / 226.75, rel=1e-3)


def test_what_is_not_promised_is_not_a_number() -> None:
    level = served(service_level={"ttft_s": 2}).level
    assert number(level.ttft_s) == 2
    assert np.isnan(level.tpot_s).all()
    assert number(level.percentile) == 0.95


@pytest.mark.parametrize("system", ["amd_mi300x_8way", "huawei_cloudmatrix384", "tpu_v5e_pod"])
def test_an_engine_runs_where_it_runs(system: str) -> None:
    (said,) = faults(system, engine={"name": "tensorrt_llm"}, precision="bf16")
    assert said.startswith("workload.engine.name: is tensorrt_llm, which runs on NVIDIA accelerators alone")
    assert "State auto, sglang" in said
    assert "vllm" in said
    assert served(system, precision="bf16").engine == "vllm"


def test_the_origin_of_a_newer_version_says_so() -> None:
    found = resolved(engine={"name": "vllm", "version": "99.1"})
    assert "vllm 99.1 is newer than any that was measured" in found.origins["workload.engine_year"].source
    known = resolved(engine={"name": "vllm", "version": "0.19.0"})
    assert known.origins["workload.engine_year"].source == "seed_data/serving/engine_versions.csv"


def test_guesses_stand_by_task_unless_stated() -> None:
    code, chat = (
        served(speculation={"tokens": 2, "task": task}).speculation.acceptance[0] for task in ("code", "chat")
    )
    assert code > chat
    assert served(speculation={"acceptance": 0.5, "task": "code"}).speculation.acceptance[0] == 0.5


def test_a_draft_model_is_one_of_the_catalog() -> None:
    drafted = served(
        model="llama_3_1_70b", speculation={"tokens": 3, "draft_model": "llama_3_1_8b"}
    ).speculation
    assert drafted.draft is not None
    assert number(drafted.draft.layers) == 32
    assert served().speculation.draft is None
    (told,) = faults(speculation={"tokens": 3, "draft_model": "llama_3_1_9b"})
    assert told.startswith("workload.speculation.draft_model")
