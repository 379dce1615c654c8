"""Bytes and rates of the parts of a served model."""

from __future__ import annotations

import numpy as np

from app.catalog.values import Part
from app.engine.specs.serving import PartPrecision
from app.engine.trace import Array
from app.scenarios.inputs import Inputs
from app.scenarios.resolve.accelerator import PEAK_FACT
from app.scenarios.serving.parts import PartsDocument, formats_of

PEAK = "supernode.accelerator.peak_flop_per_s"
PATH = "workload.parts"


def part_precision(
    inputs: Inputs, *, precision: str, parts: PartsDocument, has_experts: bool, accelerator: Part
) -> PartPrecision:
    """The formats of a model as the engine takes them.

    `inputs` has the words `engine` and `precision` in its context, by which assumptions are chosen. A format
    that the accelerator has no units for is stored so and multiplied in 16 bit.
    """
    formats = formats_of(precision=precision, parts=parts, has_experts=has_experts)
    family = "experts" if has_experts else "dense"
    outside = {"format": formats.outside_experts, "family": family}
    if parts.outside_experts is None:
        outside["part"] = "outside_experts"
    return PartPrecision(
        dense_parameter_bytes=inputs.assumption(
            f"{PATH}.dense_parameter_bytes", "scenario.element_bytes", also=outside
        ),
        expert_parameter_bytes=inputs.assumption(
            f"{PATH}.expert_parameter_bytes", "scenario.element_bytes", also={"format": formats.experts}
        ),
        head_parameter_bytes=_bytes(inputs, "head_parameter_bytes", parts.head),
        kv_element_bytes=_bytes(inputs, "kv_element_bytes", parts.kv_cache),
        exchange_element_bytes=_bytes(inputs, "exchange_element_bytes", parts.exchange),
        dense_peak_flop_per_s=_peak(
            inputs, "dense_peak_flop_per_s", formats.outside_experts_arithmetic, precision, accelerator
        ),
        expert_peak_flop_per_s=_peak(
            inputs, "expert_peak_flop_per_s", formats.experts, precision, accelerator
        ),
    )


def _bytes(inputs: Inputs, name: str, stated: str | None) -> Array:
    """Bytes of an element by the stated format, else what engines and checkpoints do unasked."""
    path = f"{PATH}.{name}"
    if stated is None:
        return inputs.assumption(path, f"scenario.{name}")
    return inputs.assumption(path, "scenario.element_bytes", also={"format": stated})


def _peak(inputs: Inputs, name: str, form: str, precision: str, accelerator: Part) -> Array:
    """The peak of the format; that of the scenario's precision may be stated, 16 bit where there are no units."""
    path = f"{PATH}.{name}"
    if form == precision and PEAK in inputs.origins:
        return inputs.taken(path, inputs.values[PEAK], inputs.origins[PEAK])
    fact = PEAK_FACT[form]
    if form == "mxfp4" and fact in accelerator.facts:
        # activations of MXFP4 checkpoints are in MXFP8, whose products run at the rate of 8 bit
        fact = PEAK_FACT["mxfp8"]
    if fact not in accelerator.facts:
        fact = "bf16_flop_per_s" if "bf16_flop_per_s" in accelerator.facts else "fp16_flop_per_s"
    return inputs.fact(path, accelerator, fact)


def has_experts(experts: Array) -> bool:
    """Whether a model is a mixture of experts."""
    return bool(np.max(experts) > 0)
