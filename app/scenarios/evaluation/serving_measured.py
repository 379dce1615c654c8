"""What serving was measured on, by which the interval of a prediction is chosen.

`seed_data/validation/serving_latency.csv` holds these models, engines, generations, formats and kinds of attention; a test
holds the lists to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.catalog.values import Part
from app.engine.specs import Architecture
from app.scenarios.resolve.hardware_words import generation_family

MODELS = ("deepseek_v3", "gpt_oss_120b", "llama_3_1_70b", "minimax_m2_5", "qwen3_32b", "qwen3_5_397b_a17b")
ENGINES = ("sglang", "tensorrt_llm", "vllm")
GENERATIONS = ("blackwell", "hopper")
FORMATS = ("bf16", "fp8", "mxfp4", "nvfp4")
ALIKE = {"fp16": "bf16", "fp8_block": "fp8"}
"""Formats that run on the kernels of a measured one, with as many bytes."""
ATTENTION = ("latent", "linear", "plain", "windowed")

KINDS = {
    "sparse": "sparse_tokens",
    "latent": "latent_kv_rank",
    "linear": "linear_layers",
    "windowed": "window_layers",
}
"""Kinds of attention by the fact of an architecture that has them; the first that fits."""


def attention_kind(model: Part) -> str:
    """How a model of the catalog attends: sparse, latent, linear, windowed or plain."""
    return next(
        (kind for kind, fact in KINDS.items() if fact in model.facts and model.facts[fact].value > 0), "plain"
    )


def attention_of(architecture: Architecture) -> str:
    """The same of an architecture."""
    return next((kind for kind, fact in KINDS.items() if float(getattr(architecture, fact)[0]) > 0), "plain")


def never_measured(
    *, model: str, engine: str, generation: str, precision: str, attention: str
) -> Mapping[str, str]:
    """What of a deployment no one measured, by the words of the assumptions that widen its interval.

    >>> never_measured(model="qwen3_8b", engine="vllm", generation="cdna3", precision="mxfp4", attention="plain")
    {'model': 'qwen3_8b', 'generation': 'cdna'}
    """
    line, form = generation_family(generation), ALIKE.get(precision, precision)
    known = {
        "model": (model, MODELS),
        "engine": (engine, ENGINES),
        "generation": (line, GENERATIONS),
        "format": (form, FORMATS),
        "attention": (attention, ATTENTION),
    }
    return {name: word for name, (word, measured) in known.items() if word not in measured}
