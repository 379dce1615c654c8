"""What is inside the SuperNode of a scenario: its parts, how they are joined, and what they come to."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.catalog.values import Fact, Price
from app.catalog.view import CatalogView
from app.charts.format import number, percent, show
from app.engine.supernode import LEAST, MOST, TYPICAL, BuildUp
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve.supernode import parts_of
from app.scenarios.resolve.supernode_parts import Built
from app.views.table import Column, text_table

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
    """A price [USD]; nan where nobody published what it hangs on."""

    low: float
    typical: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodePart:
    """One kind of part: how many, and what one and all of them draw and cost."""

    name: str
    title: str
    count: float
    each_power_w: float
    power_w: float
    each_price_usd: float
    price_usd: SuperNodePrice


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeFigure:
    """A figure as its parts give it, beside what is published of the system as it is sold."""

    name: str
    title: str
    unit: str
    built: float
    published: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeLoss:
    """What goes with one part of a kind: accelerators, and the share of bandwidth that those left lose."""

    name: str
    title: str
    accelerators: float
    bandwidth_share: float  # of the links of an accelerator that keeps running; nan where unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeInside:
    """The build-up of a SuperNode. Of a catalog system the published figures stand beside it; nan where unknown."""

    name: str
    accelerators: float
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
    compared: tuple[SuperNodeFigure, ...]


def supernode_inside(scenario: EvaluatedScenario, catalog: CatalogView) -> SuperNodeInside:
    """The answer of the view.

    Raises
    ------
    ScenarioError : nobody says what is in this SuperNode, or it cannot be built
    """
    found = parts_of(scenario.document, catalog)
    if found is None:
        raise refuse(
            "Nobody published what is in this SuperNode or how it is joined.",
            rule="unknown",
            path="supernode",
            value=scenario.document.supernode.system or "custom",
            hint="Choose a system with a scale-up fabric in the catalog, or state supernode.custom.parts.",
        )
    supernode, built = found
    parts, shape = built.parts, built.shape
    counts = {line.name: float(line.count[0]) for line in parts.lines}
    return SuperNodeInside(
        name=supernode.name,
        accelerators=float(supernode.accelerators[0]),
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
        rack_power_w=float(parts.rack_power_w[0]),
        rack_liquid_power_w=float((parts.rack_power_w * supernode.liquid_share)[0]),
        rack_air_power_w=float((parts.rack_power_w * (1 - supernode.liquid_share))[0]),
        rack_weight_kg=float(parts.weight_kg[0] / parts.racks[0]) if parts.racks[0] else math.nan,
        cooling=built.cooling,
        losses=_losses(built),
        weight_kg=float(parts.weight_kg[0]),
        scale_up_bandwidth_bytes_per_s=float(supernode.accelerator.scale_up_bandwidth_bytes_per_s[0]),
        bisection_bandwidth_bytes_per_s=math.nan
        if shape is None
        else float(shape.bisection_bandwidth_bytes_per_s[0]),
        scale_up_latency_s=float(supernode.scale_up_latency_s[0]),
        scale_up_cables=float(built.cables[0]),
        scale_up_modules=float(built.modules[0]),
        compared=_compared(scenario, catalog, parts),
    )


def _losses(built: Built) -> tuple[SuperNodeLoss, ...]:
    """An accelerator and a tray go by themselves; a switch chip takes a link or more of every accelerator below it.

    A chip of the lower or only tier takes its share of the chips that an accelerator has links to; one of the upper tier
    that of the chips of its plane, of what goes beyond the lower one.
    """
    parts, shape, plan = built.parts, built.shape, built.plan
    each = built.accelerators / float(parts.trays[0])
    found = [
        SuperNodeLoss(name="accelerator", title="Accelerator", accelerators=1.0, bandwidth_share=0.0),
        SuperNodeLoss(name="tray", title="Tray or server", accelerators=each, bandwidth_share=0.0),
    ]
    if parts.racks[0] >= 1:
        whole = min(each * float(parts.trays_per_rack[0]), built.accelerators)
        found.append(
            SuperNodeLoss(name="rack", title="Rack of trays", accelerators=whole, bandwidth_share=0.0)
        )
    if shape is None or plan is None or plan.structure != "switch_planes":
        return tuple(found)
    planes = float(shape.planes[0])
    found.append(
        SuperNodeLoss(name="switch", title="Switch chip", accelerators=0.0, bandwidth_share=1 / planes)
    )
    if shape.layers[-1].name == "upper":
        found.append(
            SuperNodeLoss(
                name="upper_switch",
                title="Switch chip of the upper tier",
                accelerators=0.0,
                bandwidth_share=1 / float(shape.layers[-1].switches[0] / (built.accelerators / built.domain)),
            )
        )
    return tuple(found)


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
    """The sums beside what is published, of a catalog system at the size that it is sold with."""
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
        f"{number(answer.racks)} rack{'s' if answer.racks > 1 else ''}; at most {watts(answer.rack_power_w)} a rack, bound by the {answer.bound}"
        if answer.racks
        else "A server that shares a rack with others",
        (
            f"Cooled by {answer.cooling or 'unknown means'}: liquid takes {watts(answer.rack_liquid_power_w)} and air "
            f"{watts(answer.rack_air_power_w)} of a rack"
        ),
        *(
            f"{one.title} lost: {number(one.accelerators)} accelerators, "
            f"{'unknown' if math.isnan(one.bandwidth_share) else percent(one.bandwidth_share).text} of the bandwidth of the others"
            for one in answer.losses
        ),
    ]
    lines += [
        f"{one.title}: {_shown(one.unit)(one.built)}, published {_shown(one.unit)(one.published)}"
        for one in answer.compared
    ]
    return "\n".join(lines)
