"""Pipeline stages of an instance: batches that stages work on by turns, chunks of a prompt that follow one another.

Decoding keeps as many micro-batches in flight as there are stages, each a part of the sequences, so a token takes one
way through all stages, or a turn of the fullest for each micro-batch where that is longer. A prompt is prefilled in
chunks; engines whose scheduler sends the next chunk before the one ahead has left the last stage fill the stages with
them.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.expert_load import accelerators_of, ranks_of
from app.engine.performance.serving.footprint import longest_stage_share
from app.engine.performance.serving.machine import ServingMachine
from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array

_STAGES = "[1] Narayanan et al. 2021, arXiv 2104.04473 (pipeline schedules); [2] Agrawal et al. 2024, arXiv 2403.02310, section 3.3 (bubbles of inference)"
_FOLLOWING = (
    "[1] vLLM, Scheduler._update_after_schedule: a prompt is scheduled again immediately in the next step; [2] SGLang "
    "documentation, pipeline parallelism for long context; (chunks + stages - 1) turns of a stage"
)
_SENT = "[1] vLLM, IntermediateTensors of its models (hidden states and residual) and GroupCoordinator.send_tensor_dict: each tensor-parallel rank sends its slice"

SENT_STATES = 2.0
"""Tensors of the width of the model that a stage hands over: hidden states and residual."""
STATE_BYTES = 2.0
"""Of an element of them: 16 bit."""


@quantity(unit="1", source=_STAGES)
def micro_batches(*, sequences: Array, pipeline_parallel: Array) -> Array:
    """Micro-batches in flight: one for each stage, as far as there are sequences."""
    return np.clip(sequences, 1.0, pipeline_parallel)


@quantity(
    unit="s", source="[1] vLLM, get_pp_indices: stages have as many layers, the last one the output head too"
)
def longest_stage_s(*, layers_s: Array, head_s: Array, layers: Array, pipeline_parallel: Array) -> Array:
    """Time of a micro-batch on the stage that takes longest: one with most layers, or the last with the output head."""
    most = np.ceil(layers / pipeline_parallel) / layers * layers_s
    last = np.floor(layers / pipeline_parallel) / layers * layers_s + head_s
    return np.maximum(most, last)


@quantity(unit="s", source=_STAGES)
def stage_wait_s(*, pass_s: Array, longest_stage_s: Array, micro_batches: Array) -> Array:
    """Wait of a micro-batch for its turn on the longest stage, beyond its own way through all stages."""
    return np.maximum(micro_batches * longest_stage_s - pass_s, 0.0)


@quantity(unit="1", source="definition")
def stages_apart(*, pipeline_parallel: Array, stage_ranks: Array, domain_accelerators: Array) -> Array:
    """Hand-overs between stages of different scale-up domains; as many stages as fit lie in one domain."""
    together = np.maximum(np.floor(domain_accelerators / stage_ranks), 1.0)
    return np.ceil(pipeline_parallel / together) - 1


@quantity(unit="B", source=_SENT)
def handed_bytes(*, tokens: Array, hidden: Array, tensor_parallel: Array) -> Array:
    """Bytes per rank sent to the next pipeline stage: its slice of hidden states and residual."""
    return tokens * hidden * SENT_STATES * STATE_BYTES / tensor_parallel


@quantity(unit="s", source=_SENT)
def handing_over_s(
    *,
    pipeline_parallel: Array,
    apart: Array,
    handed_bytes: Array,
    passes: Array,
    latency_s: Array,
    across_latency_s: Array,
    within_bytes_per_s: Array,
    across_bytes_per_s: Array,
) -> Array:
    """Activations on their way from stage to stage, in passes one after another.

    Each hand-over takes a latency, more of it beyond a scale-up domain, and its bytes over the link there.
    """
    near = pipeline_parallel - 1 - apart
    waits = passes * ((pipeline_parallel - 1) * latency_s + apart * across_latency_s)
    moved = near * handed_bytes / within_bytes_per_s
    far = np.where(apart > 0, apart * handed_bytes / across_bytes_per_s, 0.0)
    return np.where(pipeline_parallel > 1, waits + moved + far, 0.0)


@quantity(unit="s", source=_SENT)
def tokens_back_s(
    *, pipeline_parallel: Array, apart: Array, latency_s: Array, across_latency_s: Array
) -> Array:
    """Drawn tokens on their way from the last stage to the first: a latency, as they are few bytes."""
    back = latency_s + np.where(apart > 0, across_latency_s, 0.0)
    return np.where(pipeline_parallel > 1, back, 0.0)


@quantity(unit="s", source=_FOLLOWING)
def prompt_through_stages_s(
    *, prefill_s: Array, passes: Array, stage_share: Array, chunks_follow: Array
) -> Array:
    """Prefill of a prompt by itself.

    Its chunks pass all stages one after another, or follow one another through them: T / c (1 + (c - 1) s), for even
    stages T (c + p - 1) / (c p).

    Parameters
    ----------
    prefill_s : T, of all its chunks on all stages, one after another [s]
    passes : c, its chunks, of equal length
    stage_share : s, of the layers on the longest of p stages
    chunks_follow : 1 where the engine sends a chunk before the one ahead has left the last stage
    """
    filled = (1 + (passes - 1) * stage_share) / passes
    return prefill_s * np.where(chunks_follow > 0, filled, 1.0)


@quantity(unit="1", source=_FOLLOWING)
def chunks_handed_over(*, passes: Array, chunks_follow: Array) -> Array:
    """Chunks of a prompt whose hand-overs it waits for: of the first alone, where others follow meanwhile."""
    return np.where(chunks_follow > 0, 1.0, passes)


@quantity(unit="s", source="definition: stages work on different prompts at the same time")
def stage_cost_s(*, prefill_s: Array, stage_share: Array) -> Array:
    """Time that a prompt keeps the longest pipeline stage from other work."""
    return prefill_s * stage_share


def stage_share_of(layers: Array, layout: ServingLayout) -> Array:
    """Share of the layers on the longest stage."""
    return longest_stage_share(layers=layers, pipeline_parallel=layout.pipeline_parallel)


def handed_over_s(
    layout: ServingLayout,
    machine: ServingMachine,
    hidden: Array,
    tokens: Array,
    passes: Array,
    a: ServingAssumptions,
) -> tuple[Array, Array]:
    """Seconds in which tokens of one replica of attention go from stage to stage, and drawn ones back to the first.

    `tokens` are those of all `passes`, which go one after another.
    """
    across = {"across_latency_s": a.across_domain_latency_s, "latency_s": a.all_reduce_latency_s}
    stages = {
        "pipeline_parallel": layout.pipeline_parallel,
        "apart": stages_apart(
            pipeline_parallel=layout.pipeline_parallel,
            stage_ranks=ranks_of(layout),
            domain_accelerators=machine.domain_accelerators,
        ),
    }
    return handing_over_s(
        **stages,
        **across,
        handed_bytes=handed_bytes(tokens=tokens, hidden=hidden, tensor_parallel=layout.tensor_parallel),
        passes=passes,
        within_bytes_per_s=machine.scale_up_bandwidth_bytes_per_s * a.all_reduce_bandwidth_share,
        across_bytes_per_s=machine.scale_out_of(accelerators_of(layout), "ring") * a.across_bandwidth_share,
    ), tokens_back_s(**stages, **across)
