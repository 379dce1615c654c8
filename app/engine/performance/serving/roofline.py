"""Where prefill and decode stand on the roofline of an accelerator."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.attention_step import prompt_pairs
from app.engine.performance.serving.expert_load import accelerators_of
from app.engine.performance.serving.machine import HostSide
from app.engine.performance.serving.pass_weights import weights_of_a_pass
from app.engine.performance.serving.prefill import IN_PASSING, new_tokens
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)"


@quantity(unit="FLOP/B", source=_ROOFLINE)
def arithmetic_intensity(*, flop: Array, traffic_bytes: Array) -> Array:
    """Arithmetic for each byte that is read."""
    return flop / traffic_bytes


@quantity(unit="FLOP/B", source=_ROOFLINE)
def ridge_intensity(*, peak_flop_per_s: Array, memory_bandwidth_bytes_per_s: Array) -> Array:
    """Arithmetic for each byte at which memory and arithmetic take equally long."""
    return peak_flop_per_s / memory_bandwidth_bytes_per_s


@quantity(unit="FLOP/s", source=_ROOFLINE)
def attainable_flop_per_s(
    *, intensity: Array, peak_flop_per_s: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Roofline: the lower of the peak, and of what the memory can feed."""
    return np.minimum(peak_flop_per_s, intensity * memory_bandwidth_bytes_per_s)


@quantity(unit="FLOP/s", source="definition")
def achieved_flop_per_s(*, flop: Array, time_s: Array) -> Array:
    """Arithmetic of the model in a second, of one accelerator."""
    return flop / time_s


@quantity(unit="FLOP", source="definition")
def decode_flop(
    *, batch: Array, step_tokens: Array, model_flop_per_token: Array, accelerators: Array
) -> Array:
    """Model FLOPs of one decode step, of one accelerator."""
    return batch * step_tokens * model_flop_per_token / accelerators


@quantity(unit="FLOP", source="[1] Hoffmann et al. 2022, arXiv 2203.15556, appendix F")
def prompt_flop(
    *,
    tokens: Array,
    dense_parameters: Array,
    expert_layers: Array,
    experts_per_token: Array,
    expert_parameters: Array,
    pairs: Array,
    score_flop: Array,
    index_pairs: Array,
    index_flop: Array,
) -> Array:
    """Model FLOPs of the prefill of one prompt.

    2 for each new token and weight that multiplies it, attention, and the index of sparse attention. The output
    head works on the last token alone and is left out.
    """
    used = dense_parameters + expert_layers * experts_per_token * expert_parameters
    return 2 * tokens * used + pairs * score_flop + index_pairs * index_flop


def flop_of_prompt(model: ServedModel, tokens: Array, cached_tokens: Array) -> Array:
    """Model FLOPs of so many new tokens of a prompt behind those that are cached."""
    m = model.architecture
    scored, indexed = prompt_pairs(model, tokens, cached_tokens)
    return prompt_flop(
        tokens=tokens,
        dense_parameters=model.dense_parameters,
        expert_layers=m.expert_layers,
        experts_per_token=m.experts_per_token,
        expert_parameters=model.expert_parameters,
        pairs=scored,
        score_flop=model.prefill_score_flop,
        index_pairs=indexed,
        index_flop=model.index_flop,
    )


@quantity(unit="FLOP", source="definition")
def prompt_flop_of_a_rank(*, prompt_flop: Array, accelerators: Array) -> Array:
    """Model FLOPs of the prefill of one prompt, of one accelerator of the instance."""
    return prompt_flop / accelerators


@quantity(unit="B", source="[1] Agrawal et al. 2024, arXiv 2403.02310 (chunked prefill)")
def prompt_traffic_bytes(*, pass_weight_bytes: Array, passes: Array, reads: Array, kv_bytes: Array) -> Array:
    """Memory traffic per accelerator for one prompt: weights of its passes, its keys and values.

    Parameters
    ----------
    reads : of all weights in one pass: 1 for a prompt by itself, half where decoding reads them too [1]
    """
    return pass_weight_bytes * passes * reads + kv_bytes


@quantity(unit="B", source="definition")
def prompt_kv_bytes(
    *,
    attention_layers: Array,
    kv_elements: Array,
    element_bytes: Array,
    input_tokens: Array,
    new_tokens: Array,
    accelerators: Array,
) -> Array:
    """Keys and values of a prompt on one accelerator: the new ones written, and all read."""
    each = attention_layers * kv_elements * element_bytes
    return each * (input_tokens + new_tokens) / accelerators


@quantity(unit="B", source="definition")
def weights_of_a_stage(*, pass_bytes: Array, pipeline_parallel: Array) -> Array:
    """Weights that an accelerator reads in a pass: those of its pipeline stage, of stages of equal length."""
    return pass_bytes / pipeline_parallel


def prompt_work(
    *,
    model: ServedModel,
    parts: PartPrecision,
    layout: ServingLayout,
    input_tokens: Array,
    cached_share: Array,
    passes: Array,
    shared: Array,
    assumptions: ServingAssumptions,
    host: HostSide | None = None,
) -> tuple[Array, Array]:
    """FLOPs and bytes of one prompt on one accelerator of an instance that prefills it.

    Parameters
    ----------
    passes : that the prompt takes; below 1 where several share one
    shared : 1 where its passes are shared with others or with decoding, 0 where it is alone
    """
    m, a = model.architecture, assumptions
    tokens = np.maximum(new_tokens(input_tokens=input_tokens, cached_share=cached_share), 1.0)
    accelerators = accelerators_of(layout)  # a stage has its part of the layers
    flop = flop_of_prompt(model, tokens, input_tokens * cached_share)
    in_pass = np.minimum(tokens / np.minimum(passes, 1.0), a.chunk_tokens * layout.data_parallel)
    weights = weights_of_a_stage(
        pass_bytes=weights_of_a_pass(model, parts, layout, in_pass, host),
        pipeline_parallel=layout.pipeline_parallel,
    )
    traffic = prompt_traffic_bytes(
        pass_weight_bytes=weights,
        passes=passes,
        reads=np.where(shared > 0, IN_PASSING, 1.0),
        kv_bytes=prompt_kv_bytes(
            attention_layers=m.attention_layers,
            kv_elements=model.kv_elements,
            element_bytes=parts.kv_element_bytes,
            input_tokens=input_tokens,
            new_tokens=tokens,
            accelerators=accelerators,
        ),
    )
    return prompt_flop_of_a_rank(prompt_flop=flop, accelerators=accelerators), traffic
