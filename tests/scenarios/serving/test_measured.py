"""What serving was measured on is what the shipped measurements are of."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.paths import seed_data
from app.scenarios.evaluation import serving_measured as measured
from app.scenarios.evaluation.serving_measured import attention_kind
from app.validation.serving.cases import cases_of, words_of


def test_the_lists_are_those_of_the_file(seeded_data_dir: object) -> None:
    cases = cases_of(seed_data() / "validation" / "serving_latency.csv", ready_catalog())
    words = words_of(cases) | {"format": np.array(cases.format)}
    for name, known in (
        ("model", measured.MODELS),
        ("engine", measured.ENGINES),
        ("generation", measured.GENERATIONS),
        ("format", measured.FORMATS),
        ("attention", measured.ATTENTION),
    ):
        assert tuple(np.unique(words[name]).tolist()) == known, name


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("deepseek_v3", "latent"),
        ("deepseek_v3_2", "sparse"),
        ("qwen3_next_80b_a3b", "linear"),
        ("gpt_oss_20b", "windowed"),
        ("llama_4_scout", "windowed"),
        ("llama_3_1_8b", "plain"),
    ],
)
def test_kinds_of_attention(seeded_data_dir: object, key: str, kind: str) -> None:
    assert attention_kind(ready_catalog().part("models", key)) == kind
