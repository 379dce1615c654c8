"""The accelerator of a scenario."""

from __future__ import annotations

import numpy as np

from app.catalog.lookup import Part
from app.catalog.number_formats import number_formats, rate_fact, sixteen_bit_fact
from app.engine.specs import Accelerator
from app.engine.trace import Suggestion
from app.scenarios.document.supernode import AcceleratorOverride
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

# The catalog's column of peaks for each precision; block-scaled formats run on the same units. FP32 is of
# the vector units.
PEAK_FACT = {
    "fp32": "fp32_flop_per_s",
    "tf32": "tf32_flop_per_s",
    "bf16": "bf16_flop_per_s",
    "fp16": "fp16_flop_per_s",
    "fp8": "fp8_flop_per_s",
    "mxfp8": "fp8_flop_per_s",
    "nvfp4": "fp4_flop_per_s",
    "mxfp4": "fp4_flop_per_s",
    "int8": "int8_flop_per_s",
}


def accelerator(
    inputs: Inputs,
    key: str,
    override: AcceleratorOverride | None,
    precision: str,
    field: str,
    *,
    served: bool = False,
) -> Accelerator:
    """The accelerator as the engine sees it.

    `served` models keep weights in formats that it need not multiply: their peak is that of what it multiplies.
    """
    given = override or AcceleratorOverride()
    part = part_or_error(inputs.catalog, "accelerators", key, field)
    # whether the engine runs the format there is checked with the workload
    peak = rate_fact(number_formats()[precision], part) if served else PEAK_FACT[precision]
    if peak not in part.facts and given.peak_flop_per_s is None:
        offered = ", ".join(name for name, fact in PEAK_FACT.items() if fact in part.facts)
        raise refuse(
            f"{part.name} has no published peak at {precision}.",
            rule="unknown_precision",
            path="workload.precision",
            value=precision,
            hint=f"Choose one of {offered}, or state the peak of its accelerator.",
        )
    sources = {
        "peak_flop_per_s": peak,
        "peak_16_bit_flop_per_s": sixteen_bit_fact(part),
        "achievable_16_bit_flop_per_s": "achievable_bf16_flop_per_s",
    }
    numbers = {}
    for name in (
        *sources, "memory_bytes", "memory_bandwidth_bytes_per_s", "scale_up_bandwidth_bytes_per_s",
        "scale_up_pair_bandwidth_bytes_per_s", "tdp_w", "idle_w",
    ):  # fmt: skip
        place = f"supernode.override.accelerator.{name}"
        numbers[name] = inputs.fact(
            f"supernode.accelerator.{name}",
            part,
            sources.get(name, name),
            given=getattr(given, name),
            scenario_field=place,
            suggestion=_suggested_tdp(inputs, part, peak, place) if name == "tdp_w" else None,
        )
    return Accelerator(
        key=key,
        name=part.name,
        vendor=part.vendor,
        generation=part.attributes["generation"],
        price_usd=inputs.price(
            "supernode.accelerator.price_usd",
            part,
            given=given.price_usd,
            scenario_field="supernode.override.accelerator.price_usd",
        ),
        **numbers,
    )


def _suggested_tdp(inputs: Inputs, part: Part, peak: str, field: str) -> Suggestion | None:
    """Power by the peak per watt of the same year's accelerators: an offer, never a default."""
    if "tdp_w" in part.facts or peak not in part.facts:
        return None  # before every accelerator is looked at: a save keeps all that was
    same_year = [
        other
        for other in (inputs.catalog.part("accelerators", key) for key in inputs.catalog.keys("accelerators"))
        if other.year
        and part.year
        and abs(other.year - part.year) <= 1
        and peak in other.facts
        and "tdp_w" in other.facts
    ]
    if not same_year:
        return None
    watts_per_flop = np.median([other.facts["tdp_w"].value / other.facts[peak].value for other in same_year])
    return Suggestion(
        value=float(f"{watts_per_flop * part.facts[peak].value:.2g}"),
        unit="W",
        source=f"median watts per FLOP/s of {len(same_year)} catalog accelerators of {part.year} +- 1 year",
        field=field,
    )
