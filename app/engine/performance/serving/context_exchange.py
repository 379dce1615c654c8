"""A prompt that is cut over several ranks: what each has of it, and the keys and values that they exchange.

Each rank has as many tokens of the head of a prompt as of its tail, so that all have as many pairs of query and key, and
all weights outside the experts. Before attention the ranks gather the keys and values of one another, and keep all of
them: engines cut the work on a prompt, and not its cache.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.exchange import RESULT_BYTES, Reach, reach_of, slower_bytes_per_s
from app.engine.performance.serving.kv_cache import kv_shards
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array, plain

_CUT = (
    "[1] SGLang documentation, Prefill Context Parallelism (zigzag: head and tail; all-gather of keys and values); "
    "[2] vLLM, ParallelConfig.prefill_context_parallel_size: cuts prefill, and not the cache"
)


@quantity(unit="1", source=_CUT)
def cut_prompt_ranks(*, tensor_parallel: Array, context_parallel: Array) -> Array:
    """Ranks that work on a prompt outside the experts: by heads, and by its tokens."""
    return tensor_parallel * context_parallel


@quantity(unit="1", source=_CUT)
def tokens_of_a_rank(*, tokens: Array, prompts: Array, context_parallel: Array) -> Array:
    """Tokens that one copy of attention has of a prompt, for each of so many prompts at once."""
    return tokens / prompts / context_parallel


@quantity(unit="B", source=_CUT)
def gathered_kv_bytes(
    *,
    tokens: Array,
    attention_layers: Array,
    elements: Array,
    index_elements: Array,
    shards: Array,
    context_parallel: Array,
) -> Array:
    """Keys and values, in 16 bit, that a rank gets from the others of a prompt, and keys of its index, over all layers."""
    others = (context_parallel - 1) / context_parallel
    return others * tokens * attention_layers * (elements / shards + index_elements) * RESULT_BYTES


@quantity(unit="s", source=_CUT)
def gathering_s(
    *,
    gathered_kv_bytes: Array,
    bytes_per_s: Array,
    passes: Array,
    attention_layers: Array,
    latency_s: Array,
    prompts: Array,
) -> Array:
    """Gathering the keys and values of a prompt, once a layer in each of its passes; nothing hides it.

    Replicas of attention gather those of different prompts at the same time.
    """
    return (passes * attention_layers * latency_s + gathered_kv_bytes / bytes_per_s) / prompts


@quantity(unit="s", source=_CUT)
def spread_back_s(
    *,
    tokens: Array,
    hidden: Array,
    expert_layers: Array,
    context_parallel: Array,
    bytes_per_s: Array,
    latency_s: Array,
) -> Array:
    """Results of experts to all copies of attention that decode the same tokens; none where prompts are not cut."""
    others = (context_parallel - 1) / context_parallel
    each = latency_s + others * tokens * hidden * RESULT_BYTES / bytes_per_s
    return np.where(context_parallel > 1, expert_layers * each, 0.0)


def decoded_alike_s(
    model: ServedModel, machine: ServingMachine, layout: ServingLayout, tokens: Array, a: ServingAssumptions
) -> Array:
    """Seconds in which results of experts reach all ranks that prompts are cut over, which decode alike."""
    m, near = model.architecture, reach_of(prompt_ranks(layout), machine)
    return spread_back_s(
        tokens=tokens,
        hidden=m.hidden,
        expert_layers=m.expert_layers,
        context_parallel=layout.context_parallel,
        bytes_per_s=_rate(machine, near, a),
        latency_s=a.all_reduce_latency_s + near.across * a.across_domain_latency_s,
    )


def _rate(machine: ServingMachine, near: Reach, a: ServingAssumptions) -> Array:
    return slower_bytes_per_s(
        across=near.across,
        within=machine.scale_up_bandwidth_bytes_per_s * a.all_reduce_bandwidth_share,
        beyond=machine.scale_out_of(near.ranks, "ring") * a.across_bandwidth_share,
    )


def prompt_ranks(layout: ServingLayout) -> Array:
    """Ranks that work on a prompt outside the experts."""
    return cut_prompt_ranks(tensor_parallel=layout.tensor_parallel, context_parallel=layout.context_parallel)


def gathered_keys_s(
    model: ServedModel,
    machine: ServingMachine,
    layout: ServingLayout,
    tokens: Array,
    prompts: Array,
    a: ServingAssumptions,
) -> Array:
    """Seconds of gathering keys and values of a prompt; 0 where no prompt is cut."""
    m, ranks = model.architecture, prompt_ranks(layout)
    if not np.any(plain(layout.context_parallel) > 1):
        return np.zeros(1)
    near = reach_of(ranks, machine)
    found = gathering_s(
        gathered_kv_bytes=gathered_kv_bytes(
            tokens=tokens,
            attention_layers=m.attention_layers,
            elements=model.kv_elements,
            index_elements=m.index_elements,
            shards=kv_shards(
                tensor_parallel=layout.tensor_parallel, kv_heads=m.kv_heads, latent_kv_rank=m.latent_kv_rank
            ),
            context_parallel=layout.context_parallel,
        ),
        bytes_per_s=_rate(machine, near, a),
        passes=np.ceil(tokens / a.chunk_tokens),
        attention_layers=m.attention_layers,
        latency_s=a.all_reduce_latency_s + near.across * a.across_domain_latency_s,
        prompts=prompts,
    )
    return where_cut(gathering_s=found, context_parallel=layout.context_parallel)


@quantity(unit="s", source="definition")
def where_cut(*, gathering_s: Array, context_parallel: Array) -> Array:
    """Exchange of keys and values; none of a prompt that is not cut."""
    return np.where(context_parallel > 1, gathering_s, 0.0)
