"""Scenarios whose prompts have images, video or sound: tokens, memory and time of encoders worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.encoders import AUDIO, media_encoders
from app.catalog.ready import ready_catalog
from app.engine.performance.serving.section import ServingPerformance
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.serving.cases import faults, served, values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

TEXT = {"input_tokens": 200, "output_tokens": 100}


def found(model: str = "qwen2_5_7b", *, tp: int = 1, **requests: Any) -> ServingPerformance:
    asked = {
        "model": model, "precision": "fp8", "engine": {"name": "vllm"}, "concurrency": 4, "layout": {"tp": tp, "instances": 1},
        "requests": TEXT | requests,
    }  # fmt: skip
    section = evaluate_scenario(
        build_scenario(values("dgx_h100", **asked)), ready_catalog()
    ).evaluation.sections.performance
    assert isinstance(section, ServingPerformance)
    return section


def tokens(model: str, **requests: Any) -> float:
    """Tokens that media add to a prompt."""
    asked = served("dgx_h100", model=model, engine={"name": "vllm"}, requests=TEXT | requests).requests
    return float(asked.input_tokens[0]) - 200


def test_tokens_of_an_image_by_the_rule_of_each_model() -> None:
    """Qwen: a token for 28 x 28 or 32 x 32 pixels; Gemma 256 whatever the size; Llama 4: tiles of 144 and one of the whole;
    Mistral: rows with a break each."""
    square = {"images": 1, "image_pixels": 1024 * 1024}
    assert tokens("qwen2_5_7b", **square) == round(1024 * 1024 / 28**2)
    assert tokens("qwen3_8b", **square) == 1024
    assert tokens("gemma_3_27b", **square) == 256
    assert tokens("gemma_3_27b", images=1, image_pixels=100_000) == 256
    assert tokens("llama_4_scout", images=1, image_pixels=336 * 336) == 144
    assert tokens("llama_4_scout", images=1, image_pixels=672 * 672) == 5 * 144
    assert tokens("llama_4_scout", images=1, image_pixels=1e8) == 17 * 144
    assert tokens("mistral_small_24b", images=1, image_pixels=1540 * 1540) == 55 * 56
    assert tokens("mistral_small_24b", images=1, image_pixels=1e8) == 55 * 56


def test_tokens_of_video_and_sound() -> None:
    """Qwen takes two frames as one; Qwen2-Audio 25 tokens per second."""
    assert tokens("qwen2_5_7b", video_frames=20, image_pixels=280 * 280) == 10 * 100
    assert tokens("gemma_3_27b", video_frames=20) == 20 * 256
    assert tokens("qwen2_audio_7b", audio_s=12) == 300
    assert tokens("qwen2_5_7b", images=3, image_tokens=77) == 231


def test_parameters_of_encoders_are_as_published() -> None:
    """SigLIP 400M, Pixtral's 400M, Whisper large v3's encoder of 637M, the 669M of Qwen2.5-VL 7B and the 0.85B of Llama 4."""
    published = {
        "gemma_3_27b": 0.417e9, "mistral_small_24b": 0.44e9, "qwen2_audio_7b": 0.637e9, "qwen2_5_7b": 0.677e9,
        "llama_4_scout": 0.85e9,
    }  # fmt: skip
    for key, parameters in published.items():
        one = media_encoders()[key]
        counted = (
            one.layers * (4 * one.hidden**2 + one.matrices * one.hidden * one.inner)
            + one.projector_parameters
        )
        assert counted == pytest.approx(parameters, rel=0.06), key


def test_an_encoder_takes_memory_and_time_before_prefill_and_none_change_nothing() -> None:
    none, zero, some = found(), found(images=0), found(images=2, image_pixels=28 * 28 * 1000)
    assert np.array_equal(none.ttft_s, zero.ttft_s)
    assert "encoder" not in none.memory_breakdown_bytes
    layer = 4 * 1280**2 + 3 * 1280 * 3420
    projector = 5120 * 5120 + 5120 * 3584
    assert float(some.memory_breakdown_bytes["encoder"][0]) == 2 * (32 * layer + projector)
    flop = 2 * 4000 * (2 * 32 * layer + 4 * 1280 * (4 * 4000 + 28 * 64)) + 2 * 2000 * projector
    assert float(some.ttft_breakdown_s["encoder"][0]) > flop / 989.4e12
    assert float(some.ttft_breakdown_s["encoder"][0]) < 4 * flop / 989.4e12
    assert float(some.ttft_s[0]) == pytest.approx(
        sum(float(part[0]) for part in some.ttft_breakdown_s.values())
    )
    assert some.ttft_breakdown_s["prefill"][0] > none.ttft_breakdown_s["prefill"][0]
    assert some.tpot_s is not None
    assert none.tpot_s is not None
    assert some.tpot_s[0] > none.tpot_s[0]
    assert some.kv_bytes_per_request[0] > 7 * none.kv_bytes_per_request[0]


def test_ranks_share_an_encoder_and_a_cache_spares_it() -> None:
    one, four = (found(tp=tp, images=8) for tp in (1, 4))
    assert (
        float(four.memory_breakdown_bytes["encoder"][0])
        == float(one.memory_breakdown_bytes["encoder"][0]) / 4
    )
    assert four.ttft_breakdown_s["encoder"][0] < one.ttft_breakdown_s["encoder"][0] / 2
    assert (
        found(images=8, cached_share=0.9).ttft_breakdown_s["encoder"][0]
        < one.ttft_breakdown_s["encoder"][0] / 4
    )


def test_more_images_never_take_less() -> None:
    """Over every encoder and sizes from a thumbnail to beyond the largest."""
    for key, encoder in media_encoders().items():
        if encoder.media == AUDIO:
            sounds = [encoder.sound(seconds) for seconds in (0.1, 1, 29, 30, 31, 600)]
            assert [one[2] for one in sounds] == sorted(one[2] for one in sounds)
            assert [one[0] for one in sounds] == [1, 1, 1, 1, 2, 20]
            continue
        sizes = [encoder.image(pixels) for pixels in np.geomspace(1e3, 1e9, 200)]
        counts = [one[2] for one in sizes]
        assert counts == sorted(counts), key
        assert all(one[0] * one[1] >= one[2] > 0 for one in sizes), key
        if encoder.most_px:
            assert counts[-1] == encoder.image(encoder.most_px)[2]


def test_every_encoder_is_of_a_model_of_the_catalog() -> None:
    assert set(media_encoders()) <= set(ready_catalog().keys("models"))


def test_a_demand_in_tokens_counts_those_of_images() -> None:
    demand = {"tokens_per_day": 8.64e7}
    plain, shown = (
        served(
            "dgx_h100", model="gemma_3_27b", engine={"name": "vllm"}, requests=TEXT | more, demand=demand
        ).demand
        for more in ({}, {"images": 2})
    )
    assert plain is not None
    assert shown is not None
    assert float(plain.requests_per_s[0]) == pytest.approx(1000 / 300)
    assert float(shown.requests_per_s[0]) == pytest.approx(1000 / 812)


def test_a_model_without_eyes_or_ears_says_so() -> None:
    (told,) = faults(model="llama_3_1_8b", requests={"images": 1})
    assert told.startswith(
        "workload.requests.images: llama_3_1_8b takes no images or video. Leave it out, or choose qwen2_5_7b"
    )
    (told,) = faults(model="qwen2_5_7b", requests={"audio_s": 3})
    assert "takes no sound" in told
    assert "qwen2_audio_7b" in told
    (told,) = faults(model="gemma_3_4b", requests={"images": 600})
    assert "takes at most 131,072" in told
    for wrong in ({"image_pixels": 100}, {"images": 1, "image_pixels": 100, "image_tokens": 3}):
        with pytest.raises(Exception, match="image"):
            build_scenario(values(requests=wrong))
