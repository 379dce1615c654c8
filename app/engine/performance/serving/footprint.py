"""What serving lays into an accelerator's memory: weights, activations, buffers, and room for each sequence."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.specs import Requests
from app.engine.trace import Array

_ENGINE = "[1] vLLM documentation, gpu_memory_utilization; SGLang documentation, mem_fraction_static"
_EXPERTS = "[1] Lepikhin et al. 2020, arXiv 2006.16668; [2] DeepSeek-AI 2024, arXiv 2412.19437, section 3.4"
_LOW_LATENCY = (
    "[1] DeepEP, csrc/config.hpp (LowLatencyLayout), https://github.com/deepseek-ai/DeepEP; "
    "[2] DeepGEMM, masked grouped matrix products, https://github.com/deepseek-ai/DeepGEMM"
)

RESULT_ELEMENT_BYTES = 2.0
"""Activations between matrix products, and what experts send back, are in 16 bit in every engine."""


@quantity(unit="tokens", source="definition")
def mean_sequence_tokens(*, input_tokens: Array, output_tokens: Array) -> Array:
    """Tokens that a running sequence has on average.

    Its input and half of its output: running sequences are at all places of their answers.
    """
    return input_tokens + output_tokens / 2


def running_tokens(requests: Requests) -> Array:
    """Tokens of a running sequence; of several classes mean over the time that their answers take."""
    if requests.running is not None:
        return requests.running.tokens
    return mean_sequence_tokens(input_tokens=requests.input_tokens, output_tokens=requests.output_tokens)


@quantity(unit="1", source="definition")
def longest_stage_share(*, layers: Array, pipeline_parallel: Array) -> Array:
    """Share of the layers on the pipeline stage that has most: stages hold whole layers."""
    return np.ceil(layers / pipeline_parallel) / layers


@quantity(unit="B", source=_EXPERTS)
def dense_weight_bytes(
    *, parameters: Array, stage_share: Array, parameter_bytes: Array, tensor_parallel: Array
) -> Array:
    """Weights outside the routed experts.

    Cut over tensor-parallel ranks; every replica of data-parallel attention has them.
    """
    return parameters * stage_share * parameter_bytes / tensor_parallel


@quantity(unit="1", source=_EXPERTS)
def redundant_share(*, redundant_experts: Array, experts: Array) -> Array:
    """Copies of much used experts over the experts of the model; 0 without experts."""
    return np.where(experts > 0, redundant_experts / np.maximum(experts, 1.0), 0.0)


@quantity(unit="B", source=_EXPERTS)
def expert_weight_bytes(
    *,
    parameters: Array,
    stage_share: Array,
    parameter_bytes: Array,
    tensor_parallel: Array,
    data_parallel: Array,
    redundant_share: Array,
) -> Array:
    """Weights of the routed experts.

    Over all ranks of a pipeline stage, copies of much used experts included.
    """
    held = parameters * stage_share * parameter_bytes / (tensor_parallel * data_parallel)
    return held * (1 + redundant_share)


@quantity(unit="B", source="definition")
def head_weight_bytes(
    *,
    embedding_parameters: Array,
    tied_embedding: Array,
    parameter_bytes: Array,
    tensor_parallel: Array,
    pipeline_parallel: Array,
) -> Array:
    """Input embedding and output head.

    Both, unless they share their weights; the first and the last stage of a pipeline have one each.
    """
    tables = np.where(pipeline_parallel > 1, 1.0, 2 - tied_embedding)
    return tables * embedding_parameters * parameter_bytes / tensor_parallel


@quantity(unit="B", source="definition", also_at="performance.memory_breakdown_bytes.weights")
def served_weight_bytes(*, dense_bytes: Array, expert_bytes: Array, head_bytes: Array) -> Array:
    """Weights."""
    return dense_bytes + expert_bytes + head_bytes


@quantity(
    unit="B",
    source="[1] Agrawal et al. 2024, arXiv 2403.02310 (chunked prefill)",
    also_at="performance.memory_breakdown_bytes.activations",
)
def served_activation_bytes(
    *,
    chunk_tokens: Array,
    hidden: Array,
    residual_copies: Array,
    feed_forward_hidden: Array,
    expert_hidden: Array,
    mlp_matrices: Array,
    experts_per_token: Array,
    tensor_parallel: Array,
) -> Array:
    """Activations of one pass over a chunk of input.

    Copies of the hidden state, and the wider of a dense feed-forward block and of the experts' share:
    each rank gets k tokens for each of its own, over the tensor-parallel ranks that send the same.
    """
    dense = mlp_matrices * feed_forward_hidden / tensor_parallel
    routed = experts_per_token * (2 * hidden + mlp_matrices * expert_hidden) / tensor_parallel
    return chunk_tokens * RESULT_ELEMENT_BYTES * (residual_copies * hidden + np.maximum(dense, routed))


@quantity(unit="B", source=_LOW_LATENCY)
def exchange_bytes_per_token(
    *,
    experts: Array,
    redundant_share: Array,
    hidden: Array,
    expert_hidden: Array,
    mlp_matrices: Array,
    buffers: Array,
    sent_element_bytes: Array,
    data_parallel: Array,
    expert_parallel: Array,
) -> Array:
    """Room for one decoded token at every expert.

    Low-latency exchange does not wait to learn who gets how many tokens: it keeps a slot for each token of
    each rank at each expert, in every buffer, and so do inputs and results of the experts behind it. Only
    where experts are spread over replicas of data-parallel attention.
    """
    slot = buffers * hidden * RESULT_ELEMENT_BYTES
    rows = (hidden + expert_hidden) * sent_element_bytes
    rows = rows + ((mlp_matrices - 1) * expert_hidden + hidden) * RESULT_ELEMENT_BYTES
    spread = (data_parallel > 1) & (expert_parallel > 1)
    return np.where(spread, experts * (1 + redundant_share) * (slot + rows), 0.0)


@quantity(unit="1", source="definition")
def tokens_on_a_stage(*, tokens_per_step: Array, pipeline_parallel: Array) -> Array:
    """Tokens for each sequence that a pipeline stage works on at once: one of as many micro-batches as stages."""
    return tokens_per_step / pipeline_parallel


@quantity(unit="B", source="definition")
def logit_bytes_per_token(*, vocabulary: Array, element_bytes: Array) -> Array:
    """Logits of one decoded token, whole on the rank that draws the next one."""
    return vocabulary * element_bytes


@quantity(unit="B", source=_ENGINE, also_at="performance.memory_capacity_bytes")
def usable_memory_bytes(*, memory_bytes: Array, memory_fraction: Array) -> Array:
    """Memory of an accelerator that the engine takes."""
    return memory_bytes * memory_fraction


@quantity(unit="B", source="definition")
def memory_for_sequences_bytes(
    *, usable: Array, weights: Array, activations: Array, reserved: Array
) -> Array:
    """Memory that is left for sequences; less than nothing where weights do not fit."""
    return usable - weights - activations - reserved


@quantity(unit="B", source="definition")
def sequence_room_bytes(
    *, sequence_bytes: Array, exchange_bytes: Array, logit_bytes: Array, tokens_per_step: Array
) -> Array:
    """Memory that one more sequence takes.

    What it keeps, and room for the tokens of it that one step computes.
    """
    return sequence_bytes + (exchange_bytes + logit_bytes) * tokens_per_step


@quantity(unit="1", source=_ENGINE, at="performance.batch_limit", key=True)
def sequence_limit(
    *,
    memory_for_sequences_bytes: Array,
    shared_bytes: Array,
    sequence_room_bytes: Array,
    data_parallel: Array,
) -> Array:
    """Maximum sequences per instance.

    Whole ones on each replica of data-parallel attention, beside one copy of what all share.
    """
    each = np.floor((memory_for_sequences_bytes - shared_bytes) / sequence_room_bytes)
    return np.maximum(each, 0.0) * data_parallel


@quantity(unit="1", source=_ENGINE, also_at="performance.batch_limit")
def admitted_sequences(*, fitting: Array, most_sequences: Array, data_parallel: Array) -> Array:
    """Sequences that one instance runs: those that fit, and no more than its engine admits to each replica of attention."""
    return np.minimum(fitting, most_sequences * data_parallel)


@quantity(unit="B", source="definition", at="performance.memory_breakdown_bytes.kv_cache", short="KV cache")
def held_sequence_bytes(
    *, batch: Array, data_parallel: Array, sequence_bytes: Array, shared_bytes: Array
) -> Array:
    """Keys, values and states of all sequences: those of the fullest replica of attention."""
    return np.ceil(batch / data_parallel) * sequence_bytes + shared_bytes


@quantity(unit="B", source=_LOW_LATENCY, also_at="performance.memory_breakdown_bytes.buffers")
def exchange_buffer_bytes(
    *, batch: Array, data_parallel: Array, bytes_per_token: Array, tokens_per_step: Array
) -> Array:
    """Buffers of the exchange between experts, and rows of the experts behind them."""
    return np.ceil(batch / data_parallel) * tokens_per_step * bytes_per_token


@quantity(unit="B", source="definition", also_at="performance.memory_breakdown_bytes.logits")
def served_logit_bytes(
    *, batch: Array, data_parallel: Array, bytes_per_token: Array, tokens_per_step: Array
) -> Array:
    """Logits."""
    return np.ceil(batch / data_parallel) * tokens_per_step * bytes_per_token


@quantity(unit="B", source="definition", also_at="performance.memory_breakdown_bytes.weights")
def weights_with_guesser_bytes(*, model_bytes: Array, guesser_bytes: Array) -> Array:
    """Weights on an accelerator: of the model, and of what guesses ahead."""
    return model_bytes + guesser_bytes


@quantity(unit="B", source="definition", also_at="performance.memory_breakdown_bytes.weights")
def weights_without_host_bytes(
    *, model_bytes: Array, dense_bytes: Array, dense_share: Array, expert_bytes: Array, expert_share: Array
) -> Array:
    """Weights on an accelerator, without those that lie in the memory of the host."""
    return model_bytes - dense_bytes * dense_share - expert_bytes * expert_share


@quantity(unit="B", source="definition: a layer without a cache leaves nothing to the next but hidden states")
def one_layer_bytes(*, sequence_bytes: Array, layers: Array) -> Array:
    """Keys and values of a prompt that passes one layer after another and keeps none."""
    return sequence_bytes / layers


@quantity(unit="B", source="definition")
def bytes_on_accelerator(*, bytes_in_all: Array, host_share: Array) -> Array:
    """Cache per sequence on an accelerator, without the layers whose keys and values are on the host."""
    return bytes_in_all * (1 - host_share)


@quantity(unit="B", source="definition", also_at="performance.offloaded_per_accelerator_bytes")
def bytes_in_host(
    *,
    dense_bytes: Array,
    dense_share: Array,
    expert_bytes: Array,
    expert_share: Array,
    sequence_bytes: Array,
    cache_share: Array,
) -> Array:
    """Weights in the memory of the host for one accelerator, and keys and values of layers that it computes."""
    return dense_bytes * dense_share + expert_bytes * expert_share + sequence_bytes * cache_share


host_capacity_bytes = alias(
    "host_capacity_bytes",
    "Memory of the host for one accelerator",
    of="capacity_bytes",
    at="performance.host_capacity_bytes",
    unit="B",
    also_at="performance.offload_capacity_bytes",
)


@quantity(unit="B", source="definition", also_at="performance.memory_per_accelerator_bytes")
def memory_with_more_bytes(*, memory_bytes: Array, more_bytes: tuple[Array, ...]) -> Array:
    """Peak memory per accelerator, including adapters and encoders."""
    return sum(more_bytes, start=memory_bytes)


@quantity(unit="B", source="definition", also_at="performance.memory_per_accelerator_bytes")
def served_memory_bytes(
    *, weights: Array, kv_cache: Array, activations: Array, buffers: Array, logits: Array, reserved: Array
) -> Array:
    """Peak memory per accelerator, weights and cache."""
    return weights + kv_cache + activations + buffers + logits + reserved
