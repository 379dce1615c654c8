"""A pod that grows: what is bought at each stage, what lies idle until later, which cables are laid anew."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.figures import BillLine, Tier
from app.engine.fabric.graph.graph import FabricGraph, Mask
from app.engine.fabric.graph.kinds import HOST
from app.engine.fabric.growth.moves import moved_links
from app.engine.fabric.growth.presence import free_ports, present
from app.engine.fabric.growth.purchases import (
    bought_pieces,
    idle_pieces,
    owned_pieces,
    stage_line_price_usd,
    stage_price_usd,
)
from app.engine.fabric.prices import ENDS, priced_plan
from app.engine.fabric.section import tiers_and_bill
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.fabric.topologies.shape import Ask, Shape
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthTier:
    """One tier over the stages."""

    name: str
    switches: Array  # (stages,), as all below
    links: Array
    moved_links: Array  # of the stage before, laid anew at this one


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
    """Not a number where nodes are joined without switches, or nobody knows their ports."""
    radix = first_of(ask.plugs.switch_radix)
    if topology_of(ask.pod.fabric.topology).direct or not np.isfinite(radix):
        return float("nan")
    return float(free_ports(graph, there, laid, round(radix)))


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
        )
        for layer in shape.layers
    )
    ends = [layer.links * float(2 - layer.switch_ends) for layer in layers]
    node_links = sum(ends[1:], start=ends[0]) if shape.node_links is not None else None
    return dataclasses.replace(shape, layers=layers, node_links=node_links)


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
