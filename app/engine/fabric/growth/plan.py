"""A pod that grows: what is bought at each stage, what lies idle until later, which cables are laid again."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.figures import BillLine, Tier
from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Mask, Whole, is_switch, ports_in_order
from app.engine.fabric.prices import ENDS, priced_plan
from app.engine.fabric.section import tiers_and_bill
from app.engine.fabric.tier_parts import has_own_tiers
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.fabric.topologies.shape import Ask, Shape
from app.engine.quantities import quantity
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array, first_of, plain

Layout = Literal["each_stage", "final_size"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthLine:
    """One role of the bill over the stages."""

    item: str
    needed: Array  # (stages,), as all below: pieces in use, with spares
    bought: Array
    owned: Array
    idle: Array  # owned and not needed any more
    price_usd: Array  # (stages, 3): low, typical, high of what is bought


Numbers = NDArray[np.int64]


def moved_links(before: FabricGraph, after: FabricGraph) -> dict[str, int]:
    """Links by tier that join other devices afterwards, or none.

    A device stays itself by its kind, plane, rail and place among those. Which of its ports a link ends in does
    not count.
    """
    known, known_after = _names([before, after])
    devices = np.unique(np.concatenate([known, known_after]))
    pairs = _pairs(before, np.searchsorted(devices, known), devices.size)
    pairs_after = _pairs(after, np.searchsorted(devices, known_after), devices.size)
    nothing = np.empty(0, np.int64), np.empty(0, np.int64)
    moved = {}
    for tier, (pair, links) in pairs.items():
        pair_after, links_after = pairs_after.get(tier, nothing)
        _, here, there = np.intersect1d(pair, pair_after, assume_unique=True, return_indices=True)
        moved[tier] = int(links.sum() - np.minimum(links[here], links_after[there]).sum())
    return moved


def _names(graphs: Sequence[FabricGraph]) -> list[Numbers]:
    """A number for every device of each graph, the same for those that stay themselves."""
    kinds = sorted({kind for graph in graphs for kind in graph.kinds})
    planes = _values([graph.devices.plane for graph in graphs])
    rails = _values([graph.devices.rail for graph in graphs])
    most = max(graph.device_count for graph in graphs)
    names = []
    for graph in graphs:
        devices = graph.devices
        kind = np.array([kinds.index(name) for name in graph.kinds], np.int64)[devices.kind]
        place = (kind * planes + devices.plane + 1) * rails + devices.rail + 1
        names.append(place * most + ports_in_order(place))
    return names


def _values(columns: Sequence[Whole]) -> int:
    """Number of values, from -1 to the largest."""
    return 2 + max(int(column.max(initial=NONE)) for column in columns)


def _pairs(graph: FabricGraph, device: Numbers, devices: int) -> dict[str, tuple[Numbers, Numbers]]:
    """By tier the pairs of devices that links join, and how many links join each."""
    found = {}
    for tier in graph.tiers:
        links = graph.of_tier(tier)
        ends = device[graph.links.lower[links]], device[graph.links.upper[links]]
        pairs = np.minimum(*ends).astype(np.int64) * devices + np.maximum(*ends)
        pair, counts = np.unique(pairs, return_counts=True)
        found[tier] = pair, counts.astype(np.int64)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthTier:
    """One tier over the stages."""

    name: str
    switches: Array  # (stages,), as all below
    links: Array
    moved_links: Array  # of the stage before, laid again at this one


def present(graph: FabricGraph, hosts: int) -> tuple[Mask, Mask]:
    """Devices and links of the final fabric that the first `hosts` hosts need.

    A switch with a host is there, and with it those of its kind in its unit: units of leaves and groups of
    routers are bought whole. So is a switch above one that is there, as far as it is of another kind. A link
    is there once both its ends are.
    """
    devices, links = graph.devices, graph.links
    there = np.zeros(graph.device_count, bool)
    there[graph.of_kind(HOST)[:hosts]] = True
    at_hosts = links.upper[(links.tier == 0) & there[links.lower]]
    there[at_hosts] = True
    there |= _in_units(graph, at_hosts)
    for tier in range(1, len(graph.tiers)):
        of_tier = (links.tier == tier) & (devices.kind[links.lower] != devices.kind[links.upper])
        there[links.upper[of_tier & there[links.lower]]] = True
    managers = graph.of_kind("management")
    served = np.isin(managers, links.lower[there[links.upper] & (links.tier == 0)])
    there[managers[served]] = True
    return there, there[links.lower] & there[links.upper]


def _in_units(graph: FabricGraph, switches: Whole) -> Mask:
    """Devices of the kinds and units of some switches."""
    devices = graph.devices
    units = int(devices.group.max(initial=0)) + 2
    unit = devices.kind.astype(np.int64) * units + devices.group
    grouped = switches[devices.group[switches] >= 0]
    return np.asarray((devices.group >= 0) & np.isin(unit, np.unique(unit[grouped])))


def free_ports(graph: FabricGraph, there: Mask, laid: Mask, switch_radix: int) -> int:
    """Ports of the switches that are there without a link that is."""
    switch = is_switch(graph)
    ends = np.concatenate([graph.links.lower[laid], graph.links.upper[laid]])
    return int(np.sum(there & switch)) * switch_radix - int(np.sum(switch[ends]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """A way to grow: laid out for each stage as small as does, or for the final size from the start."""

    layout: Layout
    supernodes: Array  # (stages,)
    tiers: tuple[GrowthTier, ...]
    lines: tuple[GrowthLine, ...]
    free_ports: Array  # (stages,): of the switches that are there; not a number without switches
    price_usd: Array  # (stages, 3): low, typical, high of what each stage buys


def growth(
    *,
    pod: Pod,
    supernode: SuperNode,
    assumptions: FabricAssumptions,
    stages: Sequence[int],
    layout: Layout,
    prices: Mapping[str, tuple[float, float, float]],
) -> Growth:
    """The compute fabric of a pod over stages, in SuperNodes and rising; the last one is its final size.

    Laid out for each stage, every stage is what its rule makes of its size, and links of the stage before that
    join other switches now are moved. Laid out for the final size, every stage has the part of the final fabric
    that its nodes need, nothing is moved, and ports wait for what comes later.
    """
    sizes = np.array(stages, float)
    pod = dataclasses.replace(pod, fabric=priced_plan(pod.fabric, prices))

    def ask_for(supernodes: Array) -> Ask:
        at = dataclasses.replace(pod, supernodes=supernodes)
        return asked_of(pod=at, supernode=supernode, assumptions=assumptions)

    over_stages = ask_for(sizes[:, None])
    if layout == "each_stage":
        laid = _each_stage(over_stages, [ask_for(np.full(1, size)) for size in sizes])
    else:
        laid = _final_size(ask_for(sizes[-1:]), stages)
    tiers, bill = tiers_and_bill(over_stages, laid.shape)
    lines = tuple(line for line in (_line(line, sizes.size) for line in bill) if line.needed.any())
    return Growth(
        layout=layout,
        supernodes=sizes,
        tiers=tuple(_tier(tier, sizes.size, laid.moves) for tier in tiers if np.any(tier.links)),
        lines=lines,
        free_ports=np.array(laid.free_ports, float),
        price_usd=stage_price_usd(line_prices_usd=tuple(line.price_usd for line in lines)),
    )


class _Laid(NamedTuple):
    """The fabric over the stages."""

    shape: Shape
    free_ports: list[float]
    moves: list[dict[str, int]]  # by tier, at each stage


def _each_stage(over_stages: Ask, asks: Sequence[Ask]) -> _Laid:
    """Every stage as its rule makes it; two graphs at a time, since large ones are large."""
    topology = topology_of(over_stages.pod.fabric.topology)
    free: list[float] = []
    moves: list[dict[str, int]] = []
    before: FabricGraph | None = None
    for ask in asks:
        graph = topology.graph_of_ends(ask)
        everything = np.ones(graph.device_count, bool), np.ones(graph.link_count, bool)
        free.append(_free_ports(ask, graph, *everything))
        moves.append(moved_links(before, graph) if before else {})
        before = graph
    return _Laid(topology.shape(over_stages), free, moves)


def _final_size(final: Ask, stages: Sequence[int]) -> _Laid:
    """The part of the final fabric that the nodes of every stage need."""
    topology = topology_of(final.pod.fabric.topology)
    graph = topology.graph_of_ends(final)
    nodes = round(first_of(final.supernode.nodes))
    parts = [present(graph, size * nodes) for size in stages]
    free = [_free_ports(final, graph, *part) for part in parts]
    return _Laid(_partly(topology.shape(final), final, graph, parts), free, [{} for _ in stages])


def _free_ports(ask: Ask, graph: FabricGraph, there: Mask, laid: Mask) -> float:
    """Not a number where nodes are joined without switches, or no one knows their ports."""
    radix = first_of(ask.plugs.switch_radix)
    if topology_of(ask.pod.fabric.topology).direct or not np.isfinite(radix):
        return float("nan")
    if has_own_tiers(ask.pod.fabric):
        return _free_by_tier(ask, graph, there, laid)
    return float(free_ports(graph, there, laid, round(radix)))


def _free_by_tier(ask: Ask, graph: FabricGraph, there: Mask, laid: Mask) -> float:
    """Free ports where switches or rates differ by tier.

    A link up of a leaf may take the place of several links down, or of a part of one.
    """
    plugs = ask.plugs
    radix = {"leaf": plugs.switch_radix, "spine": plugs.spine.radix, "core": plugs.core.radix}
    ports = sum(float(there[graph.of_kind(kind)].sum()) * first_of(each) for kind, each in radix.items())
    switch, tier = is_switch(graph), graph.links.tier
    up = np.where(tier == 1, first_of(plugs.port_split / plugs.leaf_up.split), 1.0)
    lower = np.sum(up[laid & switch[graph.links.lower]])
    return float(np.floor(ports - lower - np.sum(switch[graph.links.upper[laid]])))


def _partly(shape: Shape, final: Ask, graph: FabricGraph, stages: Sequence[tuple[Mask, Mask]]) -> Shape:
    """The shape of the final fabric with as many switches and links as each stage has of it."""
    planes = plain(final.pod.fabric.planes)
    hosts = graph.of_kind(HOST).size

    def switches(name: str) -> Array:
        devices = graph.of_kind(name)
        count = np.array([float(there[devices].sum()) for there, _ in stages])
        return np.asarray(count[:, None] / planes)

    def links(name: str) -> Array:
        of_tier = graph.of_tier(name)
        own = of_tier[graph.links.lower[of_tier] < hosts] if name == graph.tiers[0] else of_tier
        count = np.array([float(laid[own].sum()) for _, laid in stages])
        return np.asarray(count[:, None] / planes)

    layers = tuple(
        dataclasses.replace(
            layer,
            switches=switches(layer.name) if np.any(plain(layer.switches)) else layer.switches,
            links=links(layer.name),
            modules=_share_of(layer.modules, links(layer.name), layer.links),
            lower_modules=_share_of(layer.lower_modules, links(layer.name), layer.links),
        )
        for layer in shape.layers
    )
    ends = [layer.links * float(2 - layer.switch_ends) for layer in layers]
    node_links = sum(ends[1:], start=ends[0]) if shape.node_links is not None else None
    return dataclasses.replace(shape, layers=layers, node_links=node_links)


def _share_of(modules: Array | None, links: Array, all_links: Array) -> Array | None:
    """Modules of the built links, in proportion to those of all links."""
    if modules is None:
        return None
    share: Array = np.where(plain(all_links) > 0, links / plain(all_links), 0.0)
    found: Array = np.ceil(np.round(plain(modules) * share, 6))
    return found


def _tier(tier: Tier, stages: int, moves: Sequence[Mapping[str, int]]) -> GrowthTier:
    return GrowthTier(
        name=tier.name,
        switches=_of_stages(tier.switches, stages),
        links=_of_stages(tier.links, stages),
        moved_links=np.array([float(move.get(tier.name, 0)) for move in moves]),
    )


def _line(line: BillLine, stages: int) -> GrowthLine:
    needed = _of_stages(line.count, stages)
    owned = owned_pieces(needed=needed)
    bought = bought_pieces(owned=owned)
    unit_prices = np.broadcast_to(plain(line.unit_price_usd), (1, len(ENDS)))
    return GrowthLine(
        item=line.item,
        needed=needed,
        bought=bought,
        owned=owned,
        idle=idle_pieces(owned=owned, needed=needed),
        price_usd=stage_line_price_usd(bought=bought[:, None], unit_price_usd=unit_prices),
    )


def _of_stages(values: Array, stages: int) -> Array:
    found: Array = np.broadcast_to(plain(values), (stages, 1))[:, 0]
    return found


@quantity(unit="1", source="definition", leaf=True)
def owned_pieces(*, needed: Array) -> Array:
    """Pieces owned at each stage: the most that any stage so far needed; nothing is sold."""
    owned: Array = np.maximum.accumulate(needed, axis=0)
    return owned


@quantity(unit="1", source="definition", leaf=True)
def bought_pieces(*, owned: Array) -> Array:
    """Pieces bought at each stage: what is owned beyond the stage before."""
    bought: Array = np.diff(owned, axis=0, prepend=0.0)
    return bought


@quantity(unit="1", source="definition")
def idle_pieces(*, owned: Array, needed: Array) -> Array:
    """Pieces owned that the fabric of the stage has no place for."""
    return owned - needed


@quantity(unit="USD", source="definition")
def stage_line_price_usd(*, bought: Array, unit_price_usd: Array) -> Array:
    """Price of one role at one stage; nothing bought costs nothing, whatever its price."""
    return np.where(bought <= 0, 0.0, bought * unit_price_usd)


@quantity(unit="USD", source="definition")
def stage_price_usd(*, line_prices_usd: tuple[Array, ...]) -> Array:
    """Price of what one stage buys."""
    return sum(line_prices_usd[1:], start=line_prices_usd[0])
