"""Size of a model: parameters, KV cache and arithmetic of a token, and a row of values described before it is saved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from app.catalog.kinds.models import Model
from app.catalog.model_config import read_model_config
from app.catalog.model_shape import ATTENTION, FIELDS, Shape, ShapeFault, shape_faults, whole_shape
from app.catalog.own.columns import column_named
from app.engine.performance.serving.kv_cache import index_bytes, key_value_bytes, kv_elements_per_token
from app.engine.specs import Architecture
from app.engine.trace import Array
from app.engine.workload.flops import flop_counts
from app.engine.workload.transformer import parameter_counts

SEQUENCE_TOKENS = 4096
"""Length of the sequence at which FLOP per token are given, where none is stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCounts:
    """Size of one model; None where a value that it needs is missing.

    The KV cache is that of a token in every layer, 16 bit, windows not yet full, with the keys of a sparse index;
    the state of recurrent layers does not grow with tokens. FLOP are those of the forward pass at a sequence length.
    """

    parameters: float | None
    active_parameters: float | None
    kv_cache_bytes_per_token: float | None
    recurrent_state_bytes: float | None
    forward_flop_per_token: float | None
    training_flop_per_token: float | None
    sequence_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """A value that was left blank, what it stands for, and the rule that says so."""

    field: str
    value: float
    rule: str
    is_assumption: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDescription:
    """Sizes computed from the values of a model. With faults the counts are of what could be used."""

    attention: str
    counts: ModelCounts
    assumed: tuple[Assumed, ...]
    faults: tuple[ShapeFault, ...]


def model_counts(architecture: Architecture, sequence_tokens: int = SEQUENCE_TOKENS) -> ModelCounts:
    """Parameters, cache bytes and FLOP of a token, by the engine's own formulas."""
    a, length, two = architecture, np.array([float(sequence_tokens)]), np.full(1, 2.0)
    one, none = np.ones(1), np.zeros(1)
    with np.errstate(all="ignore"):  # sizes that are unknown or 0 give no count
        return _counts(a, sequence_tokens, length, one, none, two)


def _counts(
    a: Architecture, sequence_tokens: int, length: Array, one: Array, none: Array, two: Array
) -> ModelCounts:
    counts = parameter_counts(architecture=a)
    elements = kv_elements_per_token(
        kv_heads=a.kv_heads, head_dim=a.head_dim, latent_kv_rank=a.latent_kv_rank, rope_dim=a.latent_rope_dim
    )
    keys = key_value_bytes(
        attention_layers=a.attention_layers,
        window_layers=none,
        full_tokens=one,
        window_tokens=none,
        elements_per_token=elements,
        element_bytes=two,
        kv_shards=one,
    )
    index = index_bytes(
        attention_layers=a.attention_layers,
        tokens=one,
        index_elements=a.index_elements,
        index_element_bytes=one,
    )
    flops = flop_counts(architecture=a, counts=counts, sequence_length=length)
    return ModelCounts(
        parameters=_known(counts.total),
        active_parameters=_known(counts.active),
        kv_cache_bytes_per_token=_known(keys + index),
        recurrent_state_bytes=_known(a.linear_layers * a.linear_state_elements * two),
        forward_flop_per_token=_known(flops.forward),
        training_flop_per_token=_known(flops.model),
        sequence_tokens=sequence_tokens,
    )


def describe_model(values: Mapping[str, Any], sequence_tokens: int = SEQUENCE_TOKENS) -> ModelDescription:
    """Counts, filled-in values and every fault of a model whose values are given by column.

    Values are numbers or text as people type it; blank ones count as left out, earlier spellings are read.
    """
    numbers: dict[str, float | None] = {}
    faults: list[ShapeFault] = []
    attention = ""
    for given, value in values.items():
        name = column_named("models", given)
        text = "" if value is None else str(value).strip()
        if not text:
            continue
        if name == "attention":
            attention = text
        elif name in FIELDS and name != "published_parameters":
            number = _number(value)
            fault = _fault_of(name, number, text)
            if fault is None:
                numbers[name] = number
            else:
                faults.append(fault)
    wrong = {fault.field for fault in faults}
    faults += [fault for fault in shape_faults(numbers, attention) if fault.field not in wrong]
    shape = whole_shape(numbers, attention)
    return ModelDescription(
        attention=ATTENTION.get(shape.attention, ""),
        counts=model_counts(shape.architecture(), sequence_tokens),
        assumed=_assumed(shape),
        faults=tuple(faults),
    )


def model_report(
    values: Mapping[str, Any],
    config: str | bytes | Mapping[str, Any] | None = None,
    sequence_tokens: int = SEQUENCE_TOKENS,
) -> dict[str, Any]:
    """The description as plain values; stated values go before those of a configuration, field by field."""
    read = None if config is None else read_model_config(config)
    stated = {
        column_named("models", name): value for name, value in values.items() if value not in (None, "")
    }
    together = {**(read.values if read else {}), **stated}
    described = describe_model(together, sequence_tokens)
    configuration = None
    if read is not None:
        names = ("family", "read", "assumed", "unread", "faults")
        configuration = {name: getattr(read, name) for name in names}
    return {
        "name": str(stated.get("name", read.name if read else "")),
        "values": together,
        "attention": described.attention,
        "counts": asdict(described.counts),
        "assumed": [asdict(one) for one in described.assumed],
        "faults": [fault._asdict() for fault in described.faults],
        "configuration": configuration,
    }


def _assumed(shape: Shape) -> tuple[Assumed, ...]:
    """Defaults that say something; those that say a model has none of a thing are left out."""
    return tuple(
        Assumed(field=field, value=default.value, rule=default.rule, is_assumption=default.assumed)
        for field, default in shape.defaults.items()
        if default.rule != "the model states none"
    )


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _fault_of(field: str, number: float, text: str) -> ShapeFault | None:
    """Why one number cannot be used by itself; limits are those of the row."""
    if not math.isfinite(number):
        return ShapeFault(field, "number", f"{field} is {text[:40]!r}, not a number", "State a number.")
    if number % 1:
        return ShapeFault(field, "whole_number", f"{field} is {text[:40]}, not a whole number", "Round it.")
    if number < 0:
        return ShapeFault(field, "at_least", f"{field} is {text[:40]}, below 0", "It cannot be less.")
    most = next(
        (mark.le for mark in Model.model_fields[field].metadata if getattr(mark, "le", None) is not None),
        None,
    )
    if most is not None and number > most:
        return ShapeFault(
            field, "at_most", f"{field} is {text[:40]}, more than {most:,}", "It cannot be more."
        )
    return None


def _known(value: Any) -> float | None:
    number = float(np.asarray(value).reshape(-1)[0])
    return number if math.isfinite(number) else None
