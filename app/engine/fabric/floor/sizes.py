"""What the things of a design take of a rack, from its specs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, SuperNodeSize
from app.engine.fabric.floor.limits import own_racks, packed_servers, servers_asked
from app.engine.fabric.graph.graph import HOST, FabricGraph
from app.engine.fabric.tier_parts import TIERS, module_of, switch_of
from app.engine.specs import Design, FloorRules, SuperNode, Switch, Transceiver
from app.engine.trace import first_of

SERVERS = ("management", "storage_server", "service_server", "server")
STRIPS = ("power_strip",)
ENTRIES = ("border", "gateway")  # where cables leave for the rest of the site: a panel


def supernode_size(
    supernode: SuperNode,
    count: int,
    rules: FloorRules,
    *,
    rating_w: float | None = None,
    liquid_share: float | None = None,
) -> SuperNodeSize:
    """A SuperNode; servers without a published height take the assumed one.

    Parameters
    ----------
    rating_w, liquid_share : as it is installed; those of the data sheet when left out
    """
    nodes = round(first_of(supernode.nodes))
    racks, units = int(first_of(own_racks(racks=supernode.racks))), first_of(supernode.rack_units)
    if not racks and np.isnan(units):
        units = nodes * first_of(rules.node_units)
    return SuperNodeSize(
        name=supernode.name,
        count=count,
        nodes=nodes,
        own_racks=racks,
        units=units,
        power_w=first_of(supernode.max_power_w),
        weight_kg=first_of(supernode.weight_kg),
        liquid_share=first_of(supernode.liquid_share),
        servers_per_rack=None if racks else int(first_of(packed_servers(supernode, rules))),
        servers_asked=None if np.isnan(asked := first_of(servers_asked(supernode, rules))) else int(asked),
        rating_w=rating_w,
        installed_liquid_share=liquid_share,
    )


def with_spares(size: SuperNodeSize, hosts: int) -> tuple[SuperNodeSize, ...]:
    """The size with spare hosts: whole SuperNodes of its own size, and the rest as parts of one.

    The rest of a SuperNode that comes in racks fills racks like its own, the last one perhaps in part.
    """
    whole, left = divmod(max(hosts, 0), size.nodes)
    per_rack = max(size.nodes // size.own_racks, 1) if size.own_racks else 1
    full, rest = divmod(left, per_rack)
    parts = [_part(size, nodes, count) for nodes, count in ((per_rack, full), (rest, 1)) if nodes and count]
    return replace(size, spares=whole), *parts


def _part(size: SuperNodeSize, nodes: int, count: int) -> SuperNodeSize:
    """So many spare parts of a SuperNode, each with some of its hosts in one of its racks."""
    share = nodes / size.nodes
    return replace(
        size,
        name=f"{size.name}, spare hosts",
        count=0,
        spares=count,
        nodes=nodes,
        own_racks=min(size.own_racks, 1),
        units=size.units / size.own_racks if size.own_racks else size.units * share,
        power_w=size.power_w * share,
        weight_kg=size.weight_kg * share,
        rating_w=None if size.rating_w is None else size.rating_w * share,
    )


def device_sizes(
    design: Design, graphs: Mapping[str, FabricGraph], rules: FloorRules
) -> dict[str, dict[str, DeviceSize]]:
    """Every kind of device of every network, but hosts. What is nothing else is a switch of its network."""
    switches = _switches(design)
    beside = _beside_switches(rules)
    return {
        network: {
            kind: beside.get(kind)
            or switch_size(*switches.get(kind if network == "compute" else "", switches[network]), rules)
            for kind in graph.kinds
            if kind != HOST and graph.of_kind(kind).size
        }
        for network, graph in graphs.items()
    }


def one_and_the_same(graphs: Mapping[str, FabricGraph]) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Devices that stand in other networks under other names: by network and kind, where to find them.

    What the out-of-band network manages are switches and servers of the others, and its uplinks end in
    leaves of the in-band network.
    """
    if "out_of_band" not in graphs:
        return {}
    others = {name: graph for name, graph in graphs.items() if name != "out_of_band"}
    switches = [
        (name, kind)
        for name, graph in others.items()
        for kind in graph.kinds
        if kind not in (HOST, *SERVERS, *STRIPS, *ENTRIES)
    ]
    servers = [(name, kind) for kind in SERVERS for name, graph in others.items() if kind in graph.kinds]
    found = {
        "managed_switch": switches,
        "server": [place for place in servers if place[0] != "compute"],
        "gateway": [("in_band", "leaf")] if "in_band" in graphs else [],
    }
    return {"out_of_band": {kind: places for kind, places in found.items() if places}}


def _beside_switches(rules: FloorRules) -> dict[str, DeviceSize]:
    """Sizes of the kinds of device that are no switches."""
    server = DeviceSize(
        name="Server",
        units=round(first_of(rules.server_units)),
        power_w=first_of(rules.server_power_w),
        weight_kg=np.nan,
        liquid_share=0.0,
        rack="service",
    )
    strip = DeviceSize(
        name="Power strip", units=0, power_w=0.0, weight_kg=0.0, liquid_share=0.0, rack="every"
    )
    entry = DeviceSize(
        name="Entry of the site", units=1, power_w=0.0, weight_kg=0.0, liquid_share=0.0, rack="network"
    )
    kinds = ((SERVERS, server), (STRIPS, strip), (ENTRIES, entry))
    return {kind: size for names, size in kinds for kind in names}


def switch_size(switch: Switch, module: Transceiver | None, rules: FloorRules) -> DeviceSize:
    """A switch with a module in every port: its published maximum, else its typical power and theirs.

    A liquid-cooled switch gives all its heat to liquid.
    """
    power_w, units = first_of(switch.max_power_w), first_of(switch.rack_units)
    if np.isnan(power_w):
        modules = np.ceil(first_of(switch.ports) / first_of(module.ports)) if module else 0.0
        power_w = first_of(switch.typical_power_w) + modules * (first_of(module.power_w) if module else 0.0)
    return DeviceSize(
        name=switch.name,
        units=round(first_of(rules.switch_units) if np.isnan(units) else units),
        power_w=power_w,
        weight_kg=np.nan,
        liquid_share=float(switch.cooling == "liquid"),
        rack="network",
    )


def _switches(design: Design) -> dict[str, tuple[Switch, Transceiver | None]]:
    """The switch of each network that is built, and the module of its ports; copper ports have none.

    Those of the tiers of the compute fabric are by their tier.
    """
    fabric, networks = design.pod.fabric, design.pod.networks
    found: dict[str, tuple[Switch, Transceiver | None]] = {}
    if fabric.switch:
        found["compute"] = (fabric.switch, fabric.switch_transceiver)
        for tier in TIERS:
            found[tier] = (switch_of(fabric, tier) or fabric.switch, module_of(fabric, tier))
    for name, plan in (("storage", networks.storage), ("in_band", networks.in_band)):
        if plan:
            found[name] = (plan.switch, plan.switch_transceiver)
    if networks.out_of_band:
        found["out_of_band"] = (networks.out_of_band.switch, None)
    return found
