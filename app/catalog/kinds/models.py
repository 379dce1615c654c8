"""Model architectures."""

from __future__ import annotations

from typing import ClassVar

from pydantic import model_validator

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, SourcedKind

NONE_WHEN_ABSENT = frozenset(
    {
        "experts", "experts_per_token", "shared_experts", "expert_hidden", "expert_layers",
        "latent_query_rank", "latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim",
        "window_layers", "window_tokens",
        "linear_layers", "linear_layer_parameters", "linear_state_elements",
        "sparse_tokens", "index_elements", "index_heads", "query_key_norm",
    }
)  # fmt: skip
"""Fields whose absence says that the model has none, not that the figure is unknown."""


class Model(SourcedKind):
    """A transformer; names as in the engine's `Architecture`."""

    kind: ClassVar[str] = "models"
    file: ClassVar[str] = "models.csv"
    title: ClassVar[str] = "Model architectures"
    vendor_field: ClassVar[str] = "organisation"
    date_columns: ClassVar[tuple[str, ...]] = ("date",)

    name: str = text("model", min_length=1)
    aliases: str = text()
    confidence: str = text()
    notes: str = text()
    organisation: str = text("org")
    date: str = text()
    family: str = text()
    attention: str = text(min_length=1)
    layers: Count = number()
    attention_layers: Count = number("attn_layers")
    hidden: Count = number("d_model")
    feed_forward_hidden: Count = number("ffn")
    mlp_matrices: Count = number()
    heads: Count = number("n_heads")
    kv_heads: Count = number("n_kv_heads")
    head_dim: Count = number()
    vocabulary: Count = number("vocab")
    tied_embedding: Count = number("tied", limit=1)
    context_tokens: Count = number("context", "tokens")
    experts: Count = number("n_experts")
    experts_per_token: Count = number("top_k")
    shared_experts: Count = number("n_shared")
    expert_hidden: Count = number("moe_ffn")
    expert_layers: Count = number("moe_layers")
    latent_query_rank: Count = number("mla_q_rank")
    latent_kv_rank: Count = number("mla_kv_rank")
    latent_nope_dim: Count = number("mla_nope")
    latent_rope_dim: Count = number("mla_rope")
    latent_value_dim: Count = number("mla_v")
    window_layers: Count = number("swa_layers")
    window_tokens: Count = number("swa_window", "tokens")
    linear_layers: Count = number()
    linear_layer_parameters: Count = number("linear_layer_params")
    linear_state_elements: Count = number()
    sparse_tokens: Count = number(printed_unit="tokens")
    index_elements: Count = number()
    index_heads: Count = number()
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

    @model_validator(mode="after")
    def _shape_is_whole(self) -> Model:
        for field, column in REQUIRED.items():
            if not getattr(self, field):
                raise ValueError(f"{column} is missing")
        if self.heads and self.kv_heads and self.heads % self.kv_heads:
            raise ValueError(f"n_heads {self.heads} is not a multiple of n_kv_heads {self.kv_heads}")
        if self.experts and not (self.experts_per_token and self.expert_hidden and self.expert_layers):
            raise ValueError("n_experts without top_k, moe_ffn and moe_layers")
        recurrence = (self.linear_layers, self.linear_layer_parameters, self.linear_state_elements)
        if any(recurrence) and not all(recurrence):
            raise ValueError("linear_layers, linear_layer_params and linear_state_elements go together")
        return self


REQUIRED = {"layers": "layers", "hidden": "d_model", "heads": "n_heads", "vocabulary": "vocab"}
