"""The words of a row: parts, layouts, engines and throughputs."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.validation.serving.engine_words import engine_of, precision_assumed, precision_of
from app.validation.serving.throughput_case import (
    DECODE,
    MAXIMUM,
    PREFILL,
    acceptance_of,
    is_idealised,
    precision_word,
    question_of,
)
from app.validation.serving.words import (
    Cut,
    accelerator_key,
    aggregated_cut,
    model_key,
    model_spellings,
    plain,
    pool_cut,
    shorter_models,
    shorter_systems,
    sized,
    system_spellings,
)
from app.validation.study import Row, UnsupportedRowError
from tests.validation.serving.rows import group, row

# Spellings of names: pure text.


@pytest.mark.parametrize("name", ["Llama-3.1-8B", "llama_3_1_8b", "Llama 3.1 8B", "LLAMA3.1-8b"])
def test_a_plain_name_has_no_marks(name: str) -> None:
    assert plain(name) == "llama3.1.8b"


def test_numbers_side_by_side_stay_apart() -> None:
    assert plain("Llama-3-18B") != plain("Llama-3.1-8B")
    assert plain("GPT-3-175B") == plain("GPT3-175B")


def test_endings_go_one_by_one() -> None:
    assert shorter_models("amd/gpt-oss-120b-w-mxfp4-a-fp8")[-1] == "gpt-oss-120b"
    assert shorter_models("NVIDIA-Nemotron-3-Nano-30B-A3B-FP8")[-1] == "Nemotron-3-Nano-30B-A3B"
    assert shorter_models("Qwen3-8B") == ["Qwen3-8B"]


def test_a_known_name_keeps_its_version_and_its_date() -> None:
    assert model_spellings("deepseek-ai/DeepSeek-V2") == {"deepseekaideepseekv2", "deepseekv2"}
    assert "mistrallarge" not in model_spellings("Mistral-Large-Instruct-2407")
    assert {"qwen3.235b", "qwen3.235ba22b"} <= model_spellings("Qwen/Qwen3-235B-A22B")


def test_sizes_at_the_end() -> None:
    assert sized("DeepSeek-R1-671B") == ("DeepSeek-R1", 671e9)
    assert sized("Kimi-K2-1T-A32B") == ("Kimi-K2", 1e12)
    assert sized("Kimi-K2") is None


@pytest.mark.parametrize(
    ("name", "words", "memory"),
    [
        ("8xNVIDIA H100-SXM5-80GB", ["h100sxm", "h100"], 80),
        ("hgx_h200", ["h200"], None),
        ("a100_sxm_40", ["a100sxm40", "a100sxm", "a100"], None),
        ("AMD Instinct MI300X (OAM)", ["mi300x"], None),
        ("gb200_nvl72", ["gb200"], None),
        ("nvidia", [], None),
    ],
)
def test_words_that_tell_a_system_from_others(name: str, words: list[str], memory: float | None) -> None:
    found = shorter_systems(name)
    assert [one.words for one in found] == words
    assert {one.memory_gb for one in found} <= {memory}


def test_a_known_system_goes_without_its_maker_and_family() -> None:
    assert system_spellings("huawei_ascend_910b") == {"huaweiascend910b", "ascend910b", "910b"}


# Names of files as keys of the catalog.


@pytest.mark.parametrize(
    ("name", "key"),
    [("DeepSeek-R1-NVFP4", "deepseek_v3"), ("nvidia/DeepSeek-R1-0528-FP4-v2", "deepseek_v3"),
     ("meta-llama/Llama-3.1-8B-Instruct", "llama_3_1_8b"), ("Qwen3-32B-FP8", "qwen3_32b"),
     ("amd/Llama-3.3-70B-Instruct-FP8-KV", "llama_3_3_70b"),
     ("RedHatAI/Llama-3.3-70B-Instruct-quantized.w8a8", "llama_3_3_70b"),
     ("Qwen/Qwen3-30B-A3B-Thinking-2507-FP8", "qwen3_30b_a3b")],
)  # fmt: skip
def test_checkpoints_are_the_models_they_were_made_of(catalog: Catalog, name: str, key: str) -> None:
    assert model_key(name, catalog) == key


@pytest.mark.parametrize(
    ("name", "key"),
    [("llama4_scout", "llama_4_scout"), ("kimik2.5", "kimi_k2_5"), ("minimaxm2.5", "minimax_m2_5"),
     ("Meta-Llama-3.1-8B", "llama_3_1_8b"), ("gptoss-120b", "gpt_oss_120b"), ("qwen2.5 72b", "qwen2_5_72b"),
     ("models--Qwen--Qwen2.5-7B-Instruct", "qwen2_5_7b")],
)  # fmt: skip
def test_marks_between_words_do_not_matter(catalog: Catalog, name: str, key: str) -> None:
    assert model_key(name, catalog) == key


def test_parameters_may_be_left_out_or_added_if_they_are_right(catalog: Catalog) -> None:
    assert model_key("Qwen3-235B", catalog) == "qwen3_235b_a22b"
    assert model_key("DeepSeek-R1-671B", catalog) == "deepseek_v3"
    assert model_key("GLM-4.5-355B-A32B-FP8", catalog) == "glm_4_5"
    for other in ("Nemotron-3-Nano-4B", "GLM-4.5-9B", "Mistral-Large-3-675B-Instruct-2512"):
        with pytest.raises(UnsupportedRowError, match="is not in the catalog"):
            model_key(other, catalog)


@pytest.mark.parametrize(
    "name", ["llama-70b", "DeepSeek-V2-Mini", "DeepSeek-V4", "Mistral-Large", "Qwen3-Max"]
)
def test_a_name_of_several_models_or_of_another_is_of_none(catalog: Catalog, name: str) -> None:
    with pytest.raises(UnsupportedRowError, match="the nearest are"):
        model_key(name, catalog)


@pytest.mark.parametrize(
    ("name", "key"),
    [("b300_sxm", "nvidia_b300_sxm"), ("gb300", "nvidia_gb300"), ("a100_sxm", "nvidia_a100_sxm_80"),
     ("mi300x", "amd_mi300x"), ("h20_sxm", "nvidia_h20_sxm"), ("L40S", "nvidia_l40s"), ("tpu_v6e", "google_tpu_v6e"),
     ("h100_nvl", "nvidia_h100_nvl"), ("H100-NVL-94GB", "nvidia_h100_nvl"), ("910b", "huawei_ascend_910b"),
     ("AMD-Instinct-MI355X", "amd_mi355x"), ("mi355", "amd_mi355x"), ("tpu7x", "google_tpu_v7_ironwood"),
     ("vr200_nvl72", "nvidia_rubin_vr200"), ("RTX-PRO-6000-Blackwell", "nvidia_rtx_pro_6000_server")],
)  # fmt: skip
def test_systems_by_the_names_of_files(catalog: Catalog, name: str, key: str) -> None:
    assert accelerator_key(name, catalog)[0] == key


@pytest.mark.parametrize(
    ("name", "key"),
    [("8xH100", "nvidia_h100_sxm"), ("h200x8", "nvidia_h200_sxm"), ("hgx_b200", "nvidia_b200_sxm"),
     ("dgx_h100", "nvidia_h100_sxm"), ("NVIDIA H100 80GB HBM3", "nvidia_h100_sxm"), ("gb300-nvl72", "nvidia_gb300"),
     ("cloudmatrix384", "huawei_ascend_910c"), ("tpu_v5e-8", "google_tpu_v5e")],
)  # fmt: skip
def test_servers_racks_and_counts_are_their_accelerators(catalog: Catalog, name: str, key: str) -> None:
    assert accelerator_key(name, catalog)[0] == key


def test_what_was_found_by_another_spelling_is_said(catalog: Catalog) -> None:
    assert accelerator_key("h100_sxm", catalog) == ("nvidia_h100_sxm", "")
    assert accelerator_key("8xH100", catalog)[1] == "system 8xH100 as nvidia_h100_sxm"


def test_the_memory_that_a_name_says_must_be_there(catalog: Catalog) -> None:
    assert accelerator_key("A100-40GB", catalog)[0] == "nvidia_a100_sxm_40"
    assert accelerator_key("a100_80gb", catalog)[0] == "nvidia_a100_sxm_80"
    assert accelerator_key("b200-192gb", catalog)[0] == "nvidia_b200_sxm"
    with pytest.raises(UnsupportedRowError, match="'H20-141GB' is not in the catalog"):
        accelerator_key("H20-141GB", catalog)


@pytest.mark.parametrize("name", ["l2", "mi308x", "rtx_4090", "H20-3e"])
def test_a_system_that_is_not_in_the_catalog_is_no_other(catalog: Catalog, name: str) -> None:
    with pytest.raises(UnsupportedRowError, match="the nearest are"):
        accelerator_key(name, catalog)


# Layouts as files write them.


@pytest.mark.parametrize(
    ("tp", "dp", "moe_tp", "moe_ep", "tensor", "data", "expert"),
    [
        (8, 1, 8, 1, 8, 1, 1),
        (4, 1, 1, 4, 4, 1, 4),
        (1, 8, 1, 8, 1, 8, 8),
        (1, 4, 4, 1, 1, 4, 1),
        (8, "", 2, 4, 8, 1, 4),
        (64, 1, 8, 8, 8, 1, 8),
        (16, 1, 4, 4, 4, 1, 4),
        (4, 1, 2, 2, 2, 1, 2),
        (1, 64, 8, 8, 1, 8, 8),
        (4, 4, 1, 16, 1, 4, 4),
        (2, 2, 1, 4, 1, 2, 2),
    ],
)
def test_squared_layouts_are_of_fewer_accelerators(
    tp: object, dp: object, moe_tp: int, moe_ep: int, tensor: int, data: int, expert: int
) -> None:
    stated = row(tp=tp, dp=dp, moe_tp=moe_tp, moe_ep=moe_ep, batch="")
    cut, instances = aggregated_cut(stated, experts=True)
    assert cut == Cut(tensor, data, 1, expert)
    assert instances == 1


def test_the_batch_of_a_rank_says_that_attention_is_data_parallel() -> None:
    stated = row(tp=8, dp="", moe_tp=1, moe_ep=8, concurrency=64, batch=8)
    assert aggregated_cut(stated, experts=True)[0] == Cut(1, 8, 1, 8)


@pytest.mark.parametrize(
    ("tp", "dp", "moe_tp", "moe_ep", "tensor", "data", "expert"),
    [(1, "", 1, 8, 1, 8, 8), (2, "", 4, 2, 2, 4, 2), (1, "", 8, 1, 1, 8, 1), (4, 1, 1, 32, 4, 8, 32)],
)
def test_experts_over_more_ranks_than_attention_mean_replicas_of_it(
    tp: int, dp: object, moe_tp: int, moe_ep: int, tensor: int, data: int, expert: int
) -> None:
    """tp x dp = moe_tp x moe_ep, as TensorRT-LLM cuts one set of ranks twice."""
    cut, _ = aggregated_cut(row(tp=tp, dp=dp, moe_tp=moe_tp, moe_ep=moe_ep, batch=""), experts=True)
    assert cut[:4] == (tensor, data, 1, expert)
    assert cut.assumed == (f"{data} replicas of attention: moe_tp x moe_ep {tensor * data} over tp {tensor}",)


def test_a_pool_whose_experts_reach_over_more_ranks_has_replicas_too() -> None:
    assert pool_cut(group(d_tp=1, d_dp="", d_ep=16), "d_", experts=True)[:4] == (1, 16, 1, 16)


def test_instances_of_a_dense_model_share_the_requests() -> None:
    stated = row(tp=2, dp=1, moe_tp=1, moe_ep=1, concurrency=64, batch=2)
    assert aggregated_cut(stated, experts=False) == (Cut(2, 1, 1, 1), 32)


@pytest.mark.parametrize("tp", [12, 20, 36, 72, 64])
def test_the_size_of_a_deployment_is_no_layout(tp: int) -> None:
    with pytest.raises(UnsupportedRowError, match="whole deployment"):
        aggregated_cut(row(tp=tp, moe_tp=tp, moe_ep=1, batch=""), experts=True)
    with pytest.raises(UnsupportedRowError, match="whole deployment"):
        pool_cut(group(p_tp=tp, p_dp=1), "p_", experts=True)


def test_pools() -> None:
    assert pool_cut(group(), "p_", experts=True) == Cut(1, 4, 1, 4)
    assert pool_cut(group(), "d_", experts=True) == Cut(8, 1, 1, 8)
    wide = pool_cut(group(d_tp=32, d_ep=4), "d_", experts=True)
    assert wide[:4] == (1, 32, 1, 32)
    assert wide.assumed


def test_experts_of_decode_are_over_all_its_ranks_where_prefill_was_copied() -> None:
    copied = pool_cut(group(p_ep=4, d_tp=8, d_ep=4), "d_", experts=True)
    assert copied[:4] == (8, 1, 1, 8)
    assert copied.assumed == ("experts over all 8 ranks of decode",)
    assert pool_cut(group(p_ep=8, d_tp=8, d_ep=4), "d_", experts=True)[:4] == (8, 1, 1, 4)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(UnsupportedRowError, match="d_tp is not given"):
        pool_cut(group(d_tp=""), "d_", experts=True)
    with pytest.raises(UnsupportedRowError, match="does not divide"):
        aggregated_cut(row(tp=8, moe_tp=1, moe_ep=3, batch=""), experts=True)


# Engines, versions and formats as files write them.


@pytest.mark.parametrize(
    ("stated", "name"),
    [("trtllm", "tensorrt_llm"), ("dynamo-trt", "tensorrt_llm"), ("mori-sglang", "sglang"),
     ("sglang-disagg", "sglang"), ("vLLM", "vllm"), ("atom", "vllm"), ("dynamo-vllm", "vllm"), ("mindie", "vllm")],
)  # fmt: skip
def test_engines_go_by_many_names(stated: str, name: str) -> None:
    assert engine_of(row(engine=stated)).name == name


def test_a_stand_in_and_a_new_version_are_said() -> None:
    assert engine_of(row(engine="atom", engine_version="")).assumed == ("engine atom as vllm",)
    said = engine_of(row(engine="vllm", engine_version="0.23.1", measured="2026-09-01")).assumed
    assert said == ("vllm 0.23.1 is newer than any known: constants of 0.19.0",)
    assert not engine_of(row()).assumed


def test_the_date_says_the_era_and_else_the_version() -> None:
    assert engine_of(row(measured="2026-01-14")).era == "2025"
    assert engine_of(row(measured="2026-01-15")).era == "2026"
    assert engine_of(row(measured="", engine_version="1.0.0rc3")).era == "2025"
    assert engine_of(row(engine="sglang", measured="", engine_version="0.5.9")).era == "2026"
    unknown = engine_of(row(engine="sglang", measured="", engine_version=""))
    assert unknown.era == "2026"
    assert "neither version nor date" in unknown.assumed[0]
    assert engine_of(row(measured="soon")).year > 2025


def test_an_unknown_engine_names_the_known() -> None:
    with pytest.raises(UnsupportedRowError, match=r"'llama\.cpp' is not known; known are tensorrt_llm"):
        engine_of(row(engine="llama.cpp"))


@pytest.mark.parametrize(
    ("cells", "model", "vendor", "form"),
    [
        ({"precision": "fp4"}, "deepseek_v3", "NVIDIA", "nvfp4"),
        ({"precision": "fp4"}, "gpt_oss_120b", "NVIDIA", "mxfp4"),
        ({"precision": "fp8"}, "gpt_oss_20b", "NVIDIA", "mxfp4"),
        ({"precision": "fp4"}, "deepseek_v3", "AMD", "mxfp4"),
        ({"precision": "fp8"}, "deepseek_v4_pro", "NVIDIA", "nvfp4"),
        ({"precision": "fp8"}, "deepseek_v4_flash", "AMD", "mxfp4"),
        ({"precision": "", "model": "Qwen3-32B-NVFP4"}, "qwen3_32b", "NVIDIA", "nvfp4"),
        ({"precision": "FP16"}, "qwen3_32b", "NVIDIA", "bf16"),
        ({"precision": "FP8-Block"}, "qwen3_32b", "NVIDIA", "fp8_block"),
        ({"precision": "w4a16_mxfp4"}, "gpt_oss_20b", "NVIDIA", "mxfp4"),
        ({"precision": "AWQ-INT4"}, "qwen3_32b", "NVIDIA", "w4a16"),
        ({"precision": "W4AFP8"}, "deepseek_v3", "NVIDIA", "mxfp4"),
        ({"precision": ""}, "kimi_k2_5", "NVIDIA", "w4a16_g32"),
        ({"precision": "", "model": "qwen3-32b_fp8"}, "qwen3_32b", "NVIDIA", "fp8"),
    ],
)
def test_formats(cells: dict[str, object], model: str, vendor: str, form: str) -> None:
    assert precision_of(row(**cells), model, vendor) == form


def test_four_bits_multiplied_in_eight_are_taken_as_another_format_which_is_said() -> None:
    said = "precision w4afp8 as mxfp4, multiplied as the hardware multiplies that"
    assert precision_assumed(row(precision="W4AFP8"), "qwen3_32b") == (said,)
    assert not precision_assumed(row(precision="W4A16"), "qwen3_32b")
    assert not precision_assumed(row(precision="mxfp4"), "qwen3_32b")


def test_a_checkpoint_with_experts_in_four_bits_says_so() -> None:
    said = ("experts in four bits, as the checkpoint is published",)
    assert precision_assumed(row(precision="fp8"), "deepseek_v4_pro") == said
    assert not precision_assumed(row(precision="fp4"), "deepseek_v4_pro")
    assert not precision_assumed(row(precision="fp8"), "deepseek_v3")


def test_an_engine_that_is_not_stated() -> None:
    with pytest.raises(UnsupportedRowError, match="the engine is not stated; known are tensorrt_llm"):
        engine_of(row(engine=""))


def test_a_format_that_is_not_known() -> None:
    with pytest.raises(UnsupportedRowError, match="'fp2' is not known"):
        precision_of(row(precision="fp2"), "deepseek_v3", "NVIDIA")


@pytest.mark.parametrize(
    ("model", "form"),
    [("deepseek_v3", "fp8"), ("gpt_oss_120b", "mxfp4"), ("qwen3_32b", "bf16"), ("deepseek_v4_pro", "nvfp4")],
)
def test_a_format_that_is_not_stated_is_that_of_the_checkpoint(model: str, form: str) -> None:
    assert precision_of(row(precision=""), model, "NVIDIA") == form
    assert "precision not stated" in precision_assumed(row(precision=""), model)[0]


# What rows of throughputs ask for.


def asked(**cells: str) -> Row:
    return Row(key="1", cells=cells)


@pytest.mark.parametrize(
    ("metric", "kind", "unit"),
    [
        ("output tok/s per GPU", MAXIMUM, 1),
        ("prefill tok/s per 8-GPU node", PREFILL, 8),
        ("decode tok/s per NPU", DECODE, 1),
        ("decode tok/s total", DECODE, 96),
        ("prefill tok/s per 8-GPU node end to end", PREFILL, 8),
        ("Offline tok/s (system)", MAXIMUM, 96),
        ("TPOT ms (mean)", "tpot", 1000),
        ("TTFT ms", "ttft", 1000),
        ("median TPOT ms", "tpot", 1000),
    ],
)
def test_metrics(metric: str, kind: str, unit: float) -> None:
    found = question_of(asked(metric=metric), 96)
    assert (found.kind, found.unit) == (kind, pytest.approx(unit))
    assert found.whole == metric.endswith("end to end")


def test_a_server_promises_latencies() -> None:
    assert question_of(asked(metric="Server tok/s (system)", model="llama2-70b-99.9"), 8).tpot_limit_s == 0.2
    assert question_of(asked(metric="Offline tok/s (system)"), 8).tpot_limit_s == float("inf")


def test_limits_are_those_of_the_model() -> None:
    limits = question_of(asked(metric="Server tok/s (system)", model="llama3.1-405b-interactive-99"), 8)
    assert (limits.tpot_limit_s, limits.ttft_limit_s) == (0.08, 4.5)
    limits = question_of(asked(metric="Interactive tok/s (system)", model="deepseek-r1"), 8)
    assert (limits.tpot_limit_s, limits.ttft_limit_s) == (0.015, 1.5)
    with pytest.raises(UnsupportedRowError, match="no latency limits are known of MLPerf's qwen3"):
        question_of(asked(metric="Server tok/s (system)", model="qwen3"), 8)


@pytest.mark.parametrize("metric", ["dispatch latency us", "mean nodes in service", ""])
def test_what_is_no_throughput(metric: str) -> None:
    with pytest.raises(UnsupportedRowError, match="neither a throughput nor a latency"):
        question_of(asked(metric=metric), 8)


@pytest.mark.parametrize(
    ("precision", "hardware", "word"),
    [("fp8 (fp4 on B200)", "H200-SXM", "fp8"), ("fp8 (fp4 on B200)", "B200-SXM-180GBx1_TRT", "fp4"),
     ("nvfp4 MoE + fp8 attention", "GB200", "nvfp4"), ("int8", "Ascend 910C", "int8")],
)  # fmt: skip
def test_the_format_of_the_hardware_at_hand(precision: str, hardware: str, word: str) -> None:
    assert precision_word(asked(precision=precision, hardware=hardware)) == word


def test_speculation_is_read_from_the_conditions() -> None:
    assert acceptance_of("EP320 (160 NPU), TPOT 49.4 ms, MTP 1 token at 70% acceptance, 1.29") == 0.7
    assert acceptance_of("simulated MTP, 60% acceptance") == 0.6
    assert acceptance_of("EP48, no MTP; 2.7x H100") == 0
    assert acceptance_of("DEP4") == 0


def test_perfect_balance_is_idealised() -> None:
    assert is_idealised(asked(conditions="IDEALISED perfect EPLB"))
    assert is_idealised(asked(unscored_reason="idealised result (perfect expert balance)"))
    assert not is_idealised(asked(conditions="EP32, default EPLB"))
