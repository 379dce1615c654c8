"""Shape of a model: names of its fields, what a blank field stands for, and which shapes are possible.

A row of the catalog, an architecture in a scenario and a `config.json` share these rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import NamedTuple

import numpy as np

from app.engine.specs import Architecture
from app.likeness import most_like

FIELDS = tuple(field.name for field in fields(Architecture) if field.name not in ("key", "name", "attention"))
"""Numbers of an architecture."""

EARLIER_NAMES = {
    "model": "name",
    "org": "organisation",
    "attn_layers": "attention_layers",
    "d_model": "hidden",
    "ffn": "feed_forward_hidden",
    "n_heads": "heads",
    "n_kv_heads": "kv_heads",
    "vocab": "vocabulary",
    "tied": "tied_embedding",
    "context": "context_tokens",
    "n_experts": "experts",
    "top_k": "experts_per_token",
    "n_shared": "shared_experts",
    "moe_ffn": "expert_hidden",
    "moe_layers": "expert_layers",
    "mla_q_rank": "latent_query_rank",
    "mla_kv_rank": "latent_kv_rank",
    "mla_nope": "latent_nope_dim",
    "mla_rope": "latent_rope_dim",
    "mla_v": "latent_value_dim",
    "swa_layers": "window_layers",
    "swa_window": "window_tokens",
    "linear_layer_params": "linear_layer_parameters",
}
"""Spellings of earlier versions, still read in tables, in requests and in scenarios: spelling -> field."""

ATTENTION = {
    "mha": "MHA",
    "gqa": "GQA",
    "mqa": "MQA",
    "mla": "MLA",
    "mha_relative": "MHA_relative",
    "gqa+swa": "GQA+SWA",
    "gqa+gated-delta": "GQA+gated-delta",
    "gqa+mamba2": "GQA+Mamba2",
    "csa/hca (compressed mqa)": "CSA/HCA (compressed MQA)",
}
"""Kinds of attention, lower case -> as rows write them."""

NONE_WHEN_ABSENT = frozenset(
    {
        "experts", "experts_per_token", "shared_experts", "expert_hidden", "expert_layers",
        "latent_query_rank", "latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim",
        "window_layers", "window_tokens",
        "linear_layers", "linear_layer_parameters", "linear_state_elements",
        "sparse_tokens", "index_elements", "index_heads", "query_key_norm",
    }
)  # fmt: skip
"""Fields whose absence means that the model has none, not that the figure is unknown."""

LATENT = ("latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim")
RECURRENCE = ("linear_layers", "linear_layer_parameters", "linear_state_elements")
EXPERT_FIELDS = ("experts_per_token", "shared_experts", "expert_hidden", "expert_layers")
REQUIRED = ("layers", "hidden", "heads", "vocabulary")


class Default(NamedTuple):
    """Value of a field that was left out; `rule` says what it follows from, `assumed` that it is a guess."""

    value: float
    rule: str
    assumed: bool = False


class ShapeFault(NamedTuple):
    """One reason why a model of this shape is impossible or incomplete."""

    field: str
    rule: str
    message: str
    hint: str = ""


class Shape(NamedTuple):
    """All numbers of an architecture, NaN where unknown, and those that were filled in."""

    attention: str
    numbers: dict[str, float]
    defaults: dict[str, Default]

    def architecture(self, key: str = "model", name: str = "") -> Architecture:
        """The engine's record of the same."""
        numbers = {field: np.array([value]) for field, value in self.numbers.items()}
        return Architecture(key=key, name=name or key, attention=self.attention, **numbers)


def whole_shape(stated: Mapping[str, float | None], attention: str = "") -> Shape:
    """The shape with every blank field filled in that follows from the others.

    >>> shape = whole_shape({"layers": 2, "hidden": 8, "heads": 2, "vocabulary": 10})
    >>> shape.attention, shape.numbers["head_dim"], shape.numbers["mlp_matrices"]
    ('mha', 4.0, 3.0)
    """
    known: dict[str, float] = {}
    for field in FIELDS:
        number = stated.get(field)
        if number is not None and math.isfinite(number):
            known[field] = float(number)
    kind = attention.strip().lower() or kind_of_attention(known)
    defaults: dict[str, Default] = {}

    def fill(field: str, value: float | None, rule: str, *, assumed: bool = False) -> None:
        if field not in known and value is not None:
            known[field] = float(value)
            defaults[field] = Default(float(value), rule, assumed)

    if known.get("experts"):
        fill("expert_layers", known.get("layers"), "every layer has experts where nothing else is stated")
    for field in FIELDS:
        if field in NONE_WHEN_ABSENT:
            fill(field, 0.0, "the model states none")
    layers, heads, hidden = (known.get(name) for name in ("layers", "heads", "hidden"))
    if layers is not None:
        rest = max(layers - known["linear_layers"], 0.0)
        fill("attention_layers", rest, "layers less recurrent layers")
        if known["expert_layers"] >= layers:
            fill("feed_forward_hidden", 0.0, "every layer has experts in place of a dense MLP")
    if kind == "mqa":
        fill("kv_heads", 1.0, "multi-query attention has one")
    elif kind == "mla":
        fill("kv_heads", 1.0, "latent attention keeps one latent for all heads")
    elif kind in ("mha", "mha_relative"):
        fill("kv_heads", heads, "as many as query heads")
    if known["latent_kv_rank"] and known["latent_rope_dim"]:
        width = known["latent_nope_dim"] + known["latent_rope_dim"]
        fill("head_dim", width, "latent head size without and with position")
    elif heads and hidden:
        fill("head_dim", hidden / heads, "hidden size / heads")
    fill("mlp_matrices", 3.0, "assumption: a gated MLP (SwiGLU), as in most models since 2023", assumed=True)
    fill("tied_embedding", 0.0, "assumption: input and output embedding are separate", assumed=True)
    numbers = {field: known.get(field, math.nan) for field in FIELDS}
    return Shape(kind, numbers, defaults)


def kind_of_attention(known: Mapping[str, float | None]) -> str:
    """Kind of attention that ranks and heads amount to."""
    heads, kv_heads = known.get("heads"), known.get("kv_heads")
    if known.get("latent_kv_rank"):
        return "mla"
    if kv_heads is None or kv_heads == heads:
        return "mha"
    return "mqa" if kv_heads == 1 else "gqa"


def shape_faults(stated: Mapping[str, float | None], attention: str = "") -> list[ShapeFault]:
    """Everything that keeps a row from being a model; nothing where it is one."""
    return list(_faults(stated, attention))


def _faults(stated: Mapping[str, float | None], attention: str) -> Iterator[ShapeFault]:
    shape = whole_shape(stated, attention)
    value = shape.numbers
    for field in REQUIRED:
        if not value[field] > 0:
            yield ShapeFault(field, "missing", f"{field} is missing", "Fill it in.")
    if shape.attention not in ATTENTION:
        near = most_like(shape.attention, ATTENTION, 1)
        hint = f"The nearest is {ATTENTION[near[0]]}." if near else ""
        words = ", ".join(ATTENTION.values())
        yield ShapeFault("attention", "one_of", f"attention is {attention[:40]!r}, none of {words}", hint)
    elif value["heads"] > 0 and not value["kv_heads"] > 0:
        yield ShapeFault(
            "kv_heads",
            "missing",
            f"kv_heads is missing: {ATTENTION[shape.attention]} shares keys and values",
            "Fill it in.",
        )
    heads, kv_heads, layers = value["heads"], value["kv_heads"], value["layers"]
    if kv_heads > 0 and heads > 0 and heads % kv_heads:
        yield ShapeFault(
            "kv_heads",
            "divides",
            f"heads {heads:g} is not a multiple of kv_heads {kv_heads:g}",
            "Each key and value head serves a whole number of heads.",
        )
    if heads > 0 and "head_dim" in shape.defaults and value["head_dim"] % 1:
        yield ShapeFault(
            "head_dim",
            "missing",
            f"head_dim is missing: heads {heads:g} does not divide hidden {value['hidden']:g}",
            "Fill it in.",
        )
    elif value["head_dim"] == 0:
        yield ShapeFault("head_dim", "above", "head_dim is 0", "State a width above 0, or leave it out.")
    if value["mlp_matrices"] not in (2, 3):
        yield ShapeFault("mlp_matrices", "one_of", "mlp_matrices is neither 2 nor 3", "3 when gated, else 2.")
    for field in ("attention_layers", "window_layers", "expert_layers"):
        if value[field] > layers:
            yield ShapeFault(
                field, "at_most", f"{field} {value[field]:g} is more than layers {layers:g}", "Lower it."
            )
    together = value["attention_layers"] + value["linear_layers"]
    if together > layers and value["attention_layers"] <= layers:
        yield ShapeFault(
            "linear_layers",
            "at_most",
            f"linear_layers and attention_layers together are {together:g}, more than layers {layers:g}",
            "Lower one of the two.",
        )
    yield from _go_together(stated, RECURRENCE)
    yield from _go_together(stated, ("window_layers", "window_tokens"))
    for field, needs in (("index_elements", "sparse_tokens"), ("index_heads", "index_elements")):
        if value[field] and not value[needs]:
            yield ShapeFault(needs, "missing", f"{needs} is missing: {field} needs it", "Fill it in.")
    yield from _latent_faults(shape)
    yield from _expert_faults(shape)
    yield from _feed_forward_faults(shape)


def _go_together(stated: Mapping[str, float | None], names: tuple[str, ...]) -> Iterator[ShapeFault]:
    lacking = [name for name in names if not stated.get(name)]
    if 0 < len(lacking) < len(names):
        listed = ", ".join(names[:-1]) + f" and {names[-1]}"
        for name in lacking:
            yield ShapeFault(name, "missing", f"{name} is missing: {listed} belong together", "Fill it in.")


def _latent_faults(shape: Shape) -> Iterator[ShapeFault]:
    if shape.attention == "mla":
        for field in LATENT:
            if not shape.numbers[field]:
                yield ShapeFault(
                    field, "missing", f"{field} is missing: latent attention (MLA) needs it", "Fill it in."
                )
    elif shape.attention in ATTENTION and not shape.attention.startswith("csa"):
        for field in ("latent_query_rank", *LATENT):
            if shape.numbers[field]:
                yield ShapeFault(
                    field,
                    "only_with",
                    f"{field} is only read with attention MLA, and attention is {ATTENTION[shape.attention]}",
                    "State MLA, or leave it out.",
                )


def _expert_faults(shape: Shape) -> Iterator[ShapeFault]:
    value = shape.numbers
    if value["experts"]:
        for field in ("experts_per_token", "expert_hidden", "expert_layers"):
            if value[field] == 0:
                yield ShapeFault(field, "missing", f"{field} is missing: experts are stated", "Fill it in.")
        if value["experts_per_token"] > value["experts"]:
            yield ShapeFault(
                "experts_per_token",
                "at_most",
                f"experts_per_token {value['experts_per_token']:g} is more than experts {value['experts']:g}",
                "Lower it.",
            )
        return
    for field in EXPERT_FIELDS:
        if value[field]:
            yield ShapeFault(
                field, "only_with", f"{field} is only read with experts", "State experts, or leave it out."
            )


def _feed_forward_faults(shape: Shape) -> Iterator[ShapeFault]:
    """Dense layers need the size of their MLP; 0 is one only where layers hold a single block each."""
    value = shape.numbers
    dense = value["layers"] - value["expert_layers"]
    inner = value["feed_forward_hidden"]
    if not dense > 0 or inner > 0 or (inner == 0 and value["linear_layers"]):
        return
    yield ShapeFault(
        "feed_forward_hidden",
        "missing",
        f"feed_forward_hidden is missing: {dense:g} of {value['layers']:g} layers have a dense MLP",
        "State its width, often 4 x hidden.",
    )
