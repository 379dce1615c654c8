"""What a forward pass reads and multiplies, against published counts of parameters."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.served_model import served_model
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases


def test_dense_model_has_all_but_its_embeddings() -> None:
    """Llama 3.1 70B: 70.55e9 parameters, two embeddings of 128,256 x 8,192."""
    model = served_model(cases.llama_70b())
    assert model.dense_parameters[0] == pytest.approx(70.553706496e9 - 2 * 128256 * 8192, rel=1e-4)
    assert model.head_parameters[0] == 128256 * 8192
    assert model.expert_share[0] == 0


def test_deepseek_v3_is_671_thousand_million_with_37_active() -> None:
    """DeepSeek-AI 2024, arXiv 2412.19437: 671 B in all, 37 B active."""
    a = deepseek_v3()
    model = served_model(a)
    experts = a.expert_layers * a.experts * model.expert_parameters
    active = model.dense_parameters + experts * model.expert_share + model.head_parameters
    assert (model.dense_parameters + experts + 2 * model.head_parameters)[0] == pytest.approx(671e9, rel=2e-3)
    assert active[0] == pytest.approx(37e9, rel=0.015)


def test_latent_attention_keeps_little_and_computes_much() -> None:
    """MLA keeps 512 + 64 elements a token and layer; absorbed scores are over 512 + 64 and sums over 512."""
    model = served_model(deepseek_v3())
    assert model.kv_elements[0] == 576
    assert model.decode_score_flop[0] == 2 * 128 * (2 * 512 + 64)
    assert model.prefill_score_flop[0] == 2 * 128 * (128 + 64 + 128)


def test_attention_with_heads_computes_the_same_in_both() -> None:
    model = served_model(cases.llama_70b())
    assert model.decode_score_flop[0] == model.prefill_score_flop[0] == 4 * 64 * 128


def test_models_of_several_kinds_share_a_call() -> None:
    """Latent and grouped attention differ by numbers alone: stacked rows give what each gives by itself."""
    import dataclasses

    one, other = cases.llama_70b(), deepseek_v3()
    words = {"key", "name", "attention"}
    both = dataclasses.replace(
        one,
        **{
            field.name: np.concatenate([getattr(one, field.name), getattr(other, field.name)])
            for field in dataclasses.fields(one)
            if field.name not in words
        },
    )
    found = served_model(both)
    for position, model in enumerate((one, other)):
        alone = served_model(model)
        for field in dataclasses.fields(found):
            if field.name not in ("architecture", "adapters", "bidirectional", "encoder"):
                assert getattr(found, field.name)[position] == getattr(alone, field.name)[0], field.name
