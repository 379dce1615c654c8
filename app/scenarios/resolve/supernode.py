"""The SuperNode of a scenario: of the catalog, or of one's own."""

from __future__ import annotations

from app.catalog.values import Part
from app.engine.specs import SuperNode
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.document.supernode import (
    AcceleratorOverride,
    CustomSuperNode,
    SuperNodeDocument,
    SuperNodeOverride,
)
from app.scenarios.errors import refuse
from app.scenarios.resolve.accelerator import accelerator
from app.scenarios.resolve.hardware_words import cooling_kind, topology_kind
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.scale_up import plan_as_sold, scale_up_plan
from app.scenarios.resolve.supernode_facts import (
    compute_nics,
    liquid_share,
    price_includes_network,
    price_is_listed,
    racks,
    scale_up_latency,
    suggested_power,
)
from app.scenarios.resolve.supernode_size import domain_of_size, of_size


def chosen_supernode(
    inputs: Inputs,
    choice: SuperNodeDocument,
    precision: str,
    price_usd: float | None,
    *,
    served: bool = False,
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
        return _custom(inputs, choice.custom, override, precision, served)
    assert choice.system is not None  # the document makes sure of one of the two
    return _system(inputs, choice.system, override, precision, served)


def _system(inputs: Inputs, key: str, override: SuperNodeOverride, precision: str, served: bool) -> SuperNode:
    part = part_or_error(inputs.catalog, "systems", key, "supernode.system")
    accelerator_key = part.attributes.get("accelerator_key", "")
    if not accelerator_key:
        raise refuse(
            f"{part.name} is not published with one kind of accelerator.",
            rule="no_accelerator",
            path="supernode.system",
            value=key,
            hint=f"Choose another system{_siblings(inputs, part)}, or describe it as a SuperNode of your own.",
        )

    def fact(name: str, source: str | None = None) -> Array:
        return inputs.fact(
            f"supernode.{name}",
            part,
            source or name,
            given=getattr(override, name),
            scenario_field=f"supernode.override.{name}",
        )

    chip = accelerator(
        inputs, accelerator_key, override.accelerator, precision, "supernode.system", served=served
    )
    cooling = override.cooling or cooling_kind(part.attributes.get("cooling", ""))
    numbers = {
        name: fact(name)
        for name in (
            "accelerators", "scale_up_domain_accelerators", "nodes", "max_power_w", "typical_power_w", "rack_units",
            "host_memory_bytes", "weight_kg",
        )
    }  # fmt: skip
    numbers |= compute_nics(inputs, part, chip, override, None, None)
    topology = override.scale_up_topology or topology_kind(part.attributes.get("scale_up_topology", ""))
    numbers |= domain_of_size(inputs, part, override)
    supernode = SuperNode(
        key=key,
        name=part.name,
        accelerator=chip,
        scale_up_topology=topology,
        scale_up=scale_up_plan(inputs, part, chip, override, topology),
        scale_up_latency_s=scale_up_latency(inputs, part, override.scale_up_latency_s),
        liquid_share=liquid_share(inputs, part, cooling, override.liquid_share),
        cooling=cooling,
        racks=racks(inputs, part, override.racks),
        price_usd=inputs.price(
            "supernode.price_usd",
            part,
            given=override.price_usd,
            scenario_field="supernode.override.price_usd",
            name="SuperNode",
        ),
        price_is_listed=price_is_listed(inputs),
        price_includes_nics=True,
        price_includes_network=price_includes_network(inputs, part, override.price_usd),
        **numbers,
    )
    return of_size(inputs, part, override, supernode, plan_as_sold(inputs, part, chip, override))


def _siblings(inputs: Inputs, part: Part) -> str:
    """Names of systems of the same vendor that state their accelerator, those of the nearest years first."""
    others = [inputs.catalog.part("systems", key) for key in inputs.catalog.keys("systems")]
    alike = [one for one in others if one.vendor == part.vendor and one.attributes.get("accelerator_key")]
    nearest = sorted(alike, key=lambda one: abs((one.year or 0) - (part.year or 0)))[:2]
    return f", such as {' or '.join(one.name for one in nearest)}" if nearest else ""


def _custom(
    inputs: Inputs, custom: CustomSuperNode, override: SuperNodeOverride, precision: str, served: bool
) -> SuperNode:
    scale_up = custom.scale_up
    stated = (override.accelerator or AcceleratorOverride()).model_dump(exclude_none=True)
    links = {
        "scale_up_bandwidth_bytes_per_s": scale_up.bandwidth_bytes_per_s,
        "scale_up_pair_bandwidth_bytes_per_s": scale_up.pair_bandwidth_bytes_per_s,
    }
    stated = {name: value for name, value in links.items() if value is not None} | stated
    chip = accelerator(
        inputs,
        custom.accelerator,
        AcceleratorOverride(**stated),
        precision,
        "supernode.custom.accelerator",
        served=served,
    )
    nic = None if custom.nic_gbit_s is None else custom.nic_gbit_s * 1e9 / 8
    values = {
        "accelerators": custom.accelerators,
        "scale_up_domain_accelerators": scale_up.domain_accelerators or custom.accelerators,
        "nodes": custom.nodes,
        "max_power_w": custom.max_power_w,
        "typical_power_w": custom.typical_power_w,
        "rack_units": custom.rack_units,
        "weight_kg": custom.weight_kg,
        "host_memory_bytes": custom.host_memory_bytes,
        "price_usd": custom.price_usd,
    }
    numbers = {name: _stated(inputs, name, value, override, custom) for name, value in values.items()}
    numbers |= compute_nics(inputs, None, chip, override, custom.scale_out_nics, nic)
    cooling = override.cooling or custom.cooling or ""
    given_share = override.liquid_share if override.liquid_share is not None else custom.liquid_share
    given_latency = override.scale_up_latency_s or scale_up.latency_s
    return SuperNode(
        key="custom",
        name=custom.name,
        accelerator=chip,
        scale_up_topology=override.scale_up_topology or scale_up.topology,
        scale_up_latency_s=scale_up_latency(inputs, None, given_latency),
        liquid_share=liquid_share(inputs, None, cooling, given_share),
        cooling=cooling,
        racks=racks(inputs, None, override.racks or custom.racks),
        price_is_listed=price_is_listed(inputs),
        price_includes_nics=custom.price_includes_nics,
        scale_up=None,  # nobody says how its domain is joined
        price_includes_network=price_includes_network(inputs, None, custom.price_usd),
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
    suggestion = suggested_power(inputs, custom.accelerators, field) if name == "max_power_w" else None
    label = f"{custom.name}, {words_of(name)}"
    return inputs.unknown(path, label, scenario_field=field, suggestion=suggestion)
