"""Serving engines: what they run on, and which of them were measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.engine_versions import engine_versions, era_of
from app.catalog.errors import SeedError
from app.catalog.serving_engines import (
    COLUMNS,
    FEATURE_COLUMNS,
    FEATURES_FILE,
    FILE,
    engine_features,
    era_of_engine,
    has_feature,
    serving_engines,
)
from app.paths import seed_data
from app.scenarios.document.serving import ENGINES


def test_engines_are_those_of_scenarios_and_measured_ones_have_versions() -> None:
    assert {"auto", *serving_engines()} == set(ENGINES)
    measured = {key for key, engine in serving_engines().items() if engine.measured}
    assert measured == {row.engine for row in engine_versions()}


@pytest.mark.parametrize(
    ("engine", "vendor", "runs"),
    [
        ("tensorrt_llm", "NVIDIA", True), ("tensorrt_llm", "AMD", False), ("vllm", "AMD", True), ("vllm", "Apple", False),
        ("llama_cpp", "Apple", True), ("ollama", "NVIDIA", True), ("mindie", "Huawei", True), ("mindie", "NVIDIA", False),
        ("lmdeploy", "Huawei", True), ("lmdeploy", "Apple", False),
    ],
)  # fmt: skip
def test_what_they_run_on(engine: str, vendor: str, runs: bool) -> None:
    assert serving_engines()[engine].runs_on(vendor) is runs


def test_an_engine_that_was_never_measured_says_so() -> None:
    assert "No run of Llama.cpp was measured" in era_of_engine("llama_cpp", "b7000").assumed
    assert era_of_engine("vllm", "0.19.0") == era_of("vllm", "0.19.0")


@pytest.mark.parametrize(("column", "text"), [("source", ""), ("measured", "perhaps")])
def test_bad_rows_are_named(tmp_path: Path, column: str, text: str) -> None:
    cells = dict.fromkeys(COLUMNS, "yes") | {column: text}
    (tmp_path / "serving").mkdir()
    (tmp_path / FILE).write_text(f"{','.join(cells)}\n{','.join(cells.values())}\n", encoding="utf-8")
    with pytest.raises(SeedError, match=column):
        serving_engines(tmp_path)


def test_features_belong_to_engines_and_versions() -> None:
    assert has_feature("sglang", "disaggregated")
    assert not has_feature("sglang", "disaggregated", "0.4.0")
    assert has_feature("sglang", "disaggregated", "0.5.9")
    assert not has_feature("ollama", "module")
    assert has_feature("llama_cpp", "draft", "b7000")  # not a version that can be compared


@pytest.mark.parametrize(
    ("column", "text", "said"),
    [
        ("engine", "mine", "is not an engine"),
        ("first_version", "newest", "is not a version"),
        ("source", "", "is missing"),
    ],
)
def test_bad_features_are_named(tmp_path: Path, column: str, text: str, said: str) -> None:
    (tmp_path / "serving").mkdir()
    (tmp_path / FILE).write_text((seed_data() / FILE).read_text(encoding="utf-8"), encoding="utf-8")
    cells = dict.fromkeys(FEATURE_COLUMNS, "x") | {"engine": "vllm", "first_version": "1.0.0", column: text}
    (tmp_path / FEATURES_FILE).write_text(
        f"{','.join(cells)}\n{','.join(cells.values())}\n", encoding="utf-8"
    )
    with pytest.raises(SeedError, match=said):
        engine_features(tmp_path)
