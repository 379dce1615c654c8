"""The SuperNode of a scenario and its accelerator."""

from __future__ import annotations

import re

import numpy as np

from app.catalog.lookup import Part
from app.engine.specs import Accelerator, SuperNode
from app.engine.trace import Array, Suggestion
from app.engine.units import words_of
from app.scenarios.errors import refuse
from app.scenarios.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.supernode import (
    AcceleratorOverride,
    CustomSuperNode,
    SuperNodeDocument,
    SuperNodeOverride,
)

# The catalog's column of peaks for each precision; block-scaled formats run on the same units.
PEAK_FACT = {
    "bf16": "bf16_flop_per_s",
    "fp16": "fp16_flop_per_s",
    "fp8": "fp8_flop_per_s",
    "mxfp8": "fp8_flop_per_s",
    "nvfp4": "fp4_flop_per_s",
    "int8": "int8_flop_per_s",
}

# Conditions of a price that cover fabric and storage too.
WHOLE_IT_PRICES = ("all_in_it", "all_in_with_facility")


def supernode(
    inputs: Inputs, choice: SuperNodeDocument, precision: str, price_usd: float | None
) -> SuperNode:
    """The SuperNode as the engine sees it; `price_usd` is what the scenario's terms say it costs.

    Raises
    ------
    ScenarioError : unknown system or accelerator, or an accelerator without this precision
    """
    override = choice.override or SuperNodeOverride()
    if price_usd is not None:
        override = override.model_copy(update={"price_usd": price_usd})
    if choice.custom is not None:
        return _custom(inputs, choice.custom, override, precision)
    assert choice.system is not None  # the document makes sure of one of the two
    return _system(inputs, choice.system, override, precision)


def _accelerator(
    inputs: Inputs, key: str, override: AcceleratorOverride | None, precision: str, field: str
) -> Accelerator:
    given = override or AcceleratorOverride()
    part = part_or_error(inputs.catalog, "accelerators", key, field)
    peak = PEAK_FACT[precision]
    if peak not in part.facts and given.peak_flop_per_s is None:
        offered = ", ".join(name for name, fact in PEAK_FACT.items() if fact in part.facts)
        raise refuse(
            f"{part.name} has no published peak at {precision}.",
            rule="unknown_precision",
            path="workload.precision",
            value=precision,
            hint=f"Choose one of {offered}, or state supernode.override.accelerator.peak_flop_per_s.",
        )
    sixteen_bit = "bf16_flop_per_s" if "bf16_flop_per_s" in part.facts else "fp16_flop_per_s"
    sources = {
        "peak_flop_per_s": peak,
        "peak_16_bit_flop_per_s": sixteen_bit,
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


def _system(inputs: Inputs, key: str, override: SuperNodeOverride, precision: str) -> SuperNode:
    part = part_or_error(inputs.catalog, "systems", key, "supernode.system")
    accelerator_key = part.attributes.get("accelerator_key", "")
    if not accelerator_key:
        raise refuse(
            f"{part.name} is not published with one kind of accelerator.",
            rule="no_accelerator",
            path="supernode.system",
            value=key,
            hint="Describe it under supernode.custom, or choose another system.",
        )

    def fact(name: str, source: str | None = None) -> Array:
        return inputs.fact(
            f"supernode.{name}",
            part,
            source or name,
            given=getattr(override, name),
            scenario_field=f"supernode.override.{name}",
        )

    accelerator = _accelerator(inputs, accelerator_key, override.accelerator, precision, "supernode.system")
    cooling = override.cooling or cooling_kind(part.attributes.get("cooling", ""))
    numbers = {
        name: fact(name)
        for name in (
            "accelerators", "scale_up_domain_accelerators", "nodes", "max_power_w", "typical_power_w", "rack_units",
            "host_memory_bytes",
        )
    }  # fmt: skip
    numbers |= _nics(inputs, part, accelerator, override, None, None)
    return SuperNode(
        key=key,
        name=part.name,
        accelerator=accelerator,
        scale_up_topology=override.scale_up_topology
        or topology_kind(part.attributes.get("scale_up_topology", "")),
        scale_up_latency_s=_latency(inputs, part, override.scale_up_latency_s),
        liquid_share=_liquid_share(inputs, part, cooling, override.liquid_share),
        cooling=cooling,
        racks=_racks(inputs, part, override.racks, numbers),
        price_usd=inputs.price(
            "supernode.price_usd",
            part,
            given=override.price_usd,
            scenario_field="supernode.override.price_usd",
        ),
        price_includes_nics=True,
        price_includes_network=_price_includes_network(inputs, part, override.price_usd),
        **numbers,
    )


def _custom(
    inputs: Inputs, custom: CustomSuperNode, override: SuperNodeOverride, precision: str
) -> SuperNode:
    scale_up = custom.scale_up
    stated = (override.accelerator or AcceleratorOverride()).model_dump(exclude_none=True)
    links = {
        "scale_up_bandwidth_bytes_per_s": scale_up.bandwidth_bytes_per_s,
        "scale_up_pair_bandwidth_bytes_per_s": scale_up.pair_bandwidth_bytes_per_s,
    }
    stated = {name: value for name, value in links.items() if value is not None} | stated
    accelerator = _accelerator(
        inputs,
        custom.accelerator,
        AcceleratorOverride(**stated),
        precision,
        "supernode.custom.accelerator",
    )
    nic = None if custom.nic_gbit_s is None else custom.nic_gbit_s * 1e9 / 8
    values = {
        "accelerators": custom.accelerators,
        "scale_up_domain_accelerators": scale_up.domain_accelerators or custom.accelerators,
        "nodes": custom.nodes,
        "max_power_w": custom.max_power_w,
        "typical_power_w": custom.typical_power_w,
        "rack_units": custom.rack_units,
        "host_memory_bytes": custom.host_memory_bytes,
        "price_usd": custom.price_usd,
    }
    numbers = {name: _stated(inputs, name, value, override, custom) for name, value in values.items()}
    numbers |= _nics(inputs, None, accelerator, override, custom.scale_out_nics, nic)
    cooling = override.cooling or custom.cooling or ""
    given_share = override.liquid_share if override.liquid_share is not None else custom.liquid_share
    given_latency = override.scale_up_latency_s or scale_up.latency_s
    return SuperNode(
        key="custom",
        name=custom.name,
        accelerator=accelerator,
        scale_up_topology=override.scale_up_topology or scale_up.topology,
        scale_up_latency_s=_latency(inputs, None, given_latency),
        liquid_share=_liquid_share(inputs, None, cooling, given_share),
        cooling=cooling,
        racks=_racks(inputs, None, override.racks or custom.racks, numbers),
        price_includes_nics=custom.price_includes_nics,
        price_includes_network=_price_includes_network(inputs, None, custom.price_usd),
        **numbers,
    )


def _stated(
    inputs: Inputs, name: str, value: float | None, override: SuperNodeOverride, custom: CustomSuperNode
) -> Array:
    path, field = f"supernode.{name}", f"supernode.custom.{name}"
    overriding = getattr(override, name)
    if overriding is not None:
        return inputs.scenario(path, overriding, f"supernode.override.{name}")
    if value is not None:
        return inputs.scenario(path, value, field)
    suggestion = _suggested_power(inputs, custom.accelerators, field) if name == "max_power_w" else None
    label = f"{custom.name}, {words_of(name)}"
    return inputs.unknown(path, label, scenario_field=field, suggestion=suggestion)


def _nics(
    inputs: Inputs,
    part: Part | None,
    accelerator: Accelerator,
    override: SuperNodeOverride,
    nics: float | None,
    bandwidth_bytes_per_s: float | None,
) -> dict[str, Array]:
    """Compute NICs and the rate of one; where only a rate per accelerator is published, one NIC for each."""
    chip = inputs.catalog.part("accelerators", accelerator.key)
    stated = {
        "scale_out_nics": override.scale_out_nics if override.scale_out_nics is not None else nics,
        "scale_out_nic_bandwidth_bytes_per_s": override.scale_out_nic_bandwidth_bytes_per_s
        or bandwidth_bytes_per_s,
    }
    by_accelerator = "scale_out_bandwidth_bytes_per_s" in chip.facts
    numbers = {}
    for name, given in stated.items():
        path, field = f"supernode.{name}", f"supernode.override.{name}"
        if given is not None:
            numbers[name] = inputs.scenario(path, given, field)
        elif (part is not None and name in part.facts) or not by_accelerator:
            source = part or chip
            numbers[name] = inputs.fact(path, source, name, scenario_field=field)
        elif name == "scale_out_nics":
            count = float(inputs.values["supernode.accelerators"][0])
            numbers[name] = inputs.derived(
                path, count, "compute NICs", "one for each accelerator: the rate is published per accelerator"
            )
        else:
            numbers[name] = inputs.fact(path, chip, "scale_out_bandwidth_bytes_per_s")
    return numbers


def _latency(inputs: Inputs, part: Part | None, given: float | None) -> Array:
    path = "supernode.scale_up_latency_s"
    if given is None and part is not None and "scale_up_latency_s" in part.facts:
        return inputs.fact(path, part)
    return inputs.assumption(
        path,
        "scenario.scale_up_latency_s",
        given=given,
        scenario_field="supernode.override.scale_up_latency_s",
    )


def _liquid_share(inputs: Inputs, part: Part | None, cooling: str, given: float | None) -> Array:
    path = "supernode.liquid_share"
    if given is None and part is not None and "liquid_share" in part.facts:
        return inputs.fact(path, part)
    if given is None and not cooling:
        return inputs.unknown(
            path,
            "share of the heat that liquid takes away",
            scenario_field="supernode.override.liquid_share",
        )
    return inputs.assumption(
        path,
        "scenario.liquid_share",
        given=given,
        scenario_field="supernode.override.liquid_share",
        also={"cooling": cooling},
    )


def _price_includes_network(inputs: Inputs, part: Part | None, given: float | None) -> Array:
    price = inputs.catalog.price(part.key) if part is not None and given is None else None
    whole = price is not None and price.condition in WHOLE_IT_PRICES
    source = f"price of the catalog, condition {price.condition}" if price else "price of the SuperNode alone"
    return inputs.derived(
        "supernode.price_includes_network",
        float(whole),
        "whether the price includes fabric and storage",
        source,
    )


def _racks(inputs: Inputs, part: Part | None, given: float | None, numbers: dict[str, Array]) -> Array:
    """Racks that one SuperNode fills: as published, else by height or by power, whichever asks for more."""
    path, field = "supernode.racks", "supernode.override.racks"
    if given is not None:
        return inputs.scenario(path, given, field)
    if part is not None and "racks" in part.facts:
        return inputs.fact(path, part)
    height = inputs.catalog.assumption("scenario", "usable_rack_units", inputs.context)
    power = inputs.catalog.assumption("scenario", "server_rack_power_w", inputs.context)
    shares = [numbers["rack_units"][0] / height.value, numbers["max_power_w"][0] / power.value]
    if np.isnan(shares).all():
        return inputs.unknown(path, "racks of one SuperNode", scenario_field=field)
    source = f"the larger of height / {height.value:g} U and rated power / {power.value:,.0f} W a rack"
    return inputs.derived(path, float(np.nanmax(shares)), "racks of one SuperNode", source)


def _suggested_power(inputs: Inputs, accelerators: int, field: str) -> Suggestion | None:
    """Rated power from the accelerators' own, published or suggested: an offer, never a default."""
    origin = inputs.origins["supernode.accelerator.tdp_w"]
    watts = (
        origin.suggestion.value
        if origin.suggestion
        else float(inputs.values["supernode.accelerator.tdp_w"][0])
    )
    if np.isnan(watts):
        return None
    ratio = inputs.catalog.price_item("server_power_chip_tdp_h100")
    return Suggestion(
        value=float(f"{accelerators * watts * ratio.value:.2g}"),
        unit="W",
        source=f"{accelerators} accelerators of {watts:,.0f} W x {ratio.value:g} ({ratio.source})",
        field=field,
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


def cooling_kind(text: str) -> str:
    """air, liquid, hybrid or "" from the words of a data sheet.

    >>> cooling_kind("hybrid (DLC + air)"), cooling_kind("DLC (fully liquid)"), cooling_kind("not published")
    ('hybrid', 'liquid', '')
    """
    words = text.lower()
    if "hybrid" in words:
        return "hybrid"
    if "liquid" in words or "dlc" in words:
        return "liquid"
    return "air" if "air" in words else ""


def topology_kind(text: str) -> str:
    """switched, mesh or torus from the words of a data sheet.

    >>> topology_kind("NVSwitch all-to-all (4 switches)"), topology_kind("4x4x4 3D torus")
    ('switched', 'torus')
    """
    words = text.lower()
    if "torus" in words:
        return "torus"
    switched = "switch" in words.replace("no switch", "")
    return "mesh" if "mesh" in words and not switched else "switched"


def context_of(accelerator: Part) -> dict[str, str]:
    """The words of an accelerator that modelling assumptions are chosen by: line, chip, key and kind of link."""
    generation = str(accelerator.attributes.get("generation", ""))
    return {
        "generation": generation_family(generation),
        "chip": generation,
        "accelerator": accelerator.key,
        "link": link_kind(str(accelerator.attributes.get("scale_up_link", ""))),
    }


def generation_family(generation: str) -> str:
    """The line of hardware that modelling assumptions are stated for.

    >>> generation_family("tpu_v5p"), generation_family("blackwell_ultra"), generation_family("trainium2")
    ('tpu', 'blackwell', 'trainium')
    """
    found = re.match(r"[a-z]+", generation)
    return found[0] if found else generation


def link_kind(text: str) -> str:
    """nvlink, pcie or other from what a data sheet says of the scale-up link.

    >>> link_kind("NVLink 4 (18 links)"), link_kind("PCIe Gen5 x16 (optional NVLink bridge)"), link_kind("ICI")
    ('nvlink', 'pcie', 'other')
    """
    first = text.lower().split(" ")[0]
    return first if first in ("nvlink", "pcie") else "other"
