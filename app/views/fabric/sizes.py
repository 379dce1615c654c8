"""Price and power of the compute fabric by size, for several topologies, and where their curves cross."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from app.charts.format import number, show
from app.engine.fabric.sizes.curves import Crossing, SizeCurve, crossings, size_curves
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.trace import Array
from app.likeness import nearest_names
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part, Whole, fault
from app.views.fabric.compute import compute_fabric_of, finite_or_none
from app.views.fabric.growth import FabricGrowth, GrowthPlan
from app.views.fabric.parts import single_prices
from app.views.table import Column, text_table

USUAL = ("rail_fat_tree", "fat_tree", "rail_only", "dragonfly")
MOST_TOPOLOGIES, MOST_SIZES, LARGEST = 6, 60, 65_536
METRICS = ("price_usd", "power_w")


class SizesOptions(Part):
    """Topologies and sizes to compare."""

    topologies: Annotated[tuple[str, ...], Field(strict=False, max_length=MOST_TOPOLOGIES)] = Field(
        default=(), description="Topologies, at most six; that of the scenario and common ones when left out."
    )
    supernodes: Annotated[
        tuple[Annotated[Whole, Field(ge=2, le=LARGEST)], ...], Field(strict=False, max_length=MOST_SIZES)
    ] = Field(
        default=(),
        description="Sizes in SuperNodes, rising; powers of two and halfway between them when left out.",
    )

    @model_validator(mode="after")
    def _rises(self) -> SizesOptions:
        sizes = self.supernodes
        if any(after <= before for before, after in pairwise(sizes)):
            raise fault(
                "rising",
                "the list of sizes does not rise",
                hint="state every size once, the smallest first",
                field="supernodes",
            )
        if len(sizes) == 1:
            raise fault(
                "two_sizes", "the list has one size", hint="state two sizes or more", field="supernodes"
            )
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBand:
    low: float | None
    typical: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePoint:
    """One topology at one size; None beyond what it joins, and where an input is unknown."""

    price_usd: PriceBand
    power_w: float | None
    switches: float | None
    cables: float | None
    bisection_bandwidth_bytes_per_s: float | None  # of one accelerator, one way
    mean_distance_links: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologySizes:
    topology: str
    title: str
    here: bool  # whether it is that of the scenario
    points: tuple[SizePoint, ...]
    ends: str  # what ends it before the largest size; empty where nothing does


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossingPoint:
    """From `accelerators` on `then` has less of the metric than `before`; `lowest` where nothing has less."""

    metric: str  # price_usd | power_w
    before: str
    then: str
    accelerators: float
    value: float
    lowest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricSizes:
    name: str
    supernodes: tuple[float, ...]
    accelerators: tuple[float, ...]
    here: float  # accelerators of the scenario
    topologies: tuple[TopologySizes, ...]
    crossings: tuple[CrossingPoint, ...]
    single_prices: tuple[str, ...]  # prices known without a range


def fabric_sizes(evaluated: EvaluatedScenario, options: SizesOptions) -> FabricSizes:
    """The curves of a scenario.

    Raises
    ------
    ScenarioError : an unknown topology, or a scenario without a compute fabric
    """
    fabric = compute_fabric_of(evaluated)
    here = fabric.pod.fabric.topology
    topologies = _topologies(options, here)
    supernodes = np.array(options.supernodes or usual_sizes(float(fabric.pod.supernodes[0])), float)
    with np.errstate(all="ignore"):
        sizes = size_curves(
            pod=fabric.pod,
            supernode=fabric.supernode,
            assumptions=fabric.assumptions,
            topologies=topologies,
            supernodes=supernodes,
            prices=fabric.prices,
        )
        found = {
            metric: crossings(
                names=topologies,
                accelerators=sizes.accelerators,
                values=np.stack([_metric(curve, metric) for curve in sizes.curves]),
            )
            for metric in METRICS
        }
    resolved = evaluated.resolved
    return FabricSizes(
        name=evaluated.document.name,
        supernodes=tuple(supernodes.tolist()),
        accelerators=tuple(sizes.accelerators.tolist()),
        here=float(fabric.pod.supernodes[0] * fabric.supernode.accelerators[0]),
        topologies=tuple(_topology(curve, here) for curve in sizes.curves),
        crossings=tuple(_crossing(metric, one) for metric in METRICS for one in found[metric]),
        single_prices=single_prices(resolved.origins, resolved.values),
    )


def usual_sizes(supernodes: float) -> tuple[float, ...]:
    """Powers of two and halfway between them, up to four times the pod and to 2,048 at least, and the pod itself.

    >>> usual_sizes(4)[:5], usual_sizes(4)[-1]
    ((2.0, 3.0, 4.0, 6.0, 8.0), 2048.0)
    """
    largest = min(max(4 * supernodes, 2048.0), float(LARGEST))
    powers = 2.0 ** np.arange(1, 17)
    sizes = np.unique(np.concatenate([powers, 1.5 * powers, [max(supernodes, 2.0)]]))
    return tuple(sizes[sizes <= max(largest, supernodes)].tolist())


def _topologies(options: SizesOptions, here: str) -> tuple[str, ...]:
    asked = options.topologies or (here, *USUAL)
    for place, name in enumerate(asked):
        if name not in TOPOLOGIES:
            raise refuse(
                f"There is no topology {name[:80]!r}.",
                rule="unknown_topology",
                path=f"topologies[{place}]",
                value=name[:80],
                hint=f"Nearest: {nearest_names(name[:80], list(TOPOLOGIES))}.",
            )
    return tuple(dict.fromkeys(asked))


def _metric(curve: SizeCurve, metric: str) -> Array:
    return curve.price_usd[:, 1] if metric == "price_usd" else curve.power_w


def _topology(curve: SizeCurve, here: str) -> TopologySizes:
    points = tuple(
        SizePoint(
            price_usd=PriceBand(
                low=finite_or_none(price[0]), typical=finite_or_none(price[1]), high=finite_or_none(price[2])
            ),
            power_w=finite_or_none(curve.power_w[place]),
            switches=finite_or_none(curve.switches[place]),
            cables=finite_or_none(curve.cables[place]),
            bisection_bandwidth_bytes_per_s=finite_or_none(curve.bisection_bandwidth_bytes_per_s[place]),
            mean_distance_links=finite_or_none(curve.mean_distance_links[place]),
        )
        for place, price in enumerate(curve.price_usd)
    )
    return TopologySizes(
        topology=curve.topology,
        title=curve.title,
        here=curve.topology == here,
        points=points,
        ends=curve.ends.message if curve.ends else "",
    )


def _crossing(metric: str, one: Crossing) -> CrossingPoint:
    return CrossingPoint(
        metric=metric,
        before=one.before,
        then=one.then,
        accelerators=one.accelerators,
        value=one.value,
        lowest=one.lowest,
    )


WORDS = {"price_usd": ("costs", "USD"), "power_w": ("draws", "W")}


def _usd(value: float | None) -> str:
    return show(value, "USD").text


def _range(price: Any) -> str:
    return f"{_usd(price.low)} to {_usd(price.high)}".rjust(14)


def _count(value: float | None) -> str:
    return "unknown" if value is None else number(value)


def _sum(values: Iterable[float | None]) -> float | None:
    found = list(values)
    return None if None in found else float(sum(value or 0.0 for value in found))


GROWTH = (
    Column("SuperNodes", "supernodes", number, 14),
    Column("switches", lambda stage: _sum(tier.switches for tier in stage.tiers), _count, 16),
    Column("links", lambda stage: _sum(tier.links for tier in stage.tiers), _count, 16),
    Column("moved", "moved_links", _count, 16),
    Column("free ports", "free_switch_ports", _count, 16),
    Column("price", "price_usd.typical", _usd, 16),
    Column("   low to high", "price_usd", _range),
)
SIZES = (
    Column("accelerators", lambda row: row[0], number, 14),
    Column("switches", lambda row: row[1].switches, _count, 16),
    Column("cables", lambda row: row[1].cables, _count, 16),
    Column("power", lambda row: show(row[1].power_w, "W").text, width=16),
    Column("price", lambda row: row[1].price_usd.typical, _usd, 16),
    Column("   low to high", lambda row: row[1].price_usd, _range),
)


def growth_text(answer: FabricGrowth) -> str:
    """A table a way to grow, a row a stage."""
    lines = [f"{answer.name}: {answer.topology}"]
    for plan in answer.plans:
        lines += ["", plan.title, *text_table(GROWTH, plan.stages)]
        lines.append(_total(plan))
    return "\n".join([*lines, *_about_prices(answer.single_prices)])


def sizes_text(answer: FabricSizes) -> str:
    """A table a topology, a row a size; then where curves cross."""
    lines = [answer.name]
    for one in answer.topologies:
        title = f"{one.title} (the scenario's)" if one.here else one.title
        points = zip(answer.accelerators, one.points, strict=True)
        lines += ["", title, *text_table(SIZES, (row for row in points if row[1].switches is not None))]
        if one.ends:
            lines.append(one.ends)
    titles = {one.topology: one.title for one in answer.topologies}
    lines.append("")
    for crossing in answer.crossings:
        verb, unit = WORDS[crossing.metric]
        lines.append(
            f"From {number(crossing.accelerators)} accelerators {titles[crossing.then]} {verb} less than "
            f"{titles[crossing.before]}: {show(crossing.value, unit).text}."
            + (" Nothing shown has less there." if crossing.lowest else "")
        )
    if not answer.crossings:
        lines.append("No two curves cross.")
    return "\n".join([*lines, *_about_prices(answer.single_prices)])


def _total(plan: GrowthPlan) -> str:
    price = plan.price_usd
    return (
        f"In all {_usd(price.typical)} ({_usd(price.low)} to {_usd(price.high)}), "
        f"{_count(plan.moved_links)} links moved"
    )


def _about_prices(single: tuple[str, ...]) -> list[str]:
    return ["", f"Known without a range: {'; '.join(single)}."] if single else []
