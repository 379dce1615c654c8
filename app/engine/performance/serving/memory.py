"""Memory of one accelerator that serves, part by part, and how many sequences an instance can hold."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from app.engine.performance.memory import reserved_bytes
from app.engine.performance.serving import footprint
from app.engine.performance.serving.adapters import (
    AdapterSet,
    adapter_bytes_each,
    adapter_slots_bytes,
    slot_limit_of,
)
from app.engine.performance.serving.encoder import encoder_bytes_of
from app.engine.performance.serving.expert_load import copies_of_attention
from app.engine.performance.serving.kv_cache import prefix_bytes, sequence_held_bytes
from app.engine.performance.serving.machine import HostSide, ServingMachine
from app.engine.performance.serving.memory_assumptions import ServingMemoryAssumptions
from app.engine.performance.serving.speculation import (
    draft_bytes,
    module_cache_bytes,
    module_parameters,
    module_weight_bytes,
    step_tokens,
)
from app.engine.specs import Architecture, Encoder
from app.engine.specs.serving import PartPrecision, ServingLayout, Speculation
from app.engine.trace import Array
from app.engine.workload.transformer import parameter_counts


def _one() -> Array:
    return np.ones(1)


def _none() -> Array:
    return np.zeros(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """What an instance holds in memory: a model in a layout, and sequences of a length."""

    architecture: Architecture
    layout: ServingLayout
    parts: PartPrecision
    sequence_tokens: Array  # that a sequence has; the mean over running ones, or the longest to be safe
    assumptions: ServingMemoryAssumptions
    prefills: Array = field(
        default_factory=_one
    )  # 1 where the instance also works on input, 0 where it only decodes
    shared_tokens: Array = field(default_factory=_none)  # at the start of all sequences alike, held once
    prefix_tokens: Array | None = None  # of all such beginnings, where there are several; None: one, as above
    speculation: Speculation | None = None  # None: nothing is guessed ahead
    most_sequences: Array | None = None  # that a replica of attention may run; None: as many as fit
    host: HostSide | None = None  # what of the model lies in the host's memory; None: nothing
    adapters: AdapterSet | None = None  # None: none
    encoder: Encoder | None = None  # None: prompts are text
    pooled: bool = False  # prompts are read and not answered: no logits
    bidirectional: bool = False  # keys and values of one layer at a time

    @property
    def tokens_per_step(self) -> Array:
        """Of one sequence in one step: 1 and those guessed ahead."""
        return _one() if self.speculation is None else step_tokens(self.speculation)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingMemory:
    """Bytes on one accelerator, of the pipeline stage that has most layers."""

    memory_per_accelerator_bytes: Array
    breakdown_bytes: dict[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rooms:
    """What is there before the first sequence, and what each adds; on one accelerator."""

    weights: Array
    more: dict[str, Array]  # what else is there from the start, by part of the memory
    activations: Array
    reserved: Array
    shared: Array  # keys and values of a prefix that all sequences have
    sequence: Array
    exchange_token: Array
    logit_token: Array


def batch_limit(held: Occupancy, machine: ServingMachine) -> Array:
    """Sequences that one instance holds, on all its replicas of attention; 0 where not even one fits."""
    rooms = _rooms(held)
    usable = footprint.usable_memory_bytes(
        memory_bytes=machine.memory_bytes, memory_fraction=held.assumptions.memory_fraction
    )
    fitting = footprint.sequence_limit(
        memory_for_sequences_bytes=footprint.memory_for_sequences_bytes(
            usable=sum((-part for part in rooms.more.values()), start=usable),
            weights=rooms.weights,
            activations=rooms.activations,
            reserved=rooms.reserved,
        ),
        shared_bytes=rooms.shared,
        sequence_room_bytes=footprint.sequence_room_bytes(
            sequence_bytes=rooms.sequence,
            exchange_bytes=rooms.exchange_token,
            logit_bytes=rooms.logit_token,
            tokens_per_step=footprint.tokens_on_a_stage(
                tokens_per_step=held.tokens_per_step, pipeline_parallel=held.layout.pipeline_parallel
            ),
        ),
        data_parallel=held.layout.data_parallel,
    )
    for most in (held.most_sequences, None if held.adapters is None else slot_limit_of(held.adapters.asked)):
        if most is not None:
            fitting = footprint.admitted_sequences(
                fitting=fitting, most_sequences=most, data_parallel=held.layout.data_parallel
            )
    return fitting


def serving_memory(held: Occupancy, batch: Array) -> ServingMemory:
    """Memory of an accelerator whose instance holds `batch` sequences."""
    rooms = _rooms(held)
    sequences = {"batch": batch, "data_parallel": held.layout.data_parallel}
    step = sequences | {
        "tokens_per_step": footprint.tokens_on_a_stage(
            tokens_per_step=held.tokens_per_step, pipeline_parallel=held.layout.pipeline_parallel
        )
    }
    breakdown = {
        "weights": rooms.weights,
        "kv_cache": footprint.held_sequence_bytes(
            **sequences, sequence_bytes=rooms.sequence, shared_bytes=rooms.shared
        ),
        "activations": rooms.activations,
        "buffers": footprint.exchange_buffer_bytes(**step, bytes_per_token=rooms.exchange_token),
        "logits": footprint.served_logit_bytes(**step, bytes_per_token=rooms.logit_token),
        "reserved": rooms.reserved,
    }
    whole = footprint.served_memory_bytes(**breakdown)
    if rooms.more:
        whole = footprint.memory_with_more_bytes(memory_bytes=whole, more_bytes=tuple(rooms.more.values()))
    return ServingMemory(memory_per_accelerator_bytes=whole, breakdown_bytes=breakdown | rooms.more)


def shared_prefix_bytes(held: Occupancy) -> Array:
    """Of `kv_cache`, what the shared prefix takes of an accelerator, however many sequences there are."""
    return prefix_bytes(
        architecture=held.architecture,
        layout=held.layout,
        parts=held.parts,
        shared_tokens=held.shared_tokens if held.prefix_tokens is None else held.prefix_tokens,
        assumptions=held.assumptions,
    )


def _rooms(held: Occupancy) -> _Rooms:
    m, a, layout, parts = held.architecture, held.assumptions, held.layout, held.parts
    return _Rooms(
        weights=footprint.weights_with_guesser_bytes(
            model_bytes=_model_weights(held),
            guesser_bytes=_guesser_weights(held),
        ),
        more=_more(held),
        activations=footprint.served_activation_bytes(
            chunk_tokens=a.chunk_tokens * held.prefills / layout.context_parallel,
            hidden=m.hidden,
            residual_copies=a.residual_copies,
            feed_forward_hidden=m.feed_forward_hidden,
            expert_hidden=m.expert_hidden,
            mlp_matrices=m.mlp_matrices,
            experts_per_token=m.experts_per_token,
            tensor_parallel=layout.tensor_parallel,
        ),
        reserved=reserved_bytes(reserved_memory_bytes=a.reserved_memory_bytes),
        shared=shared_prefix_bytes(held),
        sequence=_sequence_bytes(held),
        exchange_token=footprint.exchange_bytes_per_token(
            experts=m.experts,
            redundant_share=footprint.redundant_share(
                redundant_experts=layout.redundant_experts, experts=m.experts
            ),
            hidden=m.hidden,
            expert_hidden=m.expert_hidden,
            mlp_matrices=m.mlp_matrices,
            buffers=a.exchange_buffers,
            sent_element_bytes=parts.exchange_element_bytes,
            data_parallel=layout.data_parallel,
            expert_parallel=layout.expert_parallel,
        ),
        logit_token=footprint.logit_bytes_per_token(
            vocabulary=0 * m.vocabulary if held.pooled else m.vocabulary,
            element_bytes=a.logit_element_bytes,
        ),
    )


def _more(held: Occupancy) -> dict[str, Array]:
    """What else an accelerator of the fullest stage has, whatever its sequences."""
    layout = held.layout
    found = {} if held.encoder is None else {"encoder": encoder_bytes_of(held.encoder, layout)}
    if held.adapters is None:
        return found
    return found | {
        "adapters": adapter_slots_bytes(
            slots=held.adapters.asked.slots,
            adapter_bytes=adapter_bytes_each(held.adapters, layout),
            stage_share=footprint.longest_stage_share(
                layers=held.architecture.layers, pipeline_parallel=layout.pipeline_parallel
            ),
        )
    }


def host_bytes(held: Occupancy, batch: Array) -> Array:
    """Contents of the host's memory for one accelerator: weights, and keys and values of layers computed
    there."""
    assert held.host is not None
    dense, experts, _ = _weight_parts(held.architecture, held.layout, held.parts)
    return footprint.bytes_in_host(
        dense_bytes=dense,
        dense_share=held.host.dense_share,
        expert_bytes=experts,
        expert_share=held.host.expert_share,
        sequence_bytes=footprint.held_sequence_bytes(
            batch=batch,
            data_parallel=held.layout.data_parallel,
            sequence_bytes=_model_sequence_bytes(held),
            shared_bytes=np.zeros(1),
        ),
        cache_share=held.host.cache_share,
    )


def _model_weights(held: Occupancy) -> Array:
    """Weights of the model in an accelerator's memory."""
    own = weight_bytes_each(architecture=held.architecture, layout=held.layout, parts=held.parts)
    if held.host is None:
        return own
    dense, experts, _ = _weight_parts(held.architecture, held.layout, held.parts)
    return footprint.weights_without_host_bytes(
        model_bytes=own,
        dense_bytes=dense,
        dense_share=held.host.dense_share,
        expert_bytes=experts,
        expert_share=held.host.expert_share,
    )


def _sequence_bytes(held: Occupancy) -> Array:
    """What a sequence keeps on an accelerator, for the model and for what guesses ahead."""
    own = _model_sequence_bytes(held)
    if held.host is not None:
        own = footprint.bytes_on_accelerator(bytes_in_all=own, host_share=held.host.cache_share)
    return _with_guesser_cache(held, own)


def _model_sequence_bytes(held: Occupancy) -> Array:
    """What a sequence keeps for the model."""
    kept = sequence_held_bytes(
        architecture=held.architecture,
        layout=held.layout,
        parts=held.parts,
        sequence_tokens=held.sequence_tokens,
        shared_tokens=held.shared_tokens,
        assumptions=held.assumptions,
    )
    if held.bidirectional:
        return footprint.one_layer_bytes(sequence_bytes=kept, layers=held.architecture.layers)
    return kept


def _with_guesser_cache(held: Occupancy, own: Array) -> Array:
    guesses = held.speculation
    if guesses is None:
        return own
    if guesses.draft is not None:
        draft = _model_sequence_bytes(replace(held, architecture=guesses.draft))
        return own + draft_bytes(guessed=guesses.tokens, bytes_each=draft)
    layers = held.architecture.layers
    share = footprint.longest_stage_share(layers=layers, pipeline_parallel=held.layout.pipeline_parallel)
    return own + module_cache_bytes(guessed=guesses.tokens, sequence_bytes=own, stage_layers=layers * share)


def _guesser_weights(held: Occupancy) -> Array:
    """Weights of what guesses ahead on one accelerator: beside the last pipeline stage, taken to be the fullest."""
    guesses, layout, parts = held.speculation, held.layout, held.parts
    if guesses is None:
        return np.zeros(1)
    if guesses.draft is not None:
        weights = weight_bytes_each(
            architecture=guesses.draft, layout=replace(layout, pipeline_parallel=np.ones(1)), parts=parts
        )
        return draft_bytes(guessed=guesses.tokens, bytes_each=weights)
    m = held.architecture
    counts = parameter_counts(architecture=m)
    once = {"stage_share": np.ones(1), "tensor_parallel": layout.tensor_parallel}
    return module_weight_bytes(
        guessed=guesses.tokens,
        dense_bytes=footprint.dense_weight_bytes(
            **once,
            parameters=module_parameters(dense_per_layer=counts.dense_per_layer, hidden=m.hidden),
            parameter_bytes=parts.dense_parameter_bytes,
        ),
        expert_bytes=footprint.expert_weight_bytes(
            **once,
            parameters=counts.routed_per_layer,
            parameter_bytes=parts.expert_parameter_bytes,
            data_parallel=copies_of_attention(layout),
            redundant_share=footprint.redundant_share(
                redundant_experts=layout.redundant_experts, experts=m.experts
            ),
        ),
    )


def weight_bytes_each(
    *,
    architecture: Architecture,
    layout: ServingLayout,
    parts: PartPrecision,
) -> Array:
    """Weights on one accelerator of the fullest pipeline stage."""
    dense, experts, head = _weight_parts(architecture, layout, parts)
    return footprint.served_weight_bytes(dense_bytes=dense, expert_bytes=experts, head_bytes=head)


def _weight_parts(m: Architecture, layout: ServingLayout, parts: PartPrecision) -> tuple[Array, Array, Array]:
    """Weights outside the routed experts, of these, and of embedding and head."""
    counts = parameter_counts(architecture=m)
    stage = {
        "stage_share": footprint.longest_stage_share(
            layers=m.layers, pipeline_parallel=layout.pipeline_parallel
        ),
        "tensor_parallel": layout.tensor_parallel,
    }
    return (
        footprint.dense_weight_bytes(
            **stage,
            parameters=m.layers * counts.dense_per_layer,
            parameter_bytes=parts.dense_parameter_bytes,
        ),
        footprint.expert_weight_bytes(
            **stage,
            parameters=m.layers * counts.routed_per_layer,
            parameter_bytes=parts.expert_parameter_bytes,
            data_parallel=copies_of_attention(layout),
            redundant_share=footprint.redundant_share(
                redundant_experts=layout.redundant_experts, experts=m.experts
            ),
        ),
        footprint.head_weight_bytes(
            embedding_parameters=counts.embedding,
            tied_embedding=m.tied_embedding,
            parameter_bytes=parts.head_parameter_bytes,
            tensor_parallel=layout.tensor_parallel,
            pipeline_parallel=layout.pipeline_parallel,
        ),
    )
