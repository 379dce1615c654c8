"""The detailed bill of materials of an evaluated scenario, and how it stands to that of the evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.floor.floor import RACK_KINDS, Measured
from app.engine.fabric.materials.bill import MaterialBill, material_bill
from app.engine.fabric.materials.lines import MaterialLine, Totals, totals_of
from app.engine.fabric.materials.parts import BillRules, Network, NetworkParts, Shares, Work
from app.engine.problems import Problem
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.fabric.differences import (
    Difference,
    TierLength,
    assumed_lengths_m,
    differences_of,
    reasons_of,
    tier_lengths,
)
from app.views.fabric.floor import LaidOut, floor_of
from app.views.fabric.part_figures import first
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
    laid = laid or floor_of(evaluated, with_ports=False)
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
