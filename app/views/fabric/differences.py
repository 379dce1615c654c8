"""Where the detailed bill differs from that of the evaluation, and why: other media, other lengths, other pieces."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.materials.bill import MaterialBill
from app.engine.fabric.topologies import asked_of, topology_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.floor import LaidOut
from app.views.fabric.part_figures import first

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
    planned = evaluated.resolved.design.pod.fabric.switch_transceiver
    reasons = []
    for count in made.counts.get("compute", ()):
        name = count.medium.name if count.medium else "nothing that may be taken"
        if count.medium is None or count.medium.key != planned.key:
            reasons.append(
                f"{count.links:,} {count.tier.replace('_', ' ')} links of the compute network are of {name}; the evaluation takes "
                f"{planned.name} for every link, whatever its length."
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
