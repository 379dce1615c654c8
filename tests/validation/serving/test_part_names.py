"""Names of files as keys of the catalog."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.validation.serving.words import accelerator_key, model_key
from app.validation.study import UnsupportedRowError


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
