"""The workload of a scenario: a transformer from the catalog or written out, and its training."""

from __future__ import annotations

import numpy as np

from app.catalog.model_shape import FIELDS, Shape, whole_shape
from app.catalog.values import Part
from app.engine.specs import Architecture, TrainingWorkload
from app.engine.trace import Array, Origin
from app.engine.units import words_of
from app.scenarios.document.architecture import InlineArchitecture
from app.scenarios.document.scenario import TrainingDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

STRUCTURE = ("layers", "attention_layers", "heads", "kv_heads")
"""Whole numbers that layouts divide; rows saved by earlier versions may lack them."""


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


def architecture_of(
    inputs: Inputs,
    model: str | InlineArchitecture,
    *,
    path: str = "workload.architecture",
    field: str = "workload.model",
) -> Architecture:
    """The transformer of a scenario, its numbers at `path` of the design.

    Raises
    ------
    ScenarioError : no model of the catalog has this key
    """
    if isinstance(model, str):
        return _catalog_architecture(inputs, model, path, field)
    return _inline_architecture(inputs, model, path, field)


def _measured_over_predicted(inputs: Inputs, document: TrainingDocument) -> Array:
    """The correction by own runs, as the scenario states it."""
    path = "workload.measured_over_predicted"
    if document.calibration is None:
        return inputs.derived(path, 1, "measured over predicted speed", "the scenario states no own runs")
    ratio = document.calibration.measured_over_predicted
    return inputs.scenario(path, ratio, "workload.calibration.measured_over_predicted")


def _catalog_architecture(inputs: Inputs, key: str, at: str, field: str) -> Architecture:
    part = part_or_error(inputs.catalog, "models", key, field)
    shape = shape_of(part)
    lacking = [name for name in STRUCTURE if np.isnan(shape.numbers[name])]
    if lacking:
        raise refuse(
            f"{part.name} states no {', '.join(lacking)}, and no layout can be computed without.",
            rule="missing_input",
            path=field,
            value=key,
            hint="Complete the model in the catalog, or choose another.",
        )
    numbers = {}
    for name in FIELDS:
        path, label = f"{at}.{name}", f"{part.name}, {words_of(name)}"
        default = shape.defaults.get(name)
        if default is None:
            numbers[name] = inputs.fact(path, part, name)
        elif default.assumed:
            numbers[name] = inputs.taken(
                path, default.value, Origin(kind="assumption", label=label, source=default.rule)
            )
        else:
            numbers[name] = inputs.derived(path, default.value, label, default.rule)
    return Architecture(key=key, name=part.name, attention=shape.attention, **numbers)


def shape_of(part: Part) -> Shape:
    """The shape of a model of the catalog, what its row leaves blank filled in."""
    stated = {name: part.facts[name].value for name in FIELDS if name in part.facts}
    return whole_shape(stated, str(part.attributes.get("attention", "")))


def _inline_architecture(inputs: Inputs, document: InlineArchitecture, at: str, field: str) -> Architecture:
    facts = document.facts()
    numbers = {}
    for name in FIELDS:
        path, value = f"{at}.{name}", facts[name]
        if value is None:
            numbers[name] = inputs.unknown(path, f"{document.name}, {words_of(name)}")
        else:
            numbers[name] = inputs.scenario(path, value, f"{field}.{name}")
    return Architecture(key="inline", name=document.name, attention=document.attention_kind, **numbers)
