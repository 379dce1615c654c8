"""How many kernels a forward pass starts, and what starting them costs beyond what a roofline counts.

A decode step of a large model on eight accelerators is thousands of kernels of a few microseconds each: a third
to a half of its time is spent between them. Counts are of the kernels that engines start in a layer, by kind of
layer; fusing them is what engines of later dates do better.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.trace import Array

_COUNTED = (
    "counted in the published model code of vLLM, SGLang and TensorRT-LLM; constants fitted to measured runs"
)


@quantity(unit="1", source=_COUNTED)
def mixer_kernels(
    *,
    attention_layers: Array,
    linear_layers: Array,
    latent_kv_rank: Array,
    sparse_tokens: Array,
    query_key_norm: Array,
    attention_kernels: Array,
    query_key_norm_kernels: Array,
    wide_norm_kernels: Array,
    latent_attention_kernels: Array,
    index_kernels: Array,
    linear_attention_kernels: Array,
) -> Array:
    """Kernels of all attention and recurrent layers.

    Norms of queries and keys over all heads (2) take more than norms by head (1); sparse attention first
    chooses what to read.
    """
    norm = query_key_norm_kernels * (query_key_norm > 0) + wide_norm_kernels * (query_key_norm > 1)
    each = np.where(latent_kv_rank > 0, latent_attention_kernels, attention_kernels + norm)
    each = each + index_kernels * (sparse_tokens > 0)
    return attention_layers * each + linear_layers * linear_attention_kernels


@quantity(unit="1", source=_COUNTED)
def feed_forward_kernel_count(
    *,
    layers: Array,
    expert_layers: Array,
    shared_experts: Array,
    feed_forward_kernels: Array,
    expert_kernels: Array,
    expert_kernel_ratio: Array,
    shared_expert_kernels: Array,
) -> Array:
    """Kernels of all feed-forward layers, dense and with experts."""
    each = expert_kernels + shared_expert_kernels * (shared_experts > 0)
    return (layers - expert_layers) * feed_forward_kernels + expert_layers * each * expert_kernel_ratio


@quantity(unit="1", source=_COUNTED)
def pass_kernels(*, mixer: Array, feed_forward: Array, layers: Array, quantise_kernels: Array) -> Array:
    """Kernels of one pass through the model, those that quantise activations included."""
    return mixer + feed_forward + layers * quantise_kernels


@quantity(unit="1", source="constants fitted to measured runs of engines of known dates")
def engine_speedup(
    *, engine_year: Array, reference_year: Array, first_year: Array, last_year: Array, gain_per_year: Array
) -> Array:
    """Time of a kernel over that of the engine at the reference date.

    e^(-gain x years), between the first and the last date that this engine was measured at: nothing is gained on
    credit, and what came before is taken as the first.
    """
    years = np.clip(engine_year, first_year, last_year) - reference_year
    return np.exp(-gain_per_year * years)


@quantity(unit="s", source="constants fitted to measured runs")
def launch_s(*, kernels: Array, kernel_time_s: Array, kernel_time_ratio: Array, speedup: Array) -> Array:
    """Starting kernels, in one decode step."""
    return kernels * kernel_time_s * kernel_time_ratio * speedup


def kernels_of(model: ServedModel, assumptions: ServingAssumptions, ratio: Array | None = None) -> Array:
    """Kernels of one pass; `ratio` in place of the engine's for its expert kernels."""
    m, a = model.architecture, assumptions
    mixer = mixer_kernels(
        attention_layers=m.attention_layers,
        linear_layers=m.linear_layers,
        latent_kv_rank=m.latent_kv_rank,
        sparse_tokens=m.sparse_tokens,
        query_key_norm=m.query_key_norm,
        attention_kernels=a.attention_kernels,
        query_key_norm_kernels=a.query_key_norm_kernels,
        wide_norm_kernels=a.wide_norm_kernels,
        latent_attention_kernels=a.latent_attention_kernels,
        index_kernels=a.index_kernels,
        linear_attention_kernels=a.linear_attention_kernels,
    )
    feed_forward = feed_forward_kernel_count(
        layers=m.layers,
        expert_layers=m.expert_layers,
        shared_experts=m.shared_experts,
        feed_forward_kernels=a.feed_forward_kernels,
        expert_kernels=a.expert_kernels,
        expert_kernel_ratio=a.expert_kernel_ratio if ratio is None else ratio,
        shared_expert_kernels=a.shared_expert_kernels,
    )
    return pass_kernels(
        mixer=mixer, feed_forward=feed_forward, layers=m.layers, quantise_kernels=a.quantise_kernels
    )


def speedup_of(assumptions: ServingAssumptions, engine_year: Array) -> Array:
    """Time of a kernel of an engine of this date over that at the reference date."""
    a = assumptions
    return engine_speedup(
        engine_year=engine_year,
        reference_year=a.engine_reference_year,
        first_year=a.engine_first_year,
        last_year=a.engine_last_year,
        gain_per_year=a.kernel_gain_per_year,
    )
