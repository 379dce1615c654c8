"""Spellings of names: pure text."""

from __future__ import annotations

import pytest

from app.validation.serving.words import (
    model_spellings,
    plain,
    shorter_models,
    shorter_systems,
    sized,
    system_spellings,
)


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
