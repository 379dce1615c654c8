"""Parts of the networks of a scenario: pieces of the catalog at the prices that the evaluation takes."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from app.catalog.view import CatalogView
from app.engine.fabric.graph.graph import HOST, FabricGraph
from app.engine.fabric.materials.parts import Adapters, NetworkParts, SwitchParts
from app.engine.fabric.media.medium import FREE, MediaRules, Medium, Piece, PriceRange
from app.engine.fabric.networks.sizes import network_port_split
from app.engine.fabric.ports import switch_module_links
from app.engine.fabric.prices import PRICED
from app.engine.fabric.tier_parts import switch_of
from app.engine.specs import FabricPlan, LeafNetwork, ManagementNetwork, Switch
from app.engine.trace import Array, Origin
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.media import (
    PlannedEnds,
    compute_ends,
    fact_of,
    first,
    fitting_media,
    media_of,
    price_range,
    rules_of,
    whole,
)

TITLES = {
    "compute": "Compute",
    "storage": "Storage",
    "in_band": "In-band",
    "out_of_band": "Out-of-band",
}
NODES = (
    HOST, "management", "storage_server", "service_server", "border",
    "server", "managed_switch", "power_strip", "gateway",
)  # fmt: skip
"""Kinds of device that are no switch of their network."""
MANAGEMENT_CABLE_REACH_M = 100.0
"""Of twisted pair at 1 Gbit/s: IEEE 802.3ab (1000BASE-T), clause 40."""


def network_parts(
    evaluated: EvaluatedScenario, catalog: CatalogView, graphs: Mapping[str, FabricGraph]
) -> dict[str, NetworkParts]:
    """The parts of every network that has a graph."""
    networks = evaluated.resolved.design.pod.networks
    found = {}
    for name, graph in graphs.items():
        shop = _Pieces(name, evaluated, catalog, graph)
        if name == "compute":
            found[name] = shop.compute()
        elif name == "out_of_band":
            assert networks.out_of_band is not None  # it has a graph
            found[name] = shop.out_of_band(networks.out_of_band)
        else:
            plan = networks.storage if name == "storage" else networks.in_band
            assert plan is not None
            found[name] = shop.of_leaves(plan)
    return found


def leaf_module_links(plan: LeafNetwork) -> int:
    """Links of one module in a switch of a network beside the compute fabric; 1 where it is not known."""
    with np.errstate(all="ignore"):
        split = network_port_split(plan)
        return whole(switch_module_links(ports_per_module=plan.switch_transceiver.ports, port_split=split))


class _Pieces:
    """The pieces of one network; paths are those of the design, where prices have their origins."""

    def __init__(
        self, name: str, evaluated: EvaluatedScenario, catalog: CatalogView, graph: FabricGraph
    ) -> None:
        self.name, self.evaluated, self.catalog = name, evaluated, catalog
        self.path = "pod.fabric" if name == "compute" else f"pod.networks.{name}"
        self.hosts = graph.of_kind(HOST).size
        self.switch_kinds = [kind for kind in graph.kinds if kind not in NODES]
        supernode = evaluated.resolved.design.supernode
        self.delivered = supernode.price_includes_nics
        self.nics_of_host = first(supernode.scale_out_nics) / first(supernode.nodes)

    def compute(self) -> NetworkParts:
        ends = compute_ends(self.evaluated)
        assert ends is not None  # a fabric without a switch has no graph
        plan = self.evaluated.resolved.design.pod.fabric
        return NetworkParts(
            title=TITLES[self.name],
            switches={kind: self._tier_switch(plan, kind) for kind in self.switch_kinds},
            media=media_of(self.evaluated, self.catalog),
            rules=rules_of(self.evaluated, self.catalog),
            adapters=(self._nics(plan.nic_price_usd, self.hosts * self.nics_of_host),),
            trunk=self._trunk(ends.trunk_price_usd),
        )

    def of_leaves(self, plan: LeafNetwork) -> NetworkParts:
        ends = PlannedEnds(
            switch=plan.switch,
            switch_links=leaf_module_links(plan),
            node_links=whole(plan.host_transceiver.ports),
            link_bytes_per_s=min(
                first(plan.port_bandwidth_bytes_per_s), first(plan.switch.port_bandwidth_bytes_per_s)
            ),
            switch_transceiver=plan.switch_transceiver,
            node_transceiver=plan.host_transceiver,
            trunk_price_usd=plan.trunk_price_usd,
        )
        cards = self.hosts * math.ceil(first(plan.host_ports) / first(plan.nic_ports))
        return NetworkParts(
            title=TITLES[self.name],
            switches=dict.fromkeys(self.switch_kinds, self._switch(plan.switch)),
            media=fitting_media(ends, self.evaluated, self.catalog),
            adapters=(self._nics(plan.nic_price_usd, cards),),
            trunk=self._trunk(plan.trunk_price_usd),
        )

    def out_of_band(self, plan: ManagementNetwork) -> NetworkParts:
        """Copper between management ports, modules and fibres in the uplinks; the other ends are bought here too."""
        ends = PlannedEnds(
            switch=plan.switch,
            switch_links=1,
            node_links=1,
            link_bytes_per_s=math.nan,
            switch_transceiver=plan.uplink_transceiver,
            node_transceiver=plan.uplink_transceiver,
            trunk_price_usd=plan.trunk_price_usd,
        )
        uplinks = fitting_media(ends, self.evaluated, self.catalog)
        return NetworkParts(
            title=TITLES[self.name],
            switches=dict.fromkeys(self.switch_kinds, self._switch(plan.switch)),
            plugged=("gateway",),
            media=(self._twisted_pair(plan), *uplinks),
            rules=MediaRules(families={"access": "copper", "uplink": "multimode"}),
            trunk=self._trunk(plan.trunk_price_usd),
        )

    def _tier_switch(self, plan: FabricPlan, kind: str) -> SwitchParts:
        """The switch of a tier, at the price stated where it is named: at the tier itself or at one below."""
        switch = switch_of(plan, kind)
        assert switch is not None  # a fabric without a switch has no graph
        named = {
            id(plan.switch): "switch",
            id(plan.spine_switch): "spine_switch",
            id(plan.core_switch): "core_switch",
        }
        return self._switch(switch, named[id(switch)])

    def _switch(self, switch: Switch, place: str = "switch") -> SwitchParts:
        part = self.catalog.part("switches", switch.key)
        units = switch.rack_units
        piece = Piece(
            key=switch.key,
            name=switch.name,
            price=self._price(f"{place}.price_usd", switch.price_usd),
            power_w=first(switch.typical_power_w),
            rack_units=math.nan if units is None else first(units),
            note=self._source(f"{place}.price_usd"),
        )
        ports = fact_of(part, "line_card_ports")
        if math.isnan(ports):
            return SwitchParts(switch=piece)
        card = Piece(
            key="", name=f"{ports:.0f}-port line card of {switch.name}", price=FREE, power_w=0.0,
            note="in price and power of the chassis",
        )  # fmt: skip
        return SwitchParts(switch=piece, line_card=card, line_cards=math.ceil(first(switch.ports) / ports))

    def _nics(self, price_usd: Array, count: float) -> Adapters:
        path = "nic_price_usd"
        name = self._label(path)
        role = "dpu" if ("BlueField" in name and "DPU" in name) or "B32" in name else "nic"
        price = FREE if self.delivered else self._price(path, price_usd)
        note = "in the price of the SuperNode" if self.delivered else self._source(path)
        return Adapters(
            role=role,
            item=f"{TITLES[self.name]} {'DPUs' if role == 'dpu' else 'NICs'}",
            piece=Piece(key="", name=name, price=price, power_w=0.0, note=note),
            count=count,
            delivered=self.delivered,
        )

    def _trunk(self, price_usd: Array) -> Piece:
        path = "trunk_price_usd"
        return Piece(
            key="mpo_trunk", name=self._label(path), price=self._price(path, price_usd), power_w=0.0,
            note=self._source(path),
        )  # fmt: skip

    def _twisted_pair(self, plan: ManagementNetwork) -> Medium:
        end = Piece(key="", name="RJ45", price=FREE, power_w=0.0)
        path = "cable_price_usd"
        cable = Piece(
            key="", name="Twisted pair", price=self._price(path, plan.cable_price_usd), power_w=0.0,
            note=self._source(path),
        )  # fmt: skip
        return Medium(
            key="twisted_pair", name="Twisted pair", family="copper", links=1, node_links=1,
            link_bandwidth_bytes_per_s=first(plan.switch.port_bandwidth_bytes_per_s),
            reach_m=MANAGEMENT_CABLE_REACH_M, end_latency_s=math.nan,
            switch_end=end, node_end=end, cable=cable, captive=True,
        )  # fmt: skip

    def _price(self, path: str, used: Array) -> PriceRange:
        """The price that the evaluation takes, with the range that was published alongside it."""
        origin = self.evaluated.resolved.origins[f"{self.path}.{path}"]
        typical = first(used)
        return PriceRange() if np.isnan(typical) else price_range(origin.low, typical, origin.high)

    def _source(self, path: str) -> str:
        origin = self.evaluated.resolved.origins[f"{self.path}.{path}"]
        return f"{origin.source}, {origin.date}".strip(", ") or "no published price"

    def _label(self, path: str) -> str:
        """The name of the part that a price is of."""
        return self.evaluated.resolved.origins[f"{self.path}.{path}"].priced_part


def price_spans(
    origins: Mapping[str, Origin], values: Mapping[str, Array]
) -> dict[str, tuple[float, float, float]]:
    """By place in the fabric plan. A price of which one figure is published stands for its low and high as well;
    one of which none is published stays unknown."""
    spans = {}
    for path in PRICED:
        place = f"pod.fabric.{path}"
        if place in values:
            typical, origin = first(values[place]), origins[place]
            known = PriceRange() if np.isnan(typical) else price_range(origin.low, typical, origin.high)
            spans[path] = (known.low, known.typical, known.high)
    return spans


def single_prices(origins: Mapping[str, Origin], values: Mapping[str, Array]) -> tuple[str, ...]:
    """Labels of prices that are known without a range."""
    places = [f"pod.fabric.{path}" for path in PRICED]
    labels = [
        origins[place].label
        for place in places
        if place in values and not np.isnan(values[place]).all() and origins[place].low is None
    ]
    return tuple(dict.fromkeys(labels))
