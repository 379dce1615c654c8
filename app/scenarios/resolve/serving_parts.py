"""Bytes and rates of the parts of a served model, and which formats an engine runs on an accelerator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import numpy as np

from app.catalog.number_formats import NumberFormat, is_native, number_formats, rate_fact, run_by
from app.catalog.values import Part
from app.engine.specs.serving import PartPrecision
from app.engine.trace import Array
from app.scenarios.document.serving import ENGINES, runs_on
from app.scenarios.document.serving_parts import KvFormat, PartsDocument, ServingPrecision, formats_of
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.resolve.inputs import Inputs

PEAK = "supernode.accelerator.peak_flop_per_s"
PATH = "workload.parts"


def part_precision(
    inputs: Inputs,
    *,
    precision: str,
    parts: PartsDocument,
    has_experts: bool,
    accelerator: Part,
    path: str = PATH,
) -> PartPrecision:
    """The formats of a model as the engine takes them; `path` is their place in the design.

    `inputs` has the words `engine` and `precision` in its context, by which assumptions are chosen. A format
    that the accelerator has no units for is stored so and multiplied in 16 bit.
    """
    formats = formats_of(precision=precision, parts=parts, has_experts=has_experts)
    kept = parts.outside_experts is None and formats.outside_experts_arithmetic != formats.outside_experts
    return PartPrecision(
        dense_parameter_bytes=inputs.assumption(
            f"{path}.dense_parameter_bytes",
            "scenario.outside_experts_parameter_bytes",
            also={"format": formats.outside_experts},
        )
        if kept
        else _stored(inputs, f"{path}.dense_parameter_bytes", formats.outside_experts),
        expert_parameter_bytes=_stored(inputs, f"{path}.expert_parameter_bytes", formats.experts),
        head_parameter_bytes=_bytes(inputs, path, "head_parameter_bytes", parts.head),
        kv_element_bytes=_bytes(inputs, path, "kv_element_bytes", parts.kv_cache),
        exchange_element_bytes=_bytes(inputs, path, "exchange_element_bytes", parts.exchange),
        dense_peak_flop_per_s=_peak(
            inputs,
            f"{path}.dense_peak_flop_per_s",
            formats.outside_experts_arithmetic,
            precision,
            accelerator,
        ),
        expert_peak_flop_per_s=_peak(
            inputs, f"{path}.expert_peak_flop_per_s", formats.experts, precision, accelerator
        ),
    )


def _bytes(inputs: Inputs, path: str, name: str, stated: str | None) -> Array:
    """Bytes of an element by the stated format, else what engines and checkpoints do unasked."""
    if stated is None:
        return inputs.assumption(f"{path}.{name}", f"scenario.{name}")
    return _stored(inputs, f"{path}.{name}", stated)


def _stored(inputs: Inputs, path: str, word: str) -> Array:
    form = number_formats()[word]
    scales = f" and {form.scale_bits:g} for each {form.block_elements:,.0f}" if form.scale_bits else ""
    return inputs.derived(
        path,
        form.bytes,
        f"bytes of an element in {form.label}: {form.element_bits:g} bits{scales}",
        form.source,
    )


def _peak(inputs: Inputs, path: str, word: str, precision: str, accelerator: Part) -> Array:
    """The peak of the format; that of the scenario's precision may be stated, 16 bit where there are no units."""
    if word == precision and PEAK in inputs.origins:
        return inputs.taken(path, inputs.values[PEAK], inputs.origins[PEAK])
    return inputs.fact(path, accelerator, rate_fact(number_formats()[word], accelerator))


def check_formats(
    *,
    precision: str,
    parts: PartsDocument,
    has_experts: bool,
    accelerator: Part,
    engine: str,
    version: str | None,
    peak_is_stated: bool,
) -> str:
    """Parts whose weights the engine dequantises on the way, in words; "" where all are multiplied as they are.

    Raises
    ------
    ScenarioError : the engine does not run a format on the accelerator; one message a fault
    """
    formats = formats_of(precision=precision, parts=parts, has_experts=has_experts)
    weights = {"workload.precision": precision}
    if parts.outside_experts is not None:
        weights["workload.parts.outside_experts"] = parts.outside_experts
    if has_experts and parts.experts is not None:
        weights["workload.parts.experts"] = parts.experts
    faults = []
    for field, word in weights.items():
        if field == "workload.precision" and (peak_is_stated or not _is_used(precision, parts, has_experts)):
            continue
        form = number_formats()[word]
        if run_by(engine, "weights", form, accelerator, version) is None:
            faults.append(_weights_fault(field, form, accelerator, engine, version))
    if parts.kv_cache is not None:
        form = number_formats()[parts.kv_cache]
        if run_by(engine, "kv_cache", form, accelerator, version) is None:
            faults.append(_cache_fault(form, accelerator, engine, version))
    if faults:
        raise ScenarioError(faults)
    stored = {"outside_experts": formats.outside_experts_arithmetic}
    if has_experts:
        stored["experts"] = formats.experts
    return ", ".join(
        part
        for part, word in stored.items()
        if not is_native(number_formats()[word], accelerator) and not (word == precision and peak_is_stated)
    )


def _is_used(precision: str, parts: PartsDocument, has_experts: bool) -> bool:
    """Return whether any matrix has the format of the whole."""
    return parts.outside_experts is None or (has_experts and parts.experts is None)


def _weights_fault(
    field: str, form: NumberFormat, accelerator: Part, engine: str, version: str | None
) -> InputError:
    named = f"{engine} {version}" if version else engine
    lacks = "" if form.weights_alone or is_native(form, accelerator) else "has no published peak at "
    message = (
        f"{accelerator.name} {lacks}{form.key}, and {named} does not dequantise it there."
        if lacks
        else f"{named} does not run {form.key} on {accelerator.name}."
    )
    here = [
        word
        for word in get_args(ServingPrecision)
        if run_by(engine, "weights", number_formats()[word], accelerator, version)
    ]
    return InputError(
        path=field,
        value=form.key,
        rule="unknown_precision",
        message=message,
        hint=f"Choose one of {', '.join(here)}, or {_elsewhere('weights', form, accelerator, engine, version)}"
        "state the peak of its accelerator.",
    )


def _cache_fault(form: NumberFormat, accelerator: Part, engine: str, version: str | None) -> InputError:
    named = f"{engine} {version}" if version else engine
    here = [
        word
        for word in get_args(KvFormat)
        if run_by(engine, "kv_cache", number_formats()[word], accelerator, version)
    ]
    other = _elsewhere("kv_cache", form, accelerator, engine, version).removesuffix(", or ")
    return InputError(
        path="workload.parts.kv_cache",
        value=form.key,
        rule="unknown_precision",
        message=f"{named} does not keep keys and values in {form.key} on {accelerator.name}.",
        hint=f"Choose one of {', '.join(here)}" + (f", or {other}." if other else "."),
    )


def _elsewhere(holds: str, form: NumberFormat, accelerator: Part, engine: str, version: str | None) -> str:
    """Engines that run the format there, as a way out; the same engine where a later version does."""
    ways = [
        f"{name} as workload.engine.name, which {words}"
        for name, words in _others(holds, form, accelerator, engine)
    ]
    if version and run_by(engine, "kv_cache" if holds == "kv_cache" else "weights", form, accelerator, None):
        ways.insert(0, f"a later version of {engine}")
    return f"{', or '.join(ways)}, or " if ways else ""


def _others(holds: str, form: NumberFormat, accelerator: Part, engine: str) -> Iterator[tuple[str, str]]:
    for name in ENGINES:
        if name in ("auto", engine) or not runs_on(name, accelerator.vendor):
            continue
        how = run_by(name, "kv_cache" if holds == "kv_cache" else "weights", form, accelerator, None)
        if how == "weight_only":
            yield name, "multiplies it in 16 bit"
        elif how == "native":
            yield name, "keeps it" if holds == "kv_cache" else "runs it"


def has_experts(experts: Array) -> bool:
    """Return whether a model is a mixture of experts."""
    return bool(np.max(experts) > 0)
