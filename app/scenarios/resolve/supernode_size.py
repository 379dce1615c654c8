"""A catalog system at another size than it is sold: what its parts come to, at the level of its published figures.

Counts (chips, links, trays, NICs, racks) are those of the build-up from parts. Power, price and weight of the system as
it is sold are published; at another size they follow its parts. With N accelerators for the N0 of one SuperNode as sold,
and B() what the build-up gives:

    value(N) = value(N0) B(N) / B(N0)

Parts that are not published go with the accelerators.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from app.catalog.values import Part
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.fabric.scale_up.shape import Shape
from app.engine.fabric.scale_up.totals import all_to_all_bandwidth_bytes_per_s
from app.engine.specs import ScaleUpPlan, SuperNode
from app.engine.supernode import TYPICAL
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.document.supernode import SuperNodeOverride
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.scale_up import DOMAIN
from app.scenarios.resolve.supernode_media import plan_media, usual_media
from app.scenarios.resolve.supernode_parts import Built, as_parts, build_up_of, nics_of, rack_words

PUBLISHED = {
    "max_power_w": "rated_power_w",
    "typical_power_w": "rated_power_w",
    "price_usd": "price_usd",
    "weight_kg": "weight_kg",
}
"""Figures that are published of a system -> what follows them in its build-up."""


def domain_of_size(inputs: Inputs, part: Part, override: SuperNodeOverride) -> dict[str, Array]:
    """The scale-up domain where only accelerators are stated: every accelerator where the system as sold has
    one domain."""
    if override.accelerators is None or override.scale_up_domain_accelerators is not None:
        if override.accelerators is None and override.scale_up_domain_accelerators is not None:
            return _bought_for_domain(inputs, part, override.scale_up_domain_accelerators)
        return {}
    bought, domain = (_sold(part, name) for name in ("accelerators", "scale_up_domain_accelerators"))
    if math.isnan(domain):
        return {}
    size = override.accelerators if domain == bought else min(domain, override.accelerators)
    label = f"{part.name}, {words_of('scale_up_domain_accelerators')}"
    rule = "all accelerators of it, as in the system as it is sold" if domain == bought else "as sold"
    path = "supernode.scale_up_domain_accelerators"
    return {"scale_up_domain_accelerators": inputs.derived(path, float(size), label, rule)}


def _bought_for_domain(inputs: Inputs, part: Part, domain: int) -> dict[str, Array]:
    """A domain that is larger than the system: as many accelerators are bought together."""
    if not domain > _sold(part, "accelerators"):
        return {}
    label = f"{part.name}, {words_of('accelerators')}"
    rule = "supernode.override.scale_up_domain_accelerators: a domain is bought together"
    return {"accelerators": inputs.derived("supernode.accelerators", float(domain), label, rule)}


def of_size(
    inputs: Inputs, part: Part, override: SuperNodeOverride, stated: SuperNode, sold: ScaleUpPlan | None
) -> SuperNode:
    """The SuperNode with the media of its links, and what its size changes.

    Raises
    ------
    ScenarioError : a medium does not reach as far as its links go
    """
    as_sold = {name: _sold(part, name) for name in ("accelerators", DOMAIN)}
    asked = {name: float(getattr(stated, name)[0]) for name in as_sold}
    before = _built(inputs, part, stated, sold, as_sold, override)
    same = asked == as_sold or math.isnan(as_sold["accelerators"])
    after = before if same else _built(inputs, part, stated, stated.scale_up, asked, override)
    plan = stated.scale_up
    if plan is not None:
        media = usual_media(inputs) if after is None else after.media
        level = _price_level(inputs, part, before)
        plan = replace(plan, media=plan_media(inputs, media), price_level=level)
        stated = replace(stated, scale_up=plan)
    parted = plan is not None and plan.taper is None and plan.first_tier_accelerators is not None
    changed = {} if same else _changed(inputs, part, override, stated, before, after)
    links: dict[str, object] = {}
    if plan is not None and (parted or not same):
        shape = STRUCTURES[plan.structure](plan, stated.scale_up_domain_accelerators)
        links = links_of(inputs, override, stated, plan, shape)
    return replace(stated, **changed, **links)  # type: ignore[arg-type]


def _built(
    inputs: Inputs,
    part: Part,
    stated: SuperNode,
    plan: ScaleUpPlan | None,
    numbers: Mapping[str, float],
    override: SuperNodeOverride,
) -> Built | None:
    """The system built up from its parts at a size; None where they, or how they are joined, are not published."""
    custom = as_parts(inputs.catalog, part)
    if custom is None or custom.parts is None or (plan is None and numbers[DOMAIN] > 1):
        return None
    given: dict[str, Array] = {name: np.full(1, value) for name, value in numbers.items()}
    given["scale_out_nics"] = np.full(1, nics_of(custom.parts, numbers["accelerators"]))
    given["scale_out_nic_bandwidth_bytes_per_s"] = stated.scale_out_nic_bandwidth_bytes_per_s
    return build_up_of(inputs, custom, stated.accelerator, plan, given, override.cooling)


def _changed(
    inputs: Inputs,
    part: Part,
    override: SuperNodeOverride,
    stated: SuperNode,
    before: Built | None,
    after: Built | None,
) -> dict[str, Array]:
    """Figures that another size changes, of those that the scenario does not state."""
    each, count = _sold(part, "accelerators"), float(stated.accelerators[0])
    rule = f"{count:,.0f} accelerators in place of {each:,.0f}"
    nodes = _sold(part, "nodes")
    trays = math.ceil(count * nodes / each - 1e-9)
    changed: dict[str, Array] = {}

    def put(name: str, value: float, source: str, ratio: float = math.nan) -> None:
        if getattr(override, name) is None and not math.isnan(value):
            origin = inputs.origins[f"supernode.{name}"]
            low, high = (None if one is None else one * ratio for one in (origin.low, origin.high))
            origin = replace(origin, kind="derived", source=source, printed="", low=low, high=high)
            changed[name] = inputs.taken(f"supernode.{name}", value, origin)

    if count != each:
        put("nodes", trays, f"{each / nodes:g} accelerators a tray or host")
        put("host_memory_bytes", _sold(part, "host_memory_bytes") * trays / nodes, f"{rule}; by the tray")
        nics = _sold(part, "scale_out_nics")
        put("scale_out_nics", nics if math.isnan(nics) else math.ceil(nics * count / each - 1e-9), rule)
    for name, of_parts in PUBLISHED.items():
        ratio, why = _ratio(before, after, of_parts), f"{rule}, as its parts give it"
        if math.isnan(ratio):
            ratio, why = count / each, f"{rule}, in proportion: not all of its parts are known"
        source = inputs.origins[f"supernode.{name}"].source
        put(name, _first(stated, name) * ratio, f"{why}; as sold: {source}", ratio)
    if count != each and before is not None and after is not None:
        built, were = after.parts, before.parts
        sold_units = _sold(part, "rack_units")
        own = sold_units * float(built.rack_units[0] / were.rack_units[0])
        units = float(built.rack_units[0]) if were.racks[0] else own
        put("rack_units", units, "heights of trays, switches and power shelves")
        put("racks", float(built.racks[0]), rack_words(built))
    elif count != each:
        put("rack_units", _sold(part, "rack_units") * count / each, rule)
        racks = _first(stated, "racks")
        if racks >= 1:
            filled = count / each * racks
            put("racks", filled if filled < 1 else math.ceil(filled - 1e-9), f"{rule}, in proportion")
    return changed


def _ratio(before: Built | None, after: Built | None, name: str) -> float:
    if before is None or after is None:
        return math.nan
    place = TYPICAL if name == "price_usd" else 0
    return float(getattr(after.parts, name)[place] / getattr(before.parts, name)[place])


def _price_level(inputs: Inputs, part: Part, sold: Built | None) -> Array:
    """Price of the system as it is sold over the sum of its parts; 1 where either is unknown."""
    price = inputs.catalog.price(part.key)
    level = math.nan if price is None or sold is None else price.value / float(sold.parts.price_usd[TYPICAL])
    known = not math.isnan(level)
    return inputs.derived(
        "supernode.scale_up.price_level",
        level if known else 1.0,
        "price of the SuperNode as it is sold over the sum of its parts",
        f"{part.name}: catalog price over its build-up" if known else "usual prices of its parts",
    )


def links_of(
    inputs: Inputs, override: SuperNodeOverride, stated: SuperNode, plan: ScaleUpPlan, shape: Shape
) -> dict[str, object]:
    """Bandwidth and latency inside the domain of another size than the system is sold with, or of a custom
    SuperNode."""
    found: dict[str, object] = {}
    chip = stated.accelerator
    given = override.accelerator
    rate = float(shape.accelerator_bandwidth_bytes_per_s[0])
    why = "what its links in a domain of this size come to"
    if plan.structure == "switch_planes" and len(shape.reaches) > 1:
        of_all = all_to_all_bandwidth_bytes_per_s(
            accelerator_bandwidth_bytes_per_s=shape.accelerator_bandwidth_bytes_per_s,
            bisection_bandwidth_bytes_per_s=shape.bisection_bandwidth_bytes_per_s,
            accelerators=stated.scale_up_domain_accelerators,
            oversubscription=shape.oversubscription,
            share_beyond=shape.reaches[-1].accelerators / (stated.scale_up_domain_accelerators - 1),
        )
        rate, why = min(rate, float(of_all[0])), "its links, or its share of the links between two tiers"
    own = float(chip.scale_up_bandwidth_bytes_per_s[0])
    if rate < own * (1 - 1e-9) and not (given and given.scale_up_bandwidth_bytes_per_s):
        path = "supernode.accelerator.scale_up_bandwidth_bytes_per_s"
        slower = inputs.derived(path, rate, f"{chip.name}, scale-up bandwidth", why)
        found["accelerator"] = replace(chip, scale_up_bandwidth_bytes_per_s=slower)
    switches = float(shape.steps[0])
    joined = plan.structure == "switch_planes" and switches > 1
    if joined and override.scale_up_latency_s is None and not plan.measured:
        path = "supernode.scale_up_latency_s"
        hop = float(stated.scale_up_latency_s[0])
        source = f"{switches:g} switches in place of one, {hop * 1e6:g} us each"
        found["scale_up_latency_s"] = inputs.derived(
            path, hop * switches, "latency of the scale-up domain", source
        )
    return found


def _sold(part: Part, name: str) -> float:
    return part.facts[name].value if name in part.facts else math.nan


def _first(supernode: SuperNode, name: str) -> float:
    value = getattr(supernode, name)
    return math.nan if value is None else float(value[0])
