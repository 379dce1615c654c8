"""The workload of a scenario: a transformer from the catalog or written out, and its training."""

from __future__ import annotations

import dataclasses

from app.engine.specs import Architecture, TrainingWorkload
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.architecture import InlineArchitecture
from app.scenarios.document import TrainingDocument
from app.scenarios.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

WORDS = ("key", "name", "attention")
NUMBERS = tuple(field.name for field in dataclasses.fields(Architecture) if field.name not in WORDS)

# Parts of a transformer that most models lack: a blank means "has none", not "unknown".
ABSENT_IS_NONE = (
    "experts", "experts_per_token", "shared_experts", "expert_hidden", "expert_layers",
    "latent_query_rank", "latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim",
    "window_layers", "window_tokens",
    "linear_layers", "linear_layer_parameters", "linear_state_elements",
    "sparse_tokens", "index_elements", "index_heads", "query_key_norm",
)  # fmt: skip


def training_workload(inputs: Inputs, document: TrainingDocument) -> TrainingWorkload:
    """Architecture and training quantities of a scenario."""
    architecture = architecture_of(inputs, document.model)
    numbers = {
        name: inputs.scenario(f"workload.{name}", getattr(document, name))
        for name in ("tokens", "sequence_length", "global_batch_sequences", "prediction_modules")
    }
    return TrainingWorkload(
        architecture=architecture,
        precision=document.precision,
        measured_over_predicted=_measured_over_predicted(inputs, document),
        **numbers,
    )


def architecture_of(inputs: Inputs, model: str | InlineArchitecture) -> Architecture:
    """The transformer of a scenario.

    Raises
    ------
    ScenarioError : no model of the catalog has this key
    """
    if isinstance(model, str):
        return _catalog_architecture(inputs, model)
    return _inline_architecture(inputs, model)


def _measured_over_predicted(inputs: Inputs, document: TrainingDocument) -> Array:
    """The correction by own runs, as the scenario states it."""
    path = "workload.measured_over_predicted"
    if document.calibration is None:
        return inputs.derived(path, 1, "measured over predicted speed", "the scenario states no own runs")
    ratio = document.calibration.measured_over_predicted
    return inputs.scenario(path, ratio, "workload.calibration.measured_over_predicted")


def _catalog_architecture(inputs: Inputs, key: str) -> Architecture:
    part = part_or_error(inputs.catalog, "models", key, "workload.model")
    numbers = {}
    for name in NUMBERS:
        path = f"workload.architecture.{name}"
        if name in ABSENT_IS_NONE and name not in part.facts:
            numbers[name] = inputs.derived(path, 0, f"{part.name}, {words_of(name)}", "it has none")
        else:
            numbers[name] = inputs.fact(path, part, name)
    attention = part.attributes["attention"].lower()
    return Architecture(key=key, name=part.name, attention=attention, **numbers)


def _inline_architecture(inputs: Inputs, document: InlineArchitecture) -> Architecture:
    facts = document.facts()
    numbers = {}
    for name in NUMBERS:
        path, value = f"workload.architecture.{name}", facts[name]
        if value is None:
            numbers[name] = inputs.unknown(path, f"{document.name}, {words_of(name)}")
        else:
            numbers[name] = inputs.scenario(path, value, f"workload.model.{name}")
    return Architecture(key="inline", name=document.name, attention=document.attention_kind, **numbers)
