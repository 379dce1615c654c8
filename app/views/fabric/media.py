"""What the links of a scenario may be made of: the modules and cables of the catalog that fit its ports."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import numpy as np

from app.catalog.values import Part, Price
from app.catalog.view import CatalogView
from app.engine.fabric.media.medium import FREE, Family, MediaRules, Medium, Piece, PriceRange
from app.engine.fabric.tier_parts import TIERS, has_own_tiers, module_below, module_of, switch_of
from app.engine.specs import Switch, Transceiver
from app.engine.trace import Array
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve.fabric import TRUNK
from app.scenarios.resolve.network_parts import GBIT_S
from app.views.fabric.graphs import ask_of

TYPES: dict[str, Family] = {
    "DAC": "copper",
    "DAC splitter": "copper",
    "ACC": "active_copper",
    "AEC": "active_copper",
    "AEC splitter": "active_copper",
    "AOC": "aoc",
    "LPO": "lpo",
    "CPO": "cpo",
}
"""Types of the catalog; a transceiver is of the fibre that it is made for."""
CAPTIVE: tuple[Family, ...] = ("copper", "active_copper", "aoc")
CO_PACKAGED = "CPO"
SPLITTER_SHARE = 0.5
"""Of an engine of a twin-port module at least: its splitters have two ends (NVIDIA, InfiniBand NDR cabling guide)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEnds:
    """Switch, modules and fibre of a network: its switch, and the modules and fibre of a link."""

    switch: Switch
    switch_links: int  # of one module in a switch
    node_links: int  # of one module in a node
    link_bytes_per_s: float
    switch_transceiver: Transceiver
    node_transceiver: Transceiver
    trunk_price_usd: Array
    # whose links these are, where tiers differ; above the leaves the lower end is in a switch
    tier: str = ""


def compute_ends(evaluated: EvaluatedScenario) -> PlannedEnds | None:
    """Ends of the links of the compute fabric; None where no switch is named."""
    design = evaluated.resolved.design
    plan = design.pod.fabric
    if plan.switch is None:
        return None
    with np.errstate(all="ignore"):  # what is not known is a link a module
        plugs = ask_of(design).plugs
    return PlannedEnds(
        switch_links=whole(plugs.switch_module_links),
        node_links=whole(plugs.node_module_links),
        link_bytes_per_s=first(plugs.link_bandwidth_bytes_per_s),
        switch=plan.switch,
        switch_transceiver=plan.switch_transceiver,
        node_transceiver=plan.node_transceiver,
        trunk_price_usd=plan.trunk_price_usd,
    )


def tier_ends(evaluated: EvaluatedScenario) -> tuple[PlannedEnds, ...]:
    """Ends of the links of the compute fabric: one for all tiers, or one per tier where switches, rates or
    modules differ."""
    ends = compute_ends(evaluated)
    plan = evaluated.resolved.design.pod.fabric
    if ends is None or not has_own_tiers(plan):
        return () if ends is None else (ends,)
    with np.errstate(all="ignore"):
        plugs = ask_of(evaluated.resolved.design).plugs
    below = {"spine": plugs.leaf_up, "core": plugs.spine}
    upper = [
        replace(
            ends,
            tier=tier,
            switch=switch_of(plan, tier) or ends.switch,
            switch_links=whole({"spine": plugs.spine, "core": plugs.core}[tier].module_links),
            node_links=whole(below[tier].module_links),
            link_bytes_per_s=first(plugs.uplink_bandwidth_bytes_per_s),
            switch_transceiver=module_of(plan, tier),
            node_transceiver=module_below(plan, tier),
        )
        for tier in TIERS[1:]
    ]
    return replace(ends, tier=TIERS[0]), *upper


def media_of(evaluated: EvaluatedScenario, catalog: CatalogView) -> tuple[Medium, ...]:
    """Every medium that plugs into the ports of the compute fabric, in the order of the catalog."""
    return tuple(
        medium for ends in tier_ends(evaluated) for medium in fitting_media(ends, evaluated, catalog)
    )


def fitting_media(
    ends: PlannedEnds, evaluated: EvaluatedScenario, catalog: CatalogView
) -> tuple[Medium, ...]:
    """Every medium that plugs into the ports of a network, in the order of the catalog.

    What fits has the lanes, the form factor and the number of links of the modules that the network is
    planned with. A switch with co-packaged optics takes fibres alone, and modules stand at the nodes.
    """
    shop = _Shop(ends, evaluated, catalog)
    switch = catalog.part("switches", ends.switch.key)
    if has_co_packaged_optics(switch):
        ports = [part for part in shop.parts if family_of(part) == "cpo" and shop.has_lanes(part)]
        own = [part for part in ports if part.vendor == switch.vendor]  # they are built into it by its maker
        return tuple(shop.co_packaged(part) for part in own or ports)
    return tuple(medium for part in shop.parts if (medium := shop.medium(part)) is not None)


def rules_of(evaluated: EvaluatedScenario, catalog: CatalogView) -> MediaRules:
    """How the scenario would have media of its compute fabric chosen.

    A switch with co-packaged optics leaves no choice where the scenario does not make one.
    """
    asked = evaluated.document.pod.fabric.media
    switch = evaluated.resolved.design.pod.fabric.switch
    no_cages = switch is not None and has_co_packaged_optics(catalog.part("switches", switch.key))
    open_family = "cpo" if no_cages else ""
    if isinstance(asked, dict):
        return MediaRules(families=asked, family=open_family)
    if asked in ("auto", "least_power"):
        return MediaRules(least="power" if asked == "least_power" else "price", family=open_family)
    return MediaRules(family=asked)


def family_of(part: Part) -> Family | None:
    """What kind of medium a row of the catalog is; None for a fibre or a backplane by itself."""
    kind = str(part.attributes.get("type", ""))
    if kind == "transceiver":
        return (
            "multimode" if "multimode" in str(part.attributes.get("fibre_or_medium", "")) else "single_mode"
        )
    return TYPES.get(kind)


def has_co_packaged_optics(switch: Part) -> bool:
    """Return whether the optics of a switch are inside it, so that nothing can be plugged in."""
    return CO_PACKAGED in f"{switch.attributes.get('asic', '')} {switch.name}"


class _Shop:
    """The parts of the catalog for one network."""

    def __init__(self, ends: PlannedEnds, evaluated: EvaluatedScenario, catalog: CatalogView) -> None:
        self.ends, self.catalog, self.context = ends, catalog, evaluated.resolved.context
        self.parts = [catalog.part("optics", key) for key in catalog.keys("optics")]
        self.planned = catalog.part("optics", ends.switch_transceiver.key)
        self.planned_at_node = catalog.part("optics", ends.node_transceiver.key)
        price = catalog.price(TRUNK)
        self.jumper = Piece(
            key=TRUNK,
            name=catalog.part("optics", TRUNK).name,
            price=with_typical(range_of(price), first(ends.trunk_price_usd)),
            power_w=0.0,
            note=note_of(price),
        )

    def has_lanes(self, part: Part) -> bool:
        lane = "lane_bandwidth_bytes_per_s"
        return fact_of(part, lane) == fact_of(self.planned, lane)

    def medium(self, part: Part) -> Medium | None:
        """The medium that a part makes; None where it does not fit."""
        family = family_of(part)
        if family is None or family == "cpo" or not self._plugs(part, self.planned):
            return None
        at_node = self._at_node(part)
        if at_node is None or (family in CAPTIVE and not self._joins_alike()):
            return None
        if family in CAPTIVE:
            switch_end = node_end = Piece(
                key=part.key, name=f"{part.name}, end", price=FREE, power_w=power_of(part)
            )
            price = self.catalog.price(part.key)
            cable = Piece(
                key=part.key,
                name=part.name,
                price=range_of(price),
                power_w=2 * power_of(part),
                note=note_of(price),
            )
        else:
            switch_end = self._module(part, self.ends.switch_transceiver)
            node_end = self._module(at_node, self.ends.node_transceiver)
            cable = self.jumper
        return Medium(
            key=part.key,
            name=part.name,
            family=family,
            links=self.ends.switch_links,
            node_links=self.ends.node_links,
            link_bandwidth_bytes_per_s=self.ends.link_bytes_per_s,
            reach_m=min(fact_of(part, "reach_m"), fact_of(at_node, "reach_m")),
            end_latency_s=fact_of(part, "latency_s"),
            switch_end=switch_end,
            node_end=node_end,
            cable=cable,
            captive=family in CAPTIVE,
            ends=far_ends(part),
            tier=self.ends.tier,
        )

    def co_packaged(self, part: Part) -> Medium:
        """Ends in the switch are part of it; the links of one module at the node are counted as one end."""
        links = self.ends.node_links
        return Medium(
            key=part.key,
            name=part.name,
            family="cpo",
            links=links,
            node_links=links,
            link_bandwidth_bytes_per_s=self.ends.link_bytes_per_s,
            reach_m=fact_of(part, "reach_m"),
            end_latency_s=fact_of(part, "latency_s"),
            switch_end=Piece(
                key=part.key,
                name=part.name,
                price=FREE,
                power_w=links
                * self.ends.link_bytes_per_s
                / fact_of(part, "module_bandwidth_bytes_per_s")
                * power_of(part),
                note="part of the switch",
            ),
            node_end=self._module(self.planned_at_node, self.ends.node_transceiver),
            cable=self.jumper,
            captive=False,
            tier=self.ends.tier,
        )

    def _joins_alike(self) -> bool:
        """Return whether a cable with fixed ends fits both ends: between switches of two tiers both cages
        must be alike."""
        return self.ends.tier in ("", TIERS[0]) or (
            _form(self.planned) == _form(self.planned_at_node)
            and self.ends.switch_links == self.ends.node_links
        )

    def _plugs(self, part: Part, planned: Part) -> bool:
        """The same cage: its form, its rate and the rate of its lanes; a link is an engine, or half of one."""
        rate, engine = "module_bandwidth_bytes_per_s", fact_of(part, "link_bandwidth_bytes_per_s")
        share = self.ends.link_bytes_per_s / engine
        return (
            self.has_lanes(part)
            and _form(part) == _form(planned)
            and fact_of(part, rate) == fact_of(planned, rate)
            and (part.key == planned.key or math.isnan(share) or SPLITTER_SHARE <= share <= 1)
        )

    def _at_node(self, part: Part) -> Part | None:
        """The same at the node, or where nodes have other cages the module of the same fibre that fits there."""
        if self.planned_at_node.key == self.planned.key or family_of(part) in CAPTIVE:
            return part
        fitting = [
            other
            for other in self.parts
            if family_of(other) == family_of(part) and self._plugs(other, self.planned_at_node)
        ]
        return max(fitting, key=lambda other: fact_of(other, "reach_m"), default=None)

    def _module(self, part: Part, planned: Transceiver) -> Piece:
        """A module at its own price; the planned one at the price and power that the evaluation takes."""
        price, power_w = self.catalog.price(part.key), power_of(part)
        worth, note = range_of(price), note_of(price)
        if price is None:
            row = self.catalog.assumption("scenario", "module_price_usd_per_gbit_s", self.context)
            gbit_s = fact_of(part, "module_bandwidth_bytes_per_s") / GBIT_S
            low, high = (None if bound is None else gbit_s * bound for bound in (row.low, row.high))
            worth, note = price_range(low, gbit_s * row.value, high), f"by its rate: {row.source}"
        if part.key == planned.key:
            worth, power_w = with_typical(worth, first(planned.price_usd)), first(planned.power_w)
        return Piece(key=part.key, name=part.name, price=worth, power_w=power_w, note=note)


def far_ends(part: Part) -> int:
    """Ends of a cable at its far side, as its form factor says: "OSFP to 2 x OSFP" has two."""
    found = re.search(r" to (\d+) x ", str(part.attributes.get("form_factor", "")))
    return int(found[1]) if found else 1


def whole(value: Array) -> int:
    """A count that decides structure; 1 where it is not known."""
    number = first(value)
    return max(round(number), 1) if math.isfinite(number) else 1


def _form(part: Part) -> str:
    """The cage: the first word of a form factor, so "OSFP" of "OSFP twin-port"."""
    words = str(part.attributes.get("form_factor", "")).split()
    return words[0] if words else ""


def price_range(low: float | None, typical: float, high: float | None) -> PriceRange:
    """A price that may have been published without a range: then it is a point.

    >>> price_range(None, 80.0, 100.0)
    PriceRange(low=80.0, typical=80.0, high=100.0)
    """
    return PriceRange(
        low=typical if low is None else low, typical=typical, high=typical if high is None else high
    )


def range_of(price: Price | None) -> PriceRange:
    """Price range; unknown where there is none."""
    return price_range(price.low, price.value, price.high) if price else PriceRange()


def with_typical(worth: PriceRange, typical: float) -> PriceRange:
    """The range about another typical price."""
    return PriceRange(low=worth.low, typical=typical, high=worth.high)


def note_of(price: Price | None) -> str:
    """Source of a price."""
    return f"{price.source}, {price.as_of}".rstrip(", ") if price else "no published price"


def first(value: Array) -> float:
    """The first sample."""
    return float(np.ravel(value)[0])


def fact_of(part: Part, name: str) -> float:
    """A figure of a part, NaN where it is not published."""
    fact = part.facts.get(name)
    return math.nan if fact is None else float(fact.value)


def power_of(part: Part) -> float:
    """Typical where it is published, else the most, as the evaluation takes it."""
    typical = fact_of(part, "typical_power_w")
    return fact_of(part, "max_power_w") if math.isnan(typical) else typical
