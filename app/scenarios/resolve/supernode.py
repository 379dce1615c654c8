"""The SuperNode of a scenario: of the catalog, or custom."""

from __future__ import annotations

from dataclasses import replace

from app.catalog.values import Part
from app.catalog.view import CatalogView
from app.engine.specs import SuperNode
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.supernode import (
    AcceleratorOverride,
    CustomSuperNode,
    MemoryPoolDocument,
    SuperNodeDocument,
    SuperNodeOverride,
)
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.resolve.accelerator import accelerator
from app.scenarios.resolve.hardware_words import cooling_kind
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.scale_up import (
    KINDS_OF_STRUCTURE,
    designed_plan,
    plan_as_sold,
    scale_up_plan,
    topology_of,
)
from app.scenarios.resolve.supernode_facts import (
    compute_nics,
    liquid_share,
    price_includes_network,
    price_is_listed,
    racks,
    scale_up_latency,
    suggested_power,
)
from app.scenarios.resolve.supernode_media import plan_media
from app.scenarios.resolve.supernode_parts import (
    Built,
    as_parts,
    build_up_of,
    fabric_of,
    joined_by,
    nics_of,
    numbers_of,
)
from app.scenarios.resolve.supernode_pool import with_pool
from app.scenarios.resolve.supernode_size import domain_of_size, links_of, of_size


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
        found = _custom(inputs, choice.custom, override, precision, served, choice.memory_pool)[0]
    else:
        assert choice.system is not None  # the document makes sure of one of the two
        found = _system(inputs, choice.system, override, precision, served)
    return with_pool(inputs, found, choice.memory_pool, in_parts=choice.custom is not None)


def parts_of(document: ScenarioDocument, catalog: CatalogView) -> tuple[SuperNode, Built] | None:
    """The SuperNode of a scenario as the sum of its parts: a system of the catalog by what it holds.

    None where its parts are unknown.

    Raises
    ------
    ScenarioError : what is in it cannot be built or joined
    """
    choice, override = document.supernode, document.supernode.override or SuperNodeOverride()
    custom = choice.custom
    if custom is None and choice.system is not None:
        custom = as_parts(catalog, part_or_error(catalog, "systems", choice.system, "supernode.system"))
        override = SuperNodeOverride(
            accelerator=override.accelerator,
            accelerators=override.accelerators,
            scale_up_domain_accelerators=override.scale_up_domain_accelerators,
        )
    if custom is None or custom.parts is None:
        return None
    inputs = Inputs(catalog=catalog, overrides=document.assumptions, estimates=document.estimates)
    precision, served = document.workload.precision, document.workload.kind == "serving"
    supernode, built = _custom(inputs, custom, override, precision, served, choice.memory_pool)
    return with_pool(inputs, supernode, choice.memory_pool, in_parts=True), built


def check_supernode(choice: SuperNodeDocument, catalog: CatalogView) -> None:
    """Nothing where a SuperNode can be built and joined, whatever runs on it.

    What depends on the work, as whether its accelerator has a number format, is found when it is evaluated.

    Raises
    ------
    ScenarioError : there is no such part, its accelerators cannot be joined, or it has no such memory pool
    """
    try:
        chosen_supernode(Inputs(catalog=catalog), choice, "bf16", None)
    except ScenarioError as error:
        if any(fault.rule not in OF_THE_WORK for fault in error.errors):
            raise


OF_THE_WORK = ("unknown_precision", "no_accelerator")
"""Faults of a SuperNode that only some work finds."""


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
    topology = override.scale_up_topology or topology_of(inputs, part)
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
        pool=None,
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
    inputs: Inputs,
    custom: CustomSuperNode,
    override: SuperNodeOverride,
    precision: str,
    served: bool,
    pool: MemoryPoolDocument | None,
) -> tuple[SuperNode, Built]:
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
    fabric, link_count = fabric_of(inputs, custom), 0
    if fabric is not None:
        chip, link_count = joined_by(inputs, chip, fabric, AcceleratorOverride(**stated))
    count = override.accelerators or custom.accelerators
    domain = min(count, scale_up.domain_accelerators or count)
    numbers = {
        "accelerators": _stated(inputs, "accelerators", custom.accelerators, override, custom),
        "scale_up_domain_accelerators": _stated(
            inputs, "scale_up_domain_accelerators", domain, override, custom
        ),
    }
    numbers |= compute_nics(inputs, None, chip, override, *_nics(inputs, custom, override))
    domain = override.scale_up_domain_accelerators or domain
    plan = None
    if fabric is not None and domain > 1:
        plan = designed_plan(
            inputs, fabric, chip, domain, links=link_count, taper=scale_up.oversubscription,
            path="supernode.custom.accelerators",
        )  # fmt: skip
    one = build_up_of(inputs, custom, chip, plan, numbers, override.cooling, pool)
    if plan is not None:
        plan = replace(plan, media=plan_media(inputs, one.media))
    values = {
        "nodes": None if custom.parts else custom.nodes,
        "max_power_w": custom.max_power_w,
        "typical_power_w": custom.typical_power_w,
        "rack_units": custom.rack_units,
        "weight_kg": custom.weight_kg,
        "host_memory_bytes": custom.host_memory_bytes,
        "price_usd": custom.price_usd,
    }
    left_out = [
        name
        for name in (*values, "racks")
        if custom.parts is not None
        and name != "typical_power_w"
        and values.get(name) is None
        and getattr(override, name) is None
        and not (name == "racks" and custom.racks is not None)
    ]
    numbers |= {
        name: _stated(inputs, name, value, override, custom)
        for name, value in values.items()
        if name not in left_out
    }
    numbers |= {"racks": racks(inputs, None, override.racks or custom.racks)} | (
        numbers_of(inputs, one, left_out, custom.name) if left_out else {}
    )
    cooling = override.cooling or custom.cooling or (one.cooling if custom.parts else "")
    given_share = override.liquid_share if override.liquid_share is not None else custom.liquid_share
    given_latency = override.scale_up_latency_s or scale_up.latency_s
    of_links = KINDS_OF_STRUCTURE[plan.structure] if plan else scale_up.topology
    supernode = SuperNode(
        key="custom",
        name=custom.name,
        accelerator=chip,
        scale_up_topology=override.scale_up_topology or of_links,
        scale_up_latency_s=scale_up_latency(inputs, None, given_latency),
        liquid_share=liquid_share(inputs, None, cooling, given_share),
        cooling=cooling,
        price_is_listed=price_is_listed(inputs),
        price_includes_nics=custom.price_includes_nics,
        scale_up=plan,  # None: how its domain is joined is not published
        price_includes_network=price_includes_network(inputs, None, custom.price_usd),
        pool=None,
        **numbers,
    )
    if plan is None or one.shape is None:
        return supernode, one
    stated_links = override.model_copy(
        update={"scale_up_latency_s": given_latency, "accelerator": AcceleratorOverride(**stated)}
    )
    joined = links_of(inputs, stated_links, supernode, plan, one.shape)
    return replace(supernode, **joined), one  # type: ignore[arg-type]


def _nics(
    inputs: Inputs, custom: CustomSuperNode, override: SuperNodeOverride
) -> tuple[float | None, float | None]:
    """Compute NICs and the rate of one [B/s], as stated or by the parts; None where neither says."""
    rate = None if custom.nic_gbit_s is None else custom.nic_gbit_s * 1e9 / 8
    if (parts := custom.parts) is None:
        return custom.scale_out_nics, rate
    count = override.accelerators or custom.accelerators
    if rate is None and parts.nic is not None:
        nic = part_or_error(inputs.catalog, "nics", parts.nic, "supernode.custom.parts.nic")
        rate = nic.facts["port_bandwidth_bytes_per_s"].value
    return custom.scale_out_nics if custom.scale_out_nics is not None else nics_of(parts, count), rate


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
