"""Engines, versions and formats as files write them."""

from __future__ import annotations

import pytest

from app.validation.serving.engine_words import engine_of, precision_assumed, precision_of
from app.validation.study import UnsupportedRowError
from tests.validation.serving.rows import row


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
