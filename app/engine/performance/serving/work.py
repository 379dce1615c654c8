"""What a served model is and does: its size in bytes, and the arithmetic of one decoded token."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.served_model import index_flop
from app.engine.quantities import quantity
from app.engine.specs import Architecture, PartPrecision
from app.engine.trace import Array
from app.engine.workload.flops import (
    attention_flop,
    matmul_flop,
    mean_attended_tokens,
)
from app.engine.workload.transformer import ParameterCounts

_CHINCHILLA = "[1] Hoffmann et al. 2022, arXiv 2203.15556, appendix F"


@quantity(unit="B", source="definition", at="performance.weights_bytes")
def model_weights_bytes(*, dense_bytes: Array, expert_bytes: Array, embedding_bytes: Array) -> Array:
    """Model weights: one copy, each part in its own number format."""
    return dense_bytes + expert_bytes + embedding_bytes


@quantity(unit="B", source="definition")
def dense_part_bytes(*, layers: Array, parameters_per_layer: Array, parameter_bytes: Array) -> Array:
    """Weights of all layers outside the routed experts."""
    return layers * parameters_per_layer * parameter_bytes


@quantity(unit="B", source="definition")
def expert_part_bytes(*, layers: Array, parameters_per_layer: Array, parameter_bytes: Array) -> Array:
    """Weights of the routed experts of all layers."""
    return layers * parameters_per_layer * parameter_bytes


@quantity(unit="B", source="definition")
def embedding_part_bytes(*, embedding: Array, tied_embedding: Array, parameter_bytes: Array) -> Array:
    """Weights of input embedding and output head, once where they are the same."""
    return embedding * (2 - tied_embedding) * parameter_bytes


@quantity(unit="tokens", source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (sparse attention); definition")
def decode_attended_tokens(*, tokens: Array, at_most: Array) -> Array:
    """Tokens that a decoded token attends to: all before it, or at most so many."""
    return np.where(at_most > 0, np.minimum(tokens, at_most), tokens)


@quantity(unit="FLOP", source=_CHINCHILLA, also_at="performance.model_flop_per_token")
def decode_flop_per_token(
    *, matmul_flop: Array, attention_flop: Array, attention_layers: Array, index_flop: Array
) -> Array:
    """Model FLOPs of a decoded token.

    2 for each weight that multiplies it, and attention to all tokens before it, half of the output on average; to
    those that sparse attention chooses, and its index to all.
    """
    return matmul_flop + attention_layers * (attention_flop + index_flop)


@quantity(unit="FLOP", source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (lightning indexer)")
def decode_index_flop(*, tokens: Array, index_flop: Array) -> Array:
    """Arithmetic of the index of sparse attention of one decoded token and layer: on all tokens before it."""
    return tokens * index_flop


def weights(architecture: Architecture, counts: ParameterCounts, parts: PartPrecision) -> tuple[Array, Array]:
    """Bytes of one copy of a model, and those of its routed experts among them."""
    experts = expert_part_bytes(
        layers=architecture.layers,
        parameters_per_layer=counts.routed_per_layer,
        parameter_bytes=parts.expert_parameter_bytes,
    )
    whole = model_weights_bytes(
        dense_bytes=dense_part_bytes(
            layers=architecture.layers,
            parameters_per_layer=counts.dense_per_layer,
            parameter_bytes=parts.dense_parameter_bytes,
        ),
        expert_bytes=experts,
        embedding_bytes=embedding_part_bytes(
            embedding=counts.embedding,
            tied_embedding=architecture.tied_embedding,
            parameter_bytes=parts.head_parameter_bytes,
        ),
    )
    return whole, experts


def flop_per_decoded_token(
    architecture: Architecture, counts: ParameterCounts, sequence_tokens: Array
) -> Array:
    """Model FLOPs of one decoded token of a sequence that is so long."""
    a = architecture
    attended = mean_attended_tokens(
        attention_layers=a.attention_layers,
        window_layers=a.window_layers,
        full_attended=decode_attended_tokens(tokens=sequence_tokens, at_most=a.sparse_tokens),
        window_attended=decode_attended_tokens(tokens=sequence_tokens, at_most=a.window_tokens),
    )
    return decode_flop_per_token(
        matmul_flop=matmul_flop(a, counts),
        attention_flop=attention_flop(a, attended),
        attention_layers=a.attention_layers,
        index_flop=decode_index_flop(
            tokens=sequence_tokens,
            index_flop=index_flop(index_heads=a.index_heads, index_elements=a.index_elements),
        ),
    )
