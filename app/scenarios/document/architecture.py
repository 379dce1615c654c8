"""A transformer written into the scenario in place of a catalog key."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from app.catalog.model_shape import EARLIER_NAMES
from app.scenarios.fields import Either, Key, Line, Part, Positive, Value, Whole, Word, fault

Size = Annotated[Whole, Field(ge=1, le=10_000_000)]
SizeOrZero = Annotated[Whole, Field(ge=0, le=10_000_000)]
Layers = Annotated[Whole, Field(ge=1, le=10_000)]
ParametersOrZero = Annotated[Whole, Field(ge=0, le=1_000_000_000_000)]
LayersOrZero = Annotated[Whole, Field(ge=0, le=10_000)]
Context = Annotated[Whole, Field(ge=1, le=1_000_000_000)]
AttentionKind = Literal["mha", "gqa", "mqa", "mla"]

LATENT = ("latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim")


# What is left out follows from the fields above it, which is why the order of the fields matters.
def _attention_kind(fields: dict[str, Any]) -> AttentionKind:
    if fields["kv_heads"] == fields["heads"]:
        return "mha"
    return "mqa" if fields["kv_heads"] == 1 else "gqa"


def _attention_layers(fields: dict[str, Any]) -> int:
    return max(int(fields["layers"] - fields["linear_layers"]), 0)


def _head_dim(fields: dict[str, Any]) -> int:
    if fields["attention"] == "mla":
        width = fields["latent_nope_dim"] + fields["latent_rope_dim"]
    else:
        width = fields["hidden"] // fields["heads"]
    return max(int(width), 1)


class InlineArchitecture(Part):
    """A dense or mixture-of-experts transformer with full, grouped, latent, windowed, sparse or linear attention.

    The fields are those of `app.engine.specs.Architecture`; zero stands for "has none".
    """

    name: Line = Field(default="Inline model", description="Name of the model.")
    layers: Layers = Field(description="Transformer layers.")
    hidden: Size = Field(description="Width of the residual stream.")
    heads: Size = Field(description="Query heads of one layer.")
    vocabulary: Size = Field(description="Rows of the embedding.")
    kv_heads: Size = Field(
        default_factory=lambda fields: fields["heads"],
        description="Key and value heads; as many as heads when left out.",
    )
    attention: AttentionKind = Field(
        default_factory=_attention_kind,
        description="Kind of attention; derived from heads and kv_heads by default.",
    )
    latent_query_rank: SizeOrZero = Field(
        default=0, description="Latent attention: rank of the query, 0 for none."
    )
    latent_kv_rank: SizeOrZero = Field(default=0, description="Latent attention: rank of keys and values.")
    latent_nope_dim: SizeOrZero = Field(
        default=0, description="Latent attention: head width without position."
    )
    latent_rope_dim: SizeOrZero = Field(default=0, description="Latent attention: head width with position.")
    latent_value_dim: SizeOrZero = Field(default=0, description="Latent attention: head width of the values.")
    head_dim: Size = Field(
        default_factory=_head_dim, description="Width of one head; hidden / heads when left out."
    )
    linear_layers: LayersOrZero = Field(
        default=0,
        description="Recurrent layers (linear attention, Mamba) that keep a state of constant size.",
    )
    linear_layer_parameters: ParametersOrZero = Field(
        default=0, description="Parameters of the recurrence of one such layer, without its MLP."
    )
    linear_state_elements: ParametersOrZero = Field(
        default=0, description="Elements of the state that one such layer keeps of a sequence."
    )
    attention_layers: LayersOrZero = Field(
        default_factory=_attention_layers,
        description="Layers with attention; all that are not recurrent when left out.",
    )
    sparse_tokens: SizeOrZero = Field(
        default=0, description="Tokens that sparse attention reads at most, 0 where every token is read."
    )
    index_elements: SizeOrZero = Field(
        default=0, description="Elements of the key, of a token and layer, by which sparse attention chooses."
    )
    index_heads: SizeOrZero = Field(
        default=0,
        description="Heads of that index, each scoring every earlier token; its arithmetic is left out where 0.",
    )
    query_key_norm: bool = Field(
        default=False, description="Queries and keys are normed in each head before they meet."
    )
    window_layers: LayersOrZero = Field(default=0, description="Layers with sliding-window attention.")
    window_tokens: SizeOrZero = Field(default=0, description="Tokens that a sliding window reaches back.")
    tied_embedding: bool = Field(default=False, description="Input and output embedding share their weights.")
    feed_forward_hidden: SizeOrZero = Field(
        default=0, description="Width of the MLP of the dense layers; 0 where layers hold one block each."
    )
    mlp_matrices: Literal[2, 3] = Field(default=3, description="Matrices of the MLP: 3 when gated, else 2.")
    experts: SizeOrZero = Field(default=0, description="Routed experts of one layer, 0 for a dense model.")
    experts_per_token: SizeOrZero = Field(default=0, description="Routed experts that each token visits.")
    shared_experts: SizeOrZero = Field(default=0, description="Experts that every token visits.")
    expert_hidden: SizeOrZero = Field(default=0, description="Width of the MLP of one expert.")
    expert_layers: LayersOrZero = Field(
        default_factory=lambda fields: fields["layers"] if fields["experts"] else 0,
        description="Layers with experts; all when left out and there are experts.",
    )
    context_tokens: Context | None = Field(
        default=None, description="Tokens of the longest sequence that it takes; not checked when left out."
    )
    published_parameters: Positive | None = Field(
        default=None, description="Parameters that its makers state."
    )

    def facts(self) -> dict[str, float | None]:
        """Every number of `app.engine.specs.Architecture`, what was left out worked out; None is unknown."""
        words = ("name", "attention", "context_tokens")  # the last is of a workload
        return {field: getattr(self, field) for field in type(self).model_fields if field not in words}

    @property
    def attention_kind(self) -> str:
        """mha, gqa, mqa or mla."""
        return self.attention

    @model_validator(mode="before")
    @classmethod
    def _earlier_names(cls, values: Any) -> Any:
        """Spellings that rows of the catalog had in earlier versions, and kinds of attention in any case."""
        if not isinstance(values, dict):
            return values
        found = {}
        for given, value in values.items():
            name = EARLIER_NAMES.get(given, given) if isinstance(given, str) else given
            name = name if name in cls.model_fields else given
            if name in found or (name != given and name in values):
                raise fault("twice", f"states {name} twice, once as {given}", hint="keep one of the two")
            found[name] = value
        if isinstance(found.get("attention"), str):
            found["attention"] = found["attention"].lower()
        return found

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        if self.heads % self.kv_heads:
            raise fault(
                "divides",
                f"{self.kv_heads} does not divide heads ({self.heads})",
                hint="each key and value head serves a whole number of heads",
                field="kv_heads",
            )
        derived = "head_dim" not in self.model_fields_set and self.attention != "mla"
        if derived and self.hidden % self.heads:
            raise fault(
                "divides",
                f"{self.heads} does not divide hidden ({self.hidden})",
                hint="state head_dim, or choose heads that divide hidden",
                field="heads",
            )
        return self

    @model_validator(mode="after")
    def _layers_fit(self) -> Self:
        for name in ("attention_layers", "window_layers", "expert_layers"):
            count = getattr(self, name)
            if count > self.layers:
                raise fault("at_most", f"{count} is more than layers ({self.layers})", field=name)
        if self.attention_layers + self.linear_layers > self.layers:
            raise fault(
                "at_most",
                f"{self.linear_layers} and {self.attention_layers} layers with attention are more than layers "
                f"({self.layers})",
                field="linear_layers",
            )
        recurrence = ("linear_layers", "linear_layer_parameters", "linear_state_elements")
        lacking = [name for name in recurrence if not getattr(self, name)]
        if lacking and len(lacking) < len(recurrence):
            raise fault("required", f"is required: {', '.join(recurrence)} belong together", field=lacking[0])
        if self.index_elements and not self.sparse_tokens:
            raise fault(
                "required", "is required: index_elements are of sparse attention", field="sparse_tokens"
            )
        if self.index_heads and not self.index_elements:
            raise fault(
                "required", "is required: index_heads score the keys of an index", field="index_elements"
            )
        if bool(self.window_layers) != bool(self.window_tokens):
            missing = "window_tokens" if self.window_layers else "window_layers"
            raise fault(
                "required", "is required: window_layers and window_tokens belong together", field=missing
            )
        return self

    @model_validator(mode="after")
    def _latent_attention_is_whole(self) -> Self:
        for name in LATENT:
            if self.attention == "mla" and not getattr(self, name):
                raise fault("required", "is required with attention: mla", field=name)
        for name in ("latent_query_rank", *LATENT):
            if self.attention != "mla" and getattr(self, name):
                raise fault(
                    "only_with",
                    f"is only read with attention: mla, and attention is {self.attention}",
                    hint="state attention: mla, or leave it out",
                    field=name,
                )
        return self

    @model_validator(mode="after")
    def _experts_are_whole(self) -> Self:
        if self.experts:
            for name in ("experts_per_token", "expert_hidden", "expert_layers"):
                if not getattr(self, name):
                    raise fault("required", "must be above 0 in a model with experts", field=name)
            if self.experts_per_token > self.experts:
                raise fault(
                    "at_most",
                    f"{self.experts_per_token} is more than experts ({self.experts})",
                    field="experts_per_token",
                )
        else:
            for name in ("experts_per_token", "shared_experts", "expert_hidden", "expert_layers"):
                if getattr(self, name):
                    raise fault(
                        "only_with",
                        "is only read in a model with experts",
                        hint="state experts, or leave it out",
                        field=name,
                    )
        dense = self.layers - self.expert_layers
        single = self.linear_layers and "feed_forward_hidden" in self.model_fields_set
        if dense and not self.feed_forward_hidden and not single:
            raise fault(
                "required",
                f"is required: {dense} of {self.layers} layers have a dense MLP",
                hint="state its width, often 4 x hidden",
                field="feed_forward_hidden",
            )
        return self


Model = Annotated[Annotated[Key, Word] | Annotated[InlineArchitecture, Value], Either]
"""A model of the catalog by its key, or one that is written out."""
