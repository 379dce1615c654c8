"""Model architectures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, RowFault, SourcedKind
from app.catalog.model_shape import EARLIER_NAMES, FIELDS, shape_faults

SIZE, LAYERS, PARAMETERS = 10_000_000, 10_000, 1_000_000_000_000
"""Most that a row may state."""


class Model(SourcedKind):
    """A transformer; names as in the engine's `Architecture`."""

    kind: ClassVar[str] = "models"
    file: ClassVar[str] = "models.csv"
    title: ClassVar[str] = "Model architectures"
    vendor_field: ClassVar[str] = "organisation"
    date_columns: ClassVar[tuple[str, ...]] = ("date",)
    earlier_columns: ClassVar[Mapping[str, str]] = EARLIER_NAMES

    name: str = text(min_length=1)
    aliases: str = text()
    confidence: str = text()
    notes: str = text()
    organisation: str = text()
    date: str = text()
    family: str = text()
    attention: str = text()
    layers: Count = number(limit=LAYERS)
    attention_layers: Count = number(limit=LAYERS)
    hidden: Count = number(limit=SIZE)
    feed_forward_hidden: Count = number(limit=SIZE)
    mlp_matrices: Count = number(limit=SIZE)
    heads: Count = number(limit=SIZE)
    kv_heads: Count = number(limit=SIZE)
    head_dim: Count = number(limit=SIZE)
    vocabulary: Count = number(limit=SIZE)
    tied_embedding: Count = number(limit=1)
    context_tokens: Count = number(printed_unit="tokens", limit=1_000_000_000)
    experts: Count = number(limit=SIZE)
    experts_per_token: Count = number(limit=SIZE)
    shared_experts: Count = number(limit=SIZE)
    expert_hidden: Count = number(limit=SIZE)
    expert_layers: Count = number(limit=LAYERS)
    latent_query_rank: Count = number(limit=SIZE)
    latent_kv_rank: Count = number(limit=SIZE)
    latent_nope_dim: Count = number(limit=SIZE)
    latent_rope_dim: Count = number(limit=SIZE)
    latent_value_dim: Count = number(limit=SIZE)
    window_layers: Count = number(limit=LAYERS)
    window_tokens: Count = number(printed_unit="tokens", limit=SIZE)
    linear_layers: Count = number(limit=LAYERS)
    linear_layer_parameters: Count = number(limit=PARAMETERS)
    linear_state_elements: Count = number(limit=PARAMETERS)
    sparse_tokens: Count = number(printed_unit="tokens", limit=SIZE)
    index_elements: Count = number(limit=SIZE)
    index_heads: Count = number(limit=SIZE)
    query_key_norm: Count = number(limit=2)
    prediction_modules: Count = number()
    training_tokens: Number = number("tokens_t", "million million tokens")
    published_parameters: Number = number("published_params_b", "thousand million")
    published_active_parameters: Number = number("published_active_b", "thousand million")
    computed_parameters: Number = number("computed_params_b", "thousand million", derived=True)
    computed_parameters_error: Number = number("rel_error", "fraction", derived=True, signed=True)
    computed_active_parameters: Number = number("computed_active_b", "thousand million", derived=True)
    computed_active_parameters_without_input_embedding: Number = number(
        "computed_active_no_input_emb_b", "thousand million", derived=True
    )
    computed_active_parameters_error: Number = number(
        "active_rel_error", "fraction", derived=True, signed=True
    )
    kv_cache_bytes: Number = number("kv_bytes_per_token_bf16", "B", "per token, 16 bit", derived=True)

    @classmethod
    def faults_of(cls, values: Mapping[str, Any]) -> list[RowFault]:
        """Everything that keeps the values from being a model."""
        stated = {field: values.get(field) for field in FIELDS}
        faults = shape_faults(stated, str(values.get("attention") or ""))
        return [RowFault(one.field, one.rule, one.message, one.hint) for one in faults]
