"""A pod that grows: what its compute fabric buys at each stage, laid out for each stage or for the last."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from app.engine.fabric.growth.plan import Growth, GrowthLine, growth
from app.engine.fabric.sizes.curves import not_joined
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part, Whole, fault
from app.views.fabric.compute import FabricRoom, compute_fabric_of, finite_or_none
from app.views.fabric.parts import single_prices

MOST_STAGES = 12
MOST_LINKS = 600_000
"""Of nodes, in all planes, at the final size."""
USUAL_STAGES = 4
LAYOUTS = {
    "each_stage": "Laid out for each stage",
    "final_size": "Laid out for the final size",
}


class GrowthOptions(Part):
    """The stages that a pod grows by."""

    stages: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=1_000_000)], ...],
        Field(strict=False, max_length=MOST_STAGES),
    ] = Field(
        default=(),
        description="SuperNodes at the end of each stage, rising, the final size last, at most twelve; four equal "
        "steps to the size of the pod when left out.",
    )

    @model_validator(mode="after")
    def _rises(self) -> GrowthOptions:
        stages = self.stages
        if any(after <= before for before, after in pairwise(stages)):
            raise fault(
                "rising",
                "the list of stages does not rise",
                hint="state every stage once, the smallest first",
                field="stages",
            )
        if len(stages) == 1:
            raise fault(
                "two_stages", "the list has one stage", hint="state two stages or more", field="stages"
            )
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePrice:
    low: float | None
    typical: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLine:
    """One role of the bill at one stage."""

    item: str
    bought: float | None
    owned: float | None
    idle: float | None  # owned, and the fabric of the stage has no place for it
    price_usd: StagePrice


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTier:
    name: str
    switches: float | None
    links: float | None
    moved_links: float | None  # of the stage before, laid again


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthStage:
    supernodes: float
    nics: float  # compute NICs in the pod by then
    tiers: tuple[StageTier, ...]
    lines: tuple[StageLine, ...]
    moved_links: float | None
    free_switch_ports: float | None
    price_usd: StagePrice
    price_so_far_usd: StagePrice


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthPlan:
    layout: str  # each_stage | final_size
    title: str
    stages: tuple[GrowthStage, ...]
    moved_links: float | None
    price_usd: StagePrice


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricGrowth:
    name: str
    topology: str
    plans: tuple[GrowthPlan, ...]
    single_prices: tuple[str, ...]  # prices known without a range


def fabric_growth(evaluated: EvaluatedScenario, options: GrowthOptions) -> FabricGrowth:
    """Both ways to grow.

    Raises
    ------
    ScenarioError : no compute fabric, nothing to grow by, or more links than are counted one by one
    """
    fabric = compute_fabric_of(evaluated)
    stages = options.stages or usual_stages(int(fabric.pod.supernodes[0]))
    _check_size(fabric, stages)
    resolved = evaluated.resolved
    with np.errstate(all="ignore"):
        _check_built(fabric, stages[-1])
        plans = tuple(
            _plan(
                growth(
                    pod=fabric.pod,
                    supernode=fabric.supernode,
                    assumptions=fabric.assumptions,
                    stages=stages,
                    layout=layout,
                    prices=fabric.prices,
                ),
                float(fabric.supernode.scale_out_nics[0]),
            )
            for layout in ("each_stage", "final_size")
        )
    return FabricGrowth(
        name=evaluated.document.name,
        topology=TOPOLOGIES[fabric.pod.fabric.topology].title,
        plans=plans,
        single_prices=single_prices(resolved.origins, resolved.values),
    )


def usual_stages(supernodes: int) -> tuple[int, ...]:
    """Four equal steps, fewer where the pod is smaller than that.

    >>> usual_stages(2048), usual_stages(3), usual_stages(1)
    ((512, 1024, 1536, 2048), (1, 2, 3), (1,))
    """
    steps = np.ceil(np.arange(1, USUAL_STAGES + 1) * supernodes / USUAL_STAGES)
    return tuple(np.unique(steps.astype(int)).tolist())


def _check_size(fabric: FabricRoom, stages: tuple[int, ...]) -> None:
    if len(stages) < 2:
        raise refuse(
            "A pod of one SuperNode has no stages to grow by.",
            rule="two_stages",
            path="stages",
            value=list(stages),
            hint="State the stages, or more SuperNodes.",
        )
    links = float(fabric.supernode.scale_out_nics[0] * fabric.pod.fabric.planes[0])
    most = int(MOST_LINKS // max(links, 1.0))
    if stages[-1] > most:
        raise refuse(
            f"{stages[-1]:,} SuperNodes have more links than are followed one by one.",
            rule="too_many_links",
            path=f"stages[{len(stages) - 1}]",
            value=stages[-1],
            hint=f"State at most {most:,} SuperNodes of this kind.",
        )


def _check_built(fabric: FabricRoom, supernodes: int) -> None:
    problem = not_joined(fabric.pod, fabric.supernode, fabric.assumptions, supernodes)
    if problem is not None:
        raise refuse(
            f"The fabric of {supernodes:,} SuperNodes cannot be built. {problem.message}",
            rule="cannot_be_built",
            path="scenario.pod.fabric",
            value=supernodes,
            hint=problem.fix.message if problem.fix else "State fewer SuperNodes, or another topology.",
        )


def _plan(found: Growth, nics: float) -> GrowthPlan:
    so_far = np.cumsum(found.price_usd, axis=0)
    moved = sum((tier.moved_links for tier in found.tiers), start=np.zeros(found.supernodes.size))
    stages = tuple(
        GrowthStage(
            supernodes=float(size),
            nics=float(size) * nics,
            tiers=tuple(
                StageTier(
                    name=tier.name,
                    switches=finite_or_none(tier.switches[place]),
                    links=finite_or_none(tier.links[place]),
                    moved_links=finite_or_none(tier.moved_links[place]),
                )
                for tier in found.tiers
            ),
            lines=tuple(_line(line, place) for line in found.lines),
            moved_links=finite_or_none(moved[place]),
            free_switch_ports=finite_or_none(found.free_ports[place]),
            price_usd=_price(found.price_usd[place]),
            price_so_far_usd=_price(so_far[place]),
        )
        for place, size in enumerate(found.supernodes)
    )
    return GrowthPlan(
        layout=found.layout,
        title=LAYOUTS[found.layout],
        stages=stages,
        moved_links=finite_or_none(moved.sum()),
        price_usd=_price(so_far[-1]),
    )


def _line(line: GrowthLine, place: int) -> StageLine:
    return StageLine(
        item=line.item,
        bought=finite_or_none(line.bought[place]),
        owned=finite_or_none(line.owned[place]),
        idle=finite_or_none(line.idle[place]),
        price_usd=_price(line.price_usd[place]),
    )


def _price(values: Array) -> StagePrice:
    return StagePrice(
        low=finite_or_none(values[0]), typical=finite_or_none(values[1]), high=finite_or_none(values[2])
    )
