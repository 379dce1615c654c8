"""A catalog system at another size than it is sold: its parts by the accelerator, its scale-up network counted anew.

Everything but the scale-up network goes with the accelerators: trays and hosts, NICs, memory, weight, power and price.
The network of the domain as sold is taken out of power and price, and that of the asked size put in. With N
accelerators for the N0 of one SuperNode as sold, and S() the power or price of the scale-up networks:

    value(N) = (value(N0) - S(N0)) N / N0 + S(N)
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import replace

import numpy as np

from app.catalog.values import Part
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.scale_up.network import Network, network_of
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.fabric.scale_up.shape import Shape
from app.engine.fabric.scale_up.totals import all_to_all_bandwidth_bytes_per_s
from app.engine.specs import ScaleUpPlan, SuperNode
from app.engine.trace import Array
from app.engine.units import words_of
from app.scenarios.document.supernode import SuperNodeOverride
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.rooms import room_assumptions

BY_ACCELERATOR = ("host_memory_bytes", "weight_kg", "rack_units", "scale_out_nics")
WITH_NETWORK = {"max_power_w": "power_w", "typical_power_w": "power_w", "price_usd": "price_usd"}
SWITCHES_OF_A_STEP = 3  # of a path over two tiers, for the one of a single tier


def domain_of_size(inputs: Inputs, part: Part, override: SuperNodeOverride) -> dict[str, Array]:
    """The domain where the scenario states accelerators alone: all of them, where it is all of them as sold."""
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
    """The SuperNode with what its size changes; itself where it is as sold."""
    count, domain = (float(one[0]) for one in (stated.accelerators, stated.scale_up_domain_accelerators))
    each, own = (_sold(part, name) for name in ("accelerators", "scale_up_domain_accelerators"))
    a = _assumed(inputs)
    before = _networks(sold, own, each / own, a)
    if before is not None and (level := _price_level(inputs, part, before, a)) < 1:
        source = f"at most {float(a.scale_up_price_share[0]):.0%} of the price as sold, where usual prices give more"
        path = "supernode.scale_up.price_level"
        at = inputs.derived(path, level, "price of the scale-up network over usual prices", source)
        before = _networks(replace(before.plan, price_level=at), own, each / own, a)
        if stated.scale_up is not None:
            stated = replace(stated, scale_up=replace(stated.scale_up, price_level=at))
    if (count, domain) == (each, own) or math.isnan(each):
        return stated
    free = {name for name in SuperNodeOverride.model_fields if getattr(override, name) is None}
    ratio, rule = count / each, f"{count:,.0f} accelerators in place of {each:,.0f}"
    changed: dict[str, Array] = {}

    def put(
        name: str, value: float, source: str, *, low: float | None = None, high: float | None = None
    ) -> None:
        if name in free and not math.isnan(value):
            path = f"supernode.{name}"
            origin = replace(
                inputs.origins[path], kind="derived", source=source, printed="", low=low, high=high
            )
            changed[name] = inputs.taken(path, value, origin)

    if ratio != 1:
        nodes = _sold(part, "nodes")
        put("nodes", math.ceil(count * nodes / each - 1e-9), f"{each / nodes:g} accelerators a tray or host")
        for name in BY_ACCELERATOR:
            put(name, _sold(part, name) * ratio, rule)
    after = _networks(stated.scale_up, domain, count / domain, a)
    if before is None or (after is None and domain > 1):
        before = after = None  # in proportion: how it is joined is not known
    for name, of_network in WITH_NETWORK.items():
        origin = inputs.origins[f"supernode.{name}"]
        parts = 0.0 if before is None else float(getattr(before.network, of_network)[0]) * before.count
        added = 0.0 if after is None else float(getattr(after.network, of_network)[0]) * after.count

        def sized(value: float | None, parts: float = parts, added: float = added) -> float | None:
            return None if value is None else max(value - parts, 0.0) * ratio + added

        value = sized(_first(stated, name))
        network = "" if before is None else f", and its scale-up network {parts:,.0f} -> {added:,.0f}"
        if ratio != 1 or parts != added:
            put(name, value or 0.0, f"{rule}{network}; as sold: {origin.source}",
                low=sized(origin.low), high=sized(origin.high))  # fmt: skip
    racks, nodes = _first(stated, "racks"), _sold(part, "nodes")
    if ratio != 1 and racks >= 1:
        filled = math.ceil(count * nodes / each - 1e-9) * racks / nodes
        upper = 0.0 if after is None else _upper_switches(after.shape) * after.count
        own = math.ceil(upper / float(a.scale_up_rack_switches[0]) - 1e-9)
        whole = filled if filled < 1 and not own else math.ceil(filled - 1e-9) + own
        if whole < 1 and "rack_units" in part.facts:  # trays that share a rack have whole units each
            units = _sold(part, "rack_units") * racks // nodes
            put("rack_units", math.ceil(count * nodes / each - 1e-9) * units, f"{units:g} rack units a tray")
        put("racks", whole, f"{nodes / racks:g} trays a rack; {own} racks of switches of the upper tier")
    after_links = {} if after is None else links_of(inputs, override, stated, after.plan, after.shape)
    return replace(stated, **changed, **after_links)  # type: ignore[arg-type]


@dataclasses.dataclass(frozen=True)
class _Networks:
    """The scale-up networks of one SuperNode: `count` domains, each with a shape and its network."""

    plan: ScaleUpPlan
    shape: Shape
    network: Network
    count: float


def _networks(
    plan: ScaleUpPlan | None, domain: float, count: float, assumptions: FabricAssumptions
) -> _Networks | None:
    if plan is None:
        return None
    shape = STRUCTURES[plan.structure](plan, np.full(1, domain))
    network = network_of(plan, shape, assumptions)
    known = np.isfinite(network.power_w) & np.isfinite(network.price_usd)
    return _Networks(plan, shape, network, count) if known.all() else None


def _price_level(inputs: Inputs, part: Part, sold: _Networks, assumptions: FabricAssumptions) -> float:
    """Price of the scale-up network as sold over usual prices: 1, or what its share of the whole allows."""
    whole = inputs.catalog.price(part.key)
    estimate = float(sold.network.price_usd[0]) * sold.count
    if whole is None or estimate <= 0:
        return 1.0
    return min(1.0, float(assumptions.scale_up_price_share[0]) * whole.value / estimate)


def links_of(
    inputs: Inputs, override: SuperNodeOverride, stated: SuperNode, plan: ScaleUpPlan, shape: Shape
) -> dict[str, object]:
    """Bandwidth and latency inside the domain of another size than the system is sold with, or of one's own."""
    found: dict[str, object] = {}
    chip = stated.accelerator
    given = override.accelerator
    rate = float(shape.accelerator_bandwidth_bytes_per_s[0])
    why = "what its links in a domain of this size come to"
    if plan.structure == "switch_planes" and plan.taper is not None:
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
    if plan.taper is not None and override.scale_up_latency_s is None and not plan.measured:
        path = "supernode.scale_up_latency_s"
        hop = float(stated.scale_up_latency_s[0])
        source = f"{SWITCHES_OF_A_STEP} switches in place of one, {hop * 1e6:g} us each"
        found["scale_up_latency_s"] = inputs.derived(
            path, hop * SWITCHES_OF_A_STEP, "latency of the scale-up domain", source
        )
    return found


def _upper_switches(shape: Shape) -> float:
    return float(sum(layer.switches[0] for layer in shape.layers if layer.name == "upper"))


def _assumed(inputs: Inputs) -> FabricAssumptions:
    """The assumptions of the fabric room before those of all rooms are looked up."""
    found: FabricAssumptions = room_assumptions(replace(inputs, values={}, origins={}), ("fabric",))["fabric"]
    return found


def _sold(part: Part, name: str) -> float:
    return part.facts[name].value if name in part.facts else math.nan


def _first(supernode: SuperNode, name: str) -> float:
    value = getattr(supernode, name)
    return math.nan if value is None else float(value[0])
