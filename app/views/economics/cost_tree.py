"""What a design costs to own, as a tree: what is bought and what is paid every year, down to a used hour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.catalog.view import CatalogView
from app.engine.economics.build_up import cost_share, part_tco_usd, part_usd_per_accelerator_hour
from app.engine.economics.section import Cost
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.cost_levers import BuildingCase, CostLever, levers_and_buildings
from app.views.economics.cost_parts import BRANCHES, CAPITAL, PartKind, part_source, parts_of

UNKNOWN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTreeSum:
    """Sum of a branch or of the whole tree. Unknown is NaN.

    `price_usd` is what is bought of it; `tco_usd` is over the life of the equipment, interest included.
    """

    price_usd: float
    usd_per_year: float
    tco_usd: float
    usd_per_accelerator_hour: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTreePart:
    """A leaf of the tree. `price_usd` is None for what is only paid by the year; unknown is NaN.

    `path` is the figure of the evaluation that `usd_per_year` is, `price_path` that of the price.
    """

    part: str
    branch: str
    title: str
    kind: str  # capital | running
    price_usd: float | None
    usd_per_year: float
    tco_usd: float
    usd_per_accelerator_hour: float
    share: float
    basis: str
    source: str
    as_of: str
    path: str
    price_path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTreeBranch:
    branch: str
    title: str
    together: CostTreeSum
    parts: tuple[CostTreePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTreeHours:
    """The levelised cost of an accelerator-hour in its four meanings."""

    installed_usd: float
    available_usd: float
    used_usd: float
    useful_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTree:
    """The cost of owning a design; its parts sum to its branches, and these to `together`."""

    name: str
    basis: str
    life_years: float
    utilisation: float
    together: CostTreeSum
    branches: tuple[CostTreeBranch, ...]
    hours: CostTreeHours
    levers: tuple[CostLever, ...]
    buildings: tuple[BuildingCase, ...]
    notes: tuple[str, ...]

    @property
    def parts(self) -> tuple[CostTreePart, ...]:
        """All leaves in the order of the tree."""
        return tuple(part for branch in self.branches for part in branch.parts)


def cost_tree(scenario: EvaluatedScenario, catalog: CatalogView) -> CostTree:
    """The tree of a design, what decides its cost, and its cost in a building of one's own and in colocation."""
    design, cost = scenario.resolved.design, scenario.evaluation.sections.cost
    life = design.economics.life_years
    owns = first_of(design.economics.owns_building) > 0
    parts = [_part(scenario, kind, cost, life) for kind in parts_of(owns)]
    levers, buildings, notes = levers_and_buildings(scenario, catalog)
    return CostTree(
        name=scenario.document.name,
        basis=cost.basis,
        life_years=first_of(life),
        utilisation=first_of(design.economics.utilisation),
        together=CostTreeSum(
            price_usd=first_of(cost.capex_usd),
            usd_per_year=first_of(cost.annual_cost_usd_per_year),
            tco_usd=first_of(cost.tco_usd),
            usd_per_accelerator_hour=first_of(cost.usd_per_accelerator_hour),
            share=_share(cost.annual_cost_usd_per_year, cost),
        ),
        branches=tuple(
            _branch(branch, [part for part in parts if part.branch == branch]) for branch in BRANCHES
        ),
        hours=CostTreeHours(
            installed_usd=first_of(cost.usd_per_installed_accelerator_hour),
            available_usd=first_of(cost.usd_per_available_accelerator_hour),
            used_usd=first_of(cost.usd_per_accelerator_hour),
            useful_usd=first_of(cost.usd_per_useful_accelerator_hour),
        ),
        levers=levers,
        buildings=buildings,
        notes=notes,
    )


def _part(scenario: EvaluatedScenario, kind: PartKind, cost: Cost, life_years: Array) -> CostTreePart:
    is_bought = kind.kind == CAPITAL
    section = "capital_breakdown_usd_per_year" if is_bought else "opex_breakdown_usd_per_year"
    yearly: Array = getattr(cost, section)[kind.part]
    share = cost_share(part_usd_per_year=yearly, annual_cost_usd_per_year=cost.annual_cost_usd_per_year)
    hour = part_usd_per_accelerator_hour(
        cost_share=share, usd_per_accelerator_hour=cost.usd_per_accelerator_hour
    )
    source = part_source(kind, scenario.resolved)
    return CostTreePart(
        part=kind.part,
        branch=kind.branch,
        title=kind.title,
        kind=kind.kind,
        price_usd=first_of(cost.capex_breakdown_usd[kind.part]) if is_bought else None,
        usd_per_year=first_of(yearly),
        tco_usd=first_of(part_tco_usd(part_usd_per_year=yearly, life_years=life_years)),
        usd_per_accelerator_hour=first_of(hour),
        share=first_of(share),
        basis=source.basis,
        source=source.source,
        as_of=source.as_of,
        path=f"cost.{section}.{kind.part}",
        price_path=f"cost.capex_breakdown_usd.{kind.part}" if is_bought else "",
    )


def _branch(branch: str, parts: list[CostTreePart]) -> CostTreeBranch:
    return CostTreeBranch(
        branch=branch,
        title=BRANCHES[branch],
        parts=tuple(parts),
        together=CostTreeSum(
            price_usd=_sum(part.price_usd or 0.0 for part in parts),
            usd_per_year=_sum(part.usd_per_year for part in parts),
            tco_usd=_sum(part.tco_usd for part in parts),
            usd_per_accelerator_hour=_sum(part.usd_per_accelerator_hour for part in parts),
            share=_sum(part.share for part in parts),
        ),
    )


def _sum(values: Iterable[float]) -> float:
    return float(sum(values))


def _share(yearly: Array, cost: Cost) -> float:
    share = cost_share(part_usd_per_year=yearly, annual_cost_usd_per_year=cost.annual_cost_usd_per_year)
    return first_of(share)
