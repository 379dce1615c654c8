"""What is inside the SuperNode of a scenario: its parts, how they are joined, and what they come to."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from pydantic import Field

from app.catalog.values import Fact, Price
from app.catalog.view import CatalogView
from app.charts.fabric.supernode_inside import supernode_inside_figure
from app.charts.format import number, percent, show
from app.charts.slide import slide
from app.engine.fabric.floor.limits import packed_servers
from app.engine.fabric.scale_up.graph import scale_up_graph
from app.engine.fabric.scale_up.network import is_upper
from app.engine.fabric.scale_up.shape import Layer
from app.engine.facility.racks.checks import WAYS_OUT
from app.engine.facility.racks.loads import (
    STANDARD_GRAVITY_M_PER_S2,
    floor_load_n_per_m2,
    rack_floor_share_m2,
)
from app.engine.specs import ScaleUpPlan, SuperNode
from app.engine.supernode import LEAST, MOST, TYPICAL, BuildUp
from app.engine.supernode_racks import COMPUTE, SERVER, TRAY, PartsRack, parts_racks
from app.engine.trace import first_of
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.scenarios.resolve.supernode import parts_of
from app.scenarios.resolve.supernode_parts import Built
from app.views.colours import in_colours
from app.views.file_format import FileFormat
from app.views.plain import report_json
from app.views.table import Column, text_table
from app.views.view import File

PART_LABELS = {
    "accelerators": "Accelerators",
    "processors": "Processors",
    "host_memory": "Host memory",
    "memory_pool": "Memory pool modules",
    "nics": "Compute NICs",
    "trays": "Trays or servers",
    "scale_up_switches": "Scale-up switch chips",
    "scale_up_links": "Scale-up links in the rack",
    "scale_up_far_links": "Scale-up links between racks",
    "circuit_switches": "Optical circuit switches",
    "racks": "Racks",
    "assembly": "Assembly and test",
}


class SuperNodeFormat(Part):
    """The format of the answer."""

    format: Literal["json", "slide", "slide-dark"] = Field(
        default="json", description="json: all of it; slide or slide-dark: its picture as an SVG of 16:9."
    )


MOST_PLACES = 1024  # of a torus that are drawn one by one
BOUNDS = {
    "rack_power": "power of a rack",
    "rack_units": "height of a rack",
    "network": "the part of the network in a rack",
}
MEDIA = {
    "copper": "passive copper",
    "linear_copper": "linear active copper",
    "active_copper": "active copper",
    "lpo": "linear pluggable optics",
    "pluggable": "pluggable optics",
    "co_packaged": "co-packaged optics",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodePrice:
    """A price [USD]; nan where a price that it depends on is not published."""

    low: float
    typical: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodePart:
    """One kind of part: how many, and what one and all draw and cost."""

    name: str
    title: str
    count: float
    each_power_w: float
    power_w: float
    each_price_usd: float
    price_usd: SuperNodePrice


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeFigure:
    """A figure computed from its parts, with the published one of the system as sold."""

    name: str
    title: str
    unit: str
    built: float
    published: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeLoss:
    """What goes with one part of a kind, and what stands ready for it; nan where unknown or where nothing runs.

    Spares are held by the unit that is replaced as a whole: a host, a tray or a cube, for the whole run. Failures are
    those of all parts of that cause in the run.
    """

    name: str
    title: str
    count: float  # in one SuperNode
    accelerators: float
    bandwidth_share: float  # of the links of an accelerator that keeps running
    replaced: str  # the unit that is taken out and replaced; "" where the part stays and its links are lost
    spares: float  # of that unit
    reserve: float  # units of each domain that the job leaves free
    failures_per_day: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeLinks:
    """Links of one sort in the SuperNode, by medium."""

    name: str
    title: str
    links: float
    cables: float  # nan where their number is not published; 0 of traces on a board
    modules: float
    medium: str
    bytes_per_s: float  # of one, one way


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeJoin:
    """Two places of a torus that are joined: accelerators, or whole cubes; counted from 0, the last side fastest."""

    one: int
    other: int
    links: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeNetwork:
    """How the accelerators of one domain are joined."""

    structure: str  # switch_planes | torus | mesh; "" where nothing is joined
    domains: float
    domain_accelerators: float
    planes: float
    lower_chips: float  # of one domain
    upper_chips: float
    switch_ports: float  # of a chip
    links_per_accelerator: float
    lengths: tuple[float, ...]  # sides of a torus
    cube_side: float  # of the cubes that circuit switches join; nan of others
    circuit_switches: float
    joins: tuple[
        SuperNodeJoin, ...
    ]  # of a torus: which of its places are joined; none of more than MOST_PLACES


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeShelf:
    """Devices that stand on each other in a rack and hold the same."""

    kind: str  # tray | switch_tray | power_shelf
    title: str
    count: float
    bottom_u: float
    units: float  # of one
    accelerators: float  # in one, as the three below
    processors: float
    nics: float
    switches: float
    power_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeRack:
    """Racks of a SuperNode that hold the same, from the front; a server that shares a rack stands alone."""

    kind: str  # compute | switches | server
    title: str
    count: float  # a share of one where several SuperNodes stand in it
    height_u: float
    used_u: float
    shelves: tuple[SuperNodeShelf, ...]  # from the bottom up
    power_w: float
    weight_kg: float  # by the parts

    @property
    def trays(self) -> float:
        """Trays of one such rack."""
        return sum(shelf.count for shelf in self.shelves if shelf.kind == "tray")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeLimit:
    """A limit by name, and how far the SuperNode is from it; nan where unknown."""

    name: str  # radix | reach | rack_power | floor_load | addressing
    title: str
    value: float
    limit: float
    unit: str
    status: Literal["fits", "over", "unknown"]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeInside:
    """The build-up of a SuperNode.

    Of a catalog system the published figures are shown next to it; nan where unknown.
    """

    name: str
    accelerators: float
    source: str  # of how it is joined
    accelerator: str
    nic_bytes_per_s: float  # of one compute NIC, one way
    scale_up: str
    tiers: int
    near_medium: str
    far_medium: str
    parts: tuple[SuperNodePart, ...]
    rated_power_w: float
    price_usd: SuperNodePrice
    racks: float
    trays_per_rack: float
    bound: str
    rack_power_w: float
    rack_liquid_power_w: float  # of that, what liquid takes away, and what air does
    rack_air_power_w: float
    rack_weight_kg: float  # mean of its racks
    cooling: str
    losses: tuple[SuperNodeLoss, ...]
    weight_kg: float
    scale_up_bandwidth_bytes_per_s: float
    bisection_bandwidth_bytes_per_s: float
    scale_up_latency_s: float
    scale_up_cables: float
    scale_up_modules: float
    network: SuperNodeNetwork
    links: tuple[SuperNodeLinks, ...]
    rack_kinds: tuple[SuperNodeRack, ...]  # none where their number is unknown
    limits: tuple[SuperNodeLimit, ...]
    compared: tuple[SuperNodeFigure, ...]


def supernode_inside(scenario: EvaluatedScenario, catalog: CatalogView) -> SuperNodeInside:
    """The answer of the view.

    Raises
    ------
    ScenarioError : the parts of this SuperNode are unknown, or it cannot be built
    """
    found = parts_of(scenario.document, catalog)
    if found is None:
        system = scenario.document.supernode.system
        published = f"what is in {system} and how it is joined has not been published"
        raise refuse(
            f"The inside is unknown: {published if system else 'this SuperNode is stated without its parts'}.",
            rule="unknown",
            path="supernode",
            value=system or "custom",
            hint="State supernode.custom.parts, or choose a system with a scale-up fabric in the catalog.",
        )
    supernode, built = found
    parts, shape = built.parts, built.shape
    racks = parts_racks(built.contents, parts, shape)
    fullest_w = max((rack.power_w for rack in racks), default=float(parts.rack_power_w[0]))
    counts = {line.name: float(line.count[0]) for line in parts.lines}
    return SuperNodeInside(
        name=supernode.name,
        accelerators=float(supernode.accelerators[0]),
        source=_source(catalog, built),
        accelerator=supernode.accelerator.name,
        nic_bytes_per_s=first_of(supernode.scale_out_nic_bandwidth_bytes_per_s),
        scale_up="" if built.plan is None else built.plan.name,
        tiers=0
        if built.plan is None or built.plan.switch_ports is None
        else 1 + (built.plan.taper is not None),
        near_medium=MEDIA[built.media[0].name] if counts.get("scale_up_links") else "",
        far_medium=MEDIA[built.media[1].name] if counts.get("scale_up_far_links") else "",
        parts=tuple(
            SuperNodePart(
                name=line.name,
                title=PART_LABELS[line.name],
                count=float(line.count[0]),
                each_power_w=float(line.power_w[0]),
                power_w=float(line.total_power_w[0]),
                each_price_usd=float(line.price_usd[TYPICAL]),
                price_usd=_range(line.total_price_usd),
            )
            for line in parts.lines
            if line.count[0]
        ),
        rated_power_w=float(parts.rated_power_w[0]),
        price_usd=_range(parts.price_usd),
        racks=float(parts.racks[0]),
        trays_per_rack=float(parts.trays_per_rack[0]),
        bound=BOUNDS[parts.tray_bound],
        rack_power_w=fullest_w,
        rack_liquid_power_w=fullest_w * float(supernode.liquid_share[0]),
        rack_air_power_w=fullest_w * (1 - float(supernode.liquid_share[0])),
        rack_weight_kg=float(parts.weight_kg[0] / parts.racks[0]) if parts.racks[0] else math.nan,
        cooling=built.cooling,
        losses=_losses(built, scenario),
        weight_kg=float(parts.weight_kg[0]),
        scale_up_bandwidth_bytes_per_s=float(supernode.accelerator.scale_up_bandwidth_bytes_per_s[0]),
        bisection_bandwidth_bytes_per_s=math.nan
        if shape is None
        else float(shape.bisection_bandwidth_bytes_per_s[0]),
        scale_up_latency_s=float(supernode.scale_up_latency_s[0]),
        scale_up_cables=float(built.cables[0]),
        scale_up_modules=float(built.modules[0]),
        network=_network(built),
        links=_links(built),
        rack_kinds=tuple(_rack(rack) for rack in racks),
        limits=_limits(scenario, catalog, built, racks),
        compared=_compared(scenario, catalog, parts),
    )


LAYERS = {
    "plane": "Accelerators to switches",
    "lower": "Accelerators to lower switches",
    "upper": "Lower to upper switches",
    "peers": "Switches of one rack to another",
    "mesh": "Accelerator to accelerator",
    "copper": "Within cubes",
    "optical": "Between cubes, through circuit switches",
}
"""Links by their layer; those of a torus without cubes are numbered by dimension."""
SHELVES = {"tray": "Compute tray", "switch_tray": "Switch tray", "power_shelf": "Power shelf"}
RACKS = {"compute": "Compute rack", "switches": "Switch rack", "server": "Server"}


def _source(catalog: CatalogView, built: Built) -> str:
    if built.plan is None:
        return ""
    return catalog.part("scale_up_fabrics", built.plan.key).facts["links_per_accelerator"].source


def _links(built: Built) -> tuple[SuperNodeLinks, ...]:
    if built.shape is None or built.plan is None:
        return ()

    def line(layer: Layer) -> SuperNodeLinks:
        medium = built.media[is_upper(layer)]
        cables = first_of(layer.links * layer.cables_per_link)
        powered = bool(first_of(medium.energy_j_per_bit) > 0)
        return SuperNodeLinks(
            name=layer.name,
            title=LAYERS.get(layer.name, layer.name.replace("_", " ").capitalize()),
            links=first_of(layer.links),
            cables=cables,
            modules=2 * cables if powered else 0.0,
            medium="traces of a board" if cables == 0 else MEDIA[medium.name],
            bytes_per_s=first_of(built.plan.link_bandwidth_bytes_per_s) if built.plan else math.nan,
        )

    return tuple(line(layer) for layer in built.shape.layers)


def _network(built: Built) -> SuperNodeNetwork:
    shape, plan, domains = built.shape, built.plan, built.accelerators / built.domain
    layers = () if shape is None else shape.layers
    upper = sum(first_of(layer.switches) for layer in layers if is_upper(layer))
    return SuperNodeNetwork(
        structure="" if plan is None else plan.structure,
        domains=domains,
        domain_accelerators=built.domain,
        planes=math.nan if shape is None else first_of(shape.planes),
        lower_chips=(sum(first_of(layer.switches) for layer in layers) - upper) / domains,
        upper_chips=upper / domains,
        switch_ports=math.nan if plan is None else first_of(plan.switch_ports),
        links_per_accelerator=math.nan if plan is None else first_of(plan.links_per_accelerator),
        lengths=() if plan is None else tuple(first_of(length) for length in plan.lengths),
        cube_side=math.nan if plan is None else first_of(plan.cube_side),
        circuit_switches=0.0 if shape is None else first_of(shape.circuits.switches),
        joins=_joins(plan, built.domain),
    )


def _joins(plan: ScaleUpPlan | None, domain: float) -> tuple[SuperNodeJoin, ...]:
    """Links of the graph of a torus between its places, those between the same two together."""
    if plan is None or plan.structure != "torus":
        return ()
    sides = [round(first_of(length)) for length in plan.lengths]
    cube = 1 if plan.cube_side is None else round(first_of(plan.cube_side))
    if domain / cube ** len(sides) > MOST_PLACES:
        return ()
    graph = scale_up_graph(plan, np.full(1, domain))
    ends = np.stack([graph.links.lower, graph.links.upper])
    places = np.stack(np.unravel_index(ends, sides)) // cube
    flat = np.sort(np.ravel_multi_index(tuple(places), [side // cube for side in sides]), axis=0)
    apart = flat[:, flat[0] != flat[1]]
    pairs, counts = np.unique(apart, axis=1, return_counts=True)
    return tuple(
        SuperNodeJoin(one=int(one), other=int(other), links=int(count))
        for one, other, count in zip(*pairs, counts, strict=True)
    )


def _rack(rack: PartsRack) -> SuperNodeRack:
    """Devices that follow each other and hold the same are one line."""
    shelves: list[SuperNodeShelf] = []
    for one in rack.shelves:
        line = SuperNodeShelf(
            kind=one.kind, title="Server" if rack.kind == SERVER and one.kind == TRAY else SHELVES[one.kind], count=1.0, bottom_u=one.bottom_u, units=one.units,
            accelerators=one.accelerators, processors=one.processors, nics=one.nics, switches=one.switches,
            power_w=one.power_w,
        )  # fmt: skip
        last = shelves[-1] if shelves else None
        if last and (last.kind, last.accelerators, last.switches) == (
            line.kind,
            line.accelerators,
            line.switches,
        ):
            shelves[-1] = replace(last, count=last.count + 1)
        else:
            shelves.append(line)
    return SuperNodeRack(
        kind=rack.kind, title=RACKS[rack.kind], count=rack.count, height_u=rack.height_u, used_u=rack.used_u,
        shelves=tuple(shelves), power_w=rack.power_w, weight_kg=rack.weight_kg,
    )  # fmt: skip


def _losses(built: Built, scenario: EvaluatedScenario) -> tuple[SuperNodeLoss, ...]:
    """An accelerator and a tray go by themselves; a switch chip or a link takes bandwidth of every accelerator it joins.

    A chip of the lower or only tier takes its share of the chips that an accelerator has links to; one of the upper tier
    that of the chips of its plane, of what goes beyond the lower one.
    """
    parts, shape, plan = built.parts, built.shape, built.plan
    each = built.accelerators / float(parts.trays[0])
    counts = {line.name: float(line.count[0]) for line in parts.lines}
    found = scenario.evaluation.sections.reliability
    failures = {one.name: first_of(one.failures_per_day) for one in found.components}
    unit, spares = first_of(found.unit_accelerators), first_of(found.spare_units)
    words = "" if math.isnan(unit) else f"unit of {number(unit)} accelerator{'s' if unit > 1 else ''}"

    def loss(
        name: str, title: str, count: float, accelerators: float, share: float, cause: str
    ) -> SuperNodeLoss:
        as_a_whole = bool(cause) or math.isclose(unit, accelerators)  # a rack that is a cube is
        replaced = words if accelerators and as_a_whole else ""
        return SuperNodeLoss(
            name=name,
            title=title,
            count=count,
            accelerators=accelerators,
            bandwidth_share=share,
            replaced=replaced,
            spares=spares if replaced else math.nan,
            reserve=first_of(found.reserve_units_per_domain) if replaced else math.nan,
            failures_per_day=failures.get(cause, math.nan),
        )

    lost = [
        loss("accelerator", "Accelerator", built.accelerators, 1.0, 0.0, "accelerators"),
        loss("tray", "Tray or server", counts["trays"], each, 0.0, "hosts"),
    ]
    if parts.racks[0] >= 1:
        compute = float(parts.compute_racks[0])
        lost.append(loss("rack", "Rack of trays", compute, built.accelerators / compute, 0.0, ""))
    if shape is None or plan is None:
        return tuple(lost)
    links = sum(first_of(layer.links) for layer in shape.layers)
    lost.append(
        loss(
            "link", "Link of an accelerator", links, 0.0, 1 / first_of(plan.links_per_accelerator), "network"
        )
    )
    if plan.structure != "switch_planes":
        return tuple(lost)
    upper = shape.layers[-1] if shape.layers[-1].name == "upper" else None
    above = 0.0 if upper is None else first_of(upper.switches)
    lost.append(
        loss(
            "switch",
            "Switch chip",
            counts["scale_up_switches"] - above,
            0.0,
            1 / first_of(shape.planes),
            "network",
        )
    )
    if upper is not None:
        domains = built.accelerators / built.domain
        share = 1 / (above / domains)
        lost.append(loss("upper_switch", "Switch chip of the upper tier", above, 0.0, share, "network"))
    return tuple(lost)


def _limits(
    scenario: EvaluatedScenario, catalog: CatalogView, built: Built, racks: tuple[PartsRack, ...]
) -> tuple[SuperNodeLimit, ...]:
    """Radix, reach, rack power, floor load and addressing, each with how far the SuperNode is from it."""
    plan, shape = built.plan, built.shape
    found = []
    if plan is not None and shape is not None and plan.structure == "switch_planes":
        lower = shape.layers[0]
        down = first_of(lower.links / lower.switches)
        above = shape.layers[1:]
        ends = 2 if above and above[0].name == "peers" else 1
        up = ends * first_of(above[0].links / lower.switches) if above else 0.0
        found.append(
            _limit("radix", "Ports of a switch chip", down + up, first_of(plan.switch_ports), "1",
                   f"{number(down)} to accelerators" + (f", {number(up)} to other chips" if up else ""))
        )  # fmt: skip
    far = [layer for layer in shape.layers if is_upper(layer)] if shape else []
    compute = first_of(built.parts.compute_racks) / (built.accelerators / built.domain)
    if shape is not None and (far or compute > 1):
        medium = built.media[1]
        found.append(
            _limit("reach", "Longest link between racks", built.span_m, first_of(medium.reach_m), "m",
                   f"over {MEDIA[medium.name]}")
        )  # fmt: skip
    if racks and racks[0].kind != SERVER:
        most = max(racks, key=lambda one: -1.0 if math.isnan(one.power_w) else one.power_w)
        limit = first_of(built.contents.rack_power_limit_w)
        found.append(
            _limit("rack_power", "Power of the fullest rack", most.power_w, limit, "W", "rated, by its parts")
        )
    found.append(_floor_load(scenario, racks))
    if plan is not None:
        fabric = catalog.part("scale_up_fabrics", plan.key)
        known = fabric.facts.get("addressing_limit")
        found.append(
            _limit("addressing", "Accelerators that the protocol addresses", built.domain,
                   math.nan if known is None else known.value, "1", str(fabric.attributes.get("link", "")))
        )  # fmt: skip
    return tuple(found)


def _floor_load(scenario: EvaluatedScenario, racks: tuple[PartsRack, ...]) -> SuperNodeLimit:
    """Weight of a rack over its share of the floor, its aisles counted in, beside what the floor carries.

    The weight is that of the design: published, stated, or by the parts of a SuperNode of one's own. Where a catalog
    system has none, the load stays unknown, and the sum of the parts is given with it.
    """
    design = scenario.resolved.design
    rules, supernode = design.pod.floor, design.supernode
    assert rules is not None  # resolving a scenario always says them
    area = rack_floor_share_m2(
        rack_width_m=rules.rack_width_m,
        rack_depth_m=rules.rack_depth_m,
        cold_aisle_m=rules.cold_aisle_m,
        hot_aisle_m=rules.hot_aisle_m,
    )

    def load(weight_kg: float) -> float:
        newtons = floor_load_n_per_m2(weight_kg=np.full(1, weight_kg), area_m2=area)
        return first_of(newtons) / STANDARD_GRAVITY_M_PER_S2

    limit = first_of(design.assumptions.rooms["facility"].floor_load_limit_n_per_m2)
    own_kg = first_of(rules.rack_own_weight_kg)
    each_kg, words = _rack_weight(scenario, supernode, racks, own_kg)
    of_rack = f"{words} over {first_of(area):.2f} m² with its share of the aisles"
    if math.isnan(each_kg):
        by_parts = max((one.weight_kg for one in racks if one.kind == COMPUTE), default=math.nan)
        of_rack = "the weight of the rack is not published"
        if not math.isnan(by_parts):
            of_rack += (
                f"; the sum of its parts is about {number(by_parts)} kg, {number(load(by_parts))} kg/m²"
            )
    found = _limit(
        "floor_load",
        "Floor load of a rack",
        load(each_kg),
        limit / STANDARD_GRAVITY_M_PER_S2,
        "kg/m2",
        of_rack,
    )
    return replace(found, note=f"{of_rack}. {WAYS_OUT['floor_load']}") if found.status == "over" else found


def _rack_weight(
    scenario: EvaluatedScenario, supernode: SuperNode, racks: tuple[PartsRack, ...], own_kg: float
) -> tuple[float, str]:
    """Weight of the heaviest rack of the design [kg], and what it is."""
    whole = first_of(supernode.weight_kg)
    count, rules = first_of(supernode.racks), scenario.resolved.design.pod.floor
    if not count >= 1:
        servers = first_of(packed_servers(supernode, rules))
        each = servers * whole / first_of(supernode.nodes) + own_kg
        return each, f"{number(servers)} servers and their rack, {_shown('kg')(each)},"
    custom = scenario.document.supernode.custom
    if custom is not None and custom.weight_kg is None and racks:
        heaviest = max(one.weight_kg for one in racks)
        return heaviest, f"{number(heaviest)} kg by its parts"
    return whole / count, _shown("kg")(whole / count)


def _limit(name: str, title: str, value: float, limit: float, unit: str, note: str) -> SuperNodeLimit:
    status: Literal["fits", "over", "unknown"] = "fits"
    if math.isnan(value) or math.isnan(limit):
        status = "unknown"
    elif value > limit * (1 + 1e-9):
        status = "over"
    return SuperNodeLimit(
        name=name, title=title, value=value, limit=limit, unit=unit, status=status, note=note
    )


def supernode_figures(power_w: np.ndarray, racks: np.ndarray, price_usd: np.ndarray) -> dict[str, float]:
    """Figures that are published of systems too, by the names of the catalog's facts."""
    return {
        "max_power_w": float(power_w[0]),
        "racks": float(racks[0]),
        "price_usd": float(price_usd[TYPICAL]),
    }


def _compared(
    scenario: EvaluatedScenario, catalog: CatalogView, parts: BuildUp
) -> tuple[SuperNodeFigure, ...]:
    """Sums compared with published values, of a catalog system at the size that it is sold with."""
    choice = scenario.document.supernode
    part = catalog.part("systems", choice.system) if choice.system else None
    own = choice.override.accelerators if choice.override else None
    if part is None or own not in (None, part.facts["accelerators"].value):
        return ()
    if any(line.name == "memory_pool" for line in parts.lines):
        return ()  # no system is sold with it

    def line(
        name: str, title: str, unit: str, built: float, published: Fact | Price | None
    ) -> SuperNodeFigure:
        value, source = (math.nan, "") if published is None else (published.value, published.source)
        return SuperNodeFigure(name=name, title=title, unit=unit, built=built, published=value, source=source)

    power, racks = parts.rated_power_w, parts.racks
    return (
        line("max_power_w", "Rated power", "W", float(power[0]), part.facts.get("max_power_w")),
        line("racks", "Racks", "1", float(racks[0]), part.facts.get("racks")),
        line("price_usd", "Price", "USD", float(parts.price_usd[TYPICAL]), catalog.price(part.key)),
    )


def _range(price_usd: np.ndarray) -> SuperNodePrice:
    return SuperNodePrice(
        low=float(price_usd[LEAST]), typical=float(price_usd[TYPICAL]), high=float(price_usd[MOST])
    )


def _shown(unit: str):  # type: ignore[no-untyped-def]
    return lambda value: "unknown" if value is None or math.isnan(value) else show(value, unit).text


COLUMNS = (
    Column("part", "title", width=-28),
    Column("count", "count", number, 9),
    Column("each", "each_power_w", _shown("W"), 12),
    Column("power", "power_w", _shown("W"), 12),
    Column("each", "each_price_usd", _shown("USD"), 16),
    Column("price", "price_usd.typical", _shown("USD"), 16),
)


def _number(value: float) -> str:
    return "unknown" if math.isnan(value) else number(value)


LOST = (
    Column("Lost with one", "title", width=-30),
    Column("there are", "count", _number, 10),
    Column("accelerators", "accelerators", _number, 13),
    Column("bandwidth", lambda one: "unknown" if math.isnan(one.bandwidth_share) else percent(one.bandwidth_share).text, width=10),
    Column("spares", lambda one: "none" if not one.replaced else f"{_number(one.spares)} x {one.replaced}", width=34),
)  # fmt: skip
OF_LINKS = (
    Column("Links", "title", width=-40),
    Column("links", "links", _number, 9),
    Column("cables", "cables", _number, 9),
    Column("modules", "modules", _number, 9),
    Column("medium", "medium", width=24),
)
OF_RACKS = (
    Column("Racks", "title", width=-14),
    Column("count", "count", lambda value: f"{value:g}", 7),
    Column("trays", "trays", _number, 7),
    Column("U", "used_u", _number, 6),
    Column("power", "power_w", _shown("W"), 12),
    Column("weight by parts", "weight_kg", _shown("kg"), 17),
)
OF_LIMITS = (
    Column("Limit", "title", width=-42),
    Column("value", lambda one: _shown(one.unit)(one.value), width=12),
    Column("limit", lambda one: _shown(one.unit)(one.limit), width=12),
    Column("", "status", width=9),
    Column("  ", lambda one: f"  {one.note}", width=-2),
)


def supernode_text(answer: SuperNodeInside) -> str:
    """The parts as a table, and what they come to."""
    watts, usd = _shown("W"), _shown("USD")
    price = answer.price_usd
    lines = [
        f"{answer.name}: {answer.scale_up or 'no scale-up network'}",
        "",
        *text_table(COLUMNS, answer.parts),
        "",
        f"Rated power {watts(answer.rated_power_w)}; price {usd(price.typical)} ({usd(price.low)} to {usd(price.high)})",
        "Racks unknown, as the power of a part is"
        if math.isnan(answer.racks)
        else f"{number(answer.racks)} rack{'s' if answer.racks > 1 else ''}; at most {watts(answer.rack_power_w)} per rack, bound by the {answer.bound}"
        if answer.racks
        else "A server that shares a rack with others",
        (
            f"Cooled by {answer.cooling or 'unknown means'}: liquid takes {watts(answer.rack_liquid_power_w)} and air "
            f"{watts(answer.rack_air_power_w)} of a rack"
        ),
        "",
        *text_table(LOST, answer.losses),
        "",
        *text_table(OF_LINKS, answer.links),
        "",
        *text_table(OF_RACKS, answer.rack_kinds),
        "",
        *text_table(OF_LIMITS, answer.limits),
    ]
    lines += [
        f"{one.title}: {_shown(one.unit)(one.built)}, published {_shown(one.unit)(one.published)}"
        for one in answer.compared
    ]
    return "\n".join(lines)


def _racks_words(answer: SuperNodeInside) -> str:
    if math.isnan(answer.racks):
        return "unknown"
    if answer.racks < 1:
        return "Shares a rack"
    each = " each" if answer.racks > 1 else ""
    return f"{number(answer.racks)}, at most {_shown('W')(answer.rack_power_w)}{each}"


def _slide(theme: str, answer: SuperNodeInside) -> bytes:
    """The picture of the inside with what it comes to, as a slide."""
    watts, usd, kilograms = _shown("W"), _shown("USD"), _shown("kg")
    price = answer.price_usd
    floor = next(one for one in answer.limits if one.name == "floor_load")
    lost = {one.name: one for one in answer.losses}
    facts = [
        ("Accelerators", f"{number(answer.accelerators)} x {answer.accelerator}".replace(" x ", " × ")),
        *((one.title, f"{number(one.links)} links, {one.medium}") for one in answer.links),
        ("Racks", _racks_words(answer)),
        ("Rated power", watts(answer.rated_power_w)),
        ("Weight, by parts", kilograms(answer.weight_kg)),
        ("Floor load of a rack", _shown("kg/m2")(floor.value).replace("m2", "m²")),
        ("Price, estimated", usd(price.typical)),
        ("Lost with a tray", f"{number(lost['tray'].accelerators)} accelerators"),
    ]  # fmt: skip
    if "switch" in lost and not math.isnan(lost["switch"].bandwidth_share):
        share = percent(lost["switch"].bandwidth_share).text
        facts.append(("Lost with a switch chip", f"{share} of the bandwidth of its accelerators"))
    hosts = list(dict.fromkeys(re.findall(r"https?://(?:www\.)?([\w.-]+)", answer.source)))[:3]
    joined = f"{', '.join(hosts)} on how it is joined; " if hosts else ""
    drawn = slide(
        supernode_inside_figure(report_json(answer)),
        title=answer.name,
        facts=facts,
        source=f"Source: {joined}counts, power, weight and price by the parts of Podwright's catalog, estimates.",
    )
    painted: str = in_colours(drawn, theme)
    return painted.encode()


def _slide_file(name: str, theme: str) -> File[SuperNodeInside]:
    words = "on a light ground" if theme == "light" else "on a dark ground"
    return File(
        format=FileFormat(
            name, "image/svg+xml", f".{theme}.svg", f"Slide, {theme}", lambda answer: _slide(theme, answer)
        ),
        help=f"Write the picture of the inside as a slide of 16:9, SVG {words}; - prints it.",
        sent_as="supernode",
    )


SLIDES = (_slide_file("slide", "light"), _slide_file("slide-dark", "dark"))
