"""The detailed bill of materials of an evaluated scenario, and how it stands to that of the evaluation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.floor.floor import RACK_KINDS, Measured
from app.engine.fabric.materials.bill import MaterialBill, material_bill
from app.engine.fabric.materials.parts import (
    BillRules,
    MaterialLine,
    Network,
    NetworkParts,
    Shares,
    Totals,
    Work,
    totals_of,
)
from app.engine.fabric.tier_parts import has_own_tiers, module_of
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.problems import Problem
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.fabric.floor import LaidOut, floor_of
from app.views.fabric.media import first
from app.views.fabric.parts import network_parts


class BillOptions(Part):
    """Options of the bill of materials."""

    lengths: Literal["floor", "assumed"] = Field(
        default="floor",
        description="Lengths of cables: as laid on the floor plan, or as the evaluation assumes them by tier.",
    )
    patched_from_m: Annotated[float, Field(gt=0, le=10_000)] | None = Field(
        default=None,
        description="Fibres of at least this length run over patch panels at both ends; none does when left out.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RackLine:
    """Racks of one kind."""

    kind: str
    racks: int
    used_units: int
    installation_s: float


GROUPS = {
    "Switches": (("switch", "line_card"), ("switches",)),
    "Optical modules": (("module",), ("modules",)),
    "Cables and fibres": (("cable", "fibre", "trunk", "patch_panel"), ("fibres", "cables")),
    "NICs and DPUs": (("nic", "dpu"), ("nics",)),
}
"""Roles here, and the last words of the items of the evaluation."""
TIER_ASSUMPTIONS = {
    "leaf": "node_cable_length_m",
    "spine": "spine_cable_length_m",
    "core": "core_cable_length_m",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One group of pieces in both bills. Unknown is NaN."""

    group: str
    bought: float
    evaluated_bought: float
    price_usd: float
    evaluated_price_usd: float

    @property
    def is_same(self) -> bool:
        return math.isclose(self.bought, self.evaluated_bought) and (
            math.isclose(self.price_usd, self.evaluated_price_usd)
            or (math.isnan(self.price_usd) and math.isnan(self.evaluated_price_usd))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TierLength:
    """Cable lengths of a tier of the compute fabric, computed and assumed."""

    tier: str
    links: int
    mean_m: float
    longest_m: float
    assumed_m: float
    assumption: str  # of FabricAssumptions; "" where none sets it by itself


def differences_of(evaluated: EvaluatedScenario, made: MaterialBill) -> tuple[Difference, ...]:
    """Pieces bought and money in both, group by group.

    NICs that come with the SuperNode are counted here alone: the evaluation leaves them out of its bill.
    """
    lines = evaluated.evaluation.sections.fabric.bill
    found = []
    for group, (roles, words) in GROUPS.items():
        mine = [line for line in made.lines if line.role in roles]
        theirs = [line for line in lines if line.item.lower().split()[-1] in words]
        if mine or theirs:
            found.append(
                Difference(
                    group=group,
                    bought=_sum(line.bought for line in mine if line.role != "line_card"),
                    evaluated_bought=_sum(first(line.count) for line in theirs),
                    price_usd=_sum(line.price.typical for line in mine),
                    evaluated_price_usd=_sum(first(line.price_usd) for line in theirs),
                )
            )
    return tuple(found)


def reasons_of(evaluated: EvaluatedScenario, made: MaterialBill) -> tuple[str, ...]:
    """Reasons for the difference of the two bills, largest first; none where they do not."""
    plan = evaluated.resolved.design.pod.fabric
    reasons = []
    for count in made.counts.get("compute", ()):
        planned = module_of(plan, count.tier)
        name = count.medium.name if count.medium else "nothing that may be taken"
        if count.medium is None or count.medium.key != planned.key:
            reasons.append(
                f"{count.links:,} {count.tier.replace('_', ' ')} links of the compute network are of {name}; the evaluation takes "
                f"{planned.name} for every link{' of the tier' if has_own_tiers(plan) else ''}, whatever its length."
            )
    if _in_switches(evaluated) != sum(count.switch_modules for count in made.counts.get("compute", ())):
        reasons.append(
            "Modules in switches are counted cage by cage here, and over all switches of a tier in the evaluation."
        )
    if any(line.role == "patch_panel" for line in made.lines):
        reasons.append(
            "Patched links take two jumpers, panels and trunks; the evaluation takes one fibre a link."
        )
    if any(line.role in ("nic", "dpu") and line.price.typical == 0 for line in made.lines):
        reasons.append(
            "NICs that come with their SuperNode are counted here at no price, and not in the evaluation."
        )
    if reasons and any(line.spare for line in made.lines):
        reasons.append(
            "Spares are whole pieces of every part of every tier, so more parts round up more often."
        )
    return tuple(reasons)


def _in_switches(evaluated: EvaluatedScenario) -> float:
    """Modules in switches of the compute fabric, as evaluated."""
    return float(sum(first(tier.switch_modules) for tier in evaluated.evaluation.sections.fabric.tiers))


def tier_lengths(evaluated: EvaluatedScenario, laid: LaidOut) -> tuple[TierLength, ...]:
    """The tiers of the compute fabric, with the lengths of the floor plan."""
    if "compute" not in laid.graphs:
        return ()
    graph, lengths = laid.graphs["compute"], laid.lengths_m["compute"]
    assumed = assumed_lengths_m(evaluated)
    found = []
    for number, tier in enumerate(graph.tiers):
        mine = lengths[graph.tier_slice(number)]
        if mine.size:
            found.append(
                TierLength(
                    tier=tier,
                    links=int(mine.size),
                    mean_m=float(np.mean(mine)),
                    longest_m=float(np.max(mine)),
                    assumed_m=assumed.get(tier, math.nan),
                    assumption=TIER_ASSUMPTIONS.get(tier, ""),
                )
            )
    return tuple(found)


def assumed_lengths_m(evaluated: EvaluatedScenario) -> dict[str, float]:
    """What the evaluation takes a cable of each tier of the compute fabric to be long."""
    design = evaluated.resolved.design
    assumptions: FabricAssumptions = design.assumptions.rooms["fabric"]
    with np.errstate(all="ignore"):
        ask = asked_of(pod=design.pod, supernode=design.supernode, assumptions=assumptions)
        layers = topology_of(design.pod.fabric.topology).shape(ask).layers
    return {layer.name: first(layer.cable_length_m) for layer in layers}


def _sum(values: Iterable[float]) -> float:
    return float(sum(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricBill:
    """Everything that is bought for the networks of a pod. Unknown is NaN."""

    name: str
    options: BillOptions
    parts: Mapping[str, NetworkParts]  # by network
    made: MaterialBill
    totals: Totals
    network_totals: Mapping[str, Totals]
    racks: tuple[RackLine, ...]
    tier_lengths: tuple[TierLength, ...]
    differences: tuple[Difference, ...]
    reasons: tuple[str, ...]  # why they are there
    problems: tuple[Problem, ...]

    @property
    def lines(self) -> list[MaterialLine]:
        return self.made.lines

    @property
    def measured_assumptions(self) -> dict[str, float]:
        """Mean lengths on the floor plan as assumptions of a scenario, to 0.1 m, where it has others."""
        return {
            f"fabric.{tier.assumption}": round(tier.mean_m, 1)
            for tier in self.tier_lengths
            if tier.assumption and round(tier.mean_m, 1) != round(tier.assumed_m, 1)
        }


def fabric_bill(
    evaluated: EvaluatedScenario, catalog: CatalogView, options: BillOptions, laid: LaidOut | None = None
) -> FabricBill:
    """The bill of all networks of a pod; `laid` is its floor where that is at hand."""
    laid = laid or floor_of(evaluated)  # with ports, as modules are counted by cage
    parts = network_parts(evaluated, catalog, laid.graphs)
    made = material_bill(laid_networks(evaluated, laid, parts, options), bill_rules(evaluated, options))
    return FabricBill(
        name=evaluated.document.name,
        options=options,
        parts=parts,
        made=made,
        totals=totals_of(made.lines),
        network_totals={
            name: totals_of([line for line in made.lines if line.network == name]) for name in laid.graphs
        },
        racks=_racks(evaluated, laid),
        tier_lengths=tier_lengths(evaluated, laid),
        differences=differences_of(evaluated, made),
        reasons=reasons_of(evaluated, made),
        problems=(*made.problems, *laid.problems),
    )


def laid_networks(
    evaluated: EvaluatedScenario, laid: LaidOut, parts: Mapping[str, NetworkParts], options: BillOptions
) -> dict[str, Network]:
    """The networks of a pod as the engine takes them."""
    lengths = laid.lengths_m if options.lengths == "floor" else _assumed_lengths_m(evaluated, laid)
    return {
        name: Network(
            graph=graph,
            lengths_m=lengths[name],
            parts=parts[name],
            device_rack=laid.floor.places[name].rack,
        )
        for name, graph in laid.graphs.items()
    }


def bill_rules(evaluated: EvaluatedScenario, options: BillOptions) -> BillRules:
    """Spares and work by the assumptions of the scenario."""
    assumed = _assumptions(evaluated)
    return BillRules(
        spares=Shares(
            switches=first(assumed.switch_spare_share),
            adapters=first(assumed.nic_spare_share),
            cabling=first(assumed.spare_share),
        ),
        work=Work(
            switch_s=first(assumed.switch_installation_s),
            adapter_s=first(assumed.nic_installation_s),
            module_s=first(assumed.module_installation_s),
            cable_s=first(assumed.cable_installation_s),
            panel_s=first(assumed.panel_installation_s),
            rack_s=first(assumed.rack_installation_s),
        ),
        trunk_links=first(assumed.trunk_links),
        panel_links=first(assumed.panel_links),
        patched_from_m=math.nan if options.patched_from_m is None else options.patched_from_m,
    )


def _assumptions(evaluated: EvaluatedScenario) -> FabricAssumptions:
    found: FabricAssumptions = evaluated.resolved.design.assumptions.rooms["fabric"]
    return found


def _assumed_lengths_m(evaluated: EvaluatedScenario, laid: LaidOut) -> dict[str, Measured]:
    """What the evaluation takes by tier; where it assumes nothing, the floor says it."""
    lengths = {name: np.array(laid_m) for name, laid_m in laid.lengths_m.items()}
    if "compute" in lengths:
        for tier, length_m in assumed_lengths_m(evaluated).items():
            lengths["compute"][laid.graphs["compute"].of_tier(tier)] = length_m
    return lengths


def _racks(evaluated: EvaluatedScenario, laid: LaidOut) -> tuple[RackLine, ...]:
    """Racks by kind; those that SuperNodes are delivered in are set up as well."""
    each_s = first(_assumptions(evaluated).rack_installation_s)
    racks = laid.floor.racks
    lines = []
    for number, kind in enumerate(RACK_KINDS):
        mine = racks.kind == number
        count = int(np.count_nonzero(mine))
        if count:
            lines.append(
                RackLine(
                    kind=kind,
                    racks=count,
                    used_units=int(racks.used_u[mine].sum()),
                    installation_s=count * each_s,
                )
            )
    return tuple(lines)
