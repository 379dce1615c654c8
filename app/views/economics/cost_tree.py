"""What a design costs to own, as a tree: what is bought and what is paid every year, down to a utilised
hour."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.catalog.view import CatalogView
from app.engine.economics.build_up import cost_share, part_tco_usd, part_usd_per_accelerator_hour
from app.engine.economics.section import Cost
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve import Resolved
from app.views.economics.cost_levers import BuildingCase, CostLever, levers_and_buildings
from app.views.table import Column, fixed, number, percent, text_table, titled_line, usd

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
    """The tree of a design, what decides its cost, and its cost in an owned building and in colocation."""
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


CAPITAL, RUNNING = "capital", "running"

BRANCHES = {
    "equipment": "IT equipment",
    "building": "Building",
    "utilities": "Electricity and water",
    "upkeep": "Running the cluster",
}
"""The branches of the tree in their order."""


class PartKind(NamedTuple):
    """A part: `places` are where in the design its price may stand, the first that is known says its source."""

    part: str
    branch: str
    title: str
    kind: str
    places: tuple[str, ...]
    said: str


def _assumed(name: str) -> tuple[str, ...]:
    return (f"assumptions.economics.{name}",)


SUPERNODE_PRICES = ("supernode.price_usd", "supernode.accelerator.price_usd")
PARTS = (
    PartKind("servers", "equipment", "SuperNodes", CAPITAL, SUPERNODE_PRICES, "price of a SuperNode"),
    PartKind("spares", "equipment", "Spares", CAPITAL, SUPERNODE_PRICES, "price of a SuperNode"),
    PartKind("network", "equipment", "Scale-out network", CAPITAL, ("pod.fabric.switch.price_usd",),
             "price of a switch; the bill of the fabric has every price"),
    PartKind("storage", "equipment", "Storage", CAPITAL, ("operations.storage.price_usd_per_tb",),
             "price of capacity"),
    PartKind("installation", "equipment", "Installation", CAPITAL, _assumed("installation_share"),
             "share of the equipment's price"),
    PartKind("duties", "equipment", "Duty and sales tax", CAPITAL,
             ("economics.import_duty_share", "economics.sales_tax_share"), "share of the equipment's price"),
    PartKind("facility", "building", "Shell and plant", CAPITAL, _assumed("facility_price_usd_per_mw"),
             "price of critical power"),
    PartKind("land", "building", "Land", CAPITAL, _assumed("land_price_usd_per_acre"), "price of an acre"),
    PartKind("colocation", "building", "Colocation", RUNNING, ("economics.colocation_usd_per_kw_month",),
             "price of provisioned power"),
    PartKind("maintenance", "building", "Maintenance", RUNNING, _assumed("maintenance_share_per_year"),
             "share of the building's price"),
    PartKind("staff", "building", "Facility staff", RUNNING, _assumed("staff_usd_per_mw_year"),
             "cost of critical power"),
    PartKind("property_tax", "building", "Property tax", RUNNING, _assumed("property_tax_share_per_year"),
             "share of the price of building and land"),
    PartKind("electricity", "utilities", "Electricity", RUNNING,
             ("facility.site.electricity_price_usd_per_kwh",), "price of energy"),
    PartKind("demand", "utilities", "Demand charges", RUNNING, _assumed("demand_charge_usd_per_kw_month"),
             "price of peak power"),
    PartKind("water", "utilities", "Water", RUNNING, ("facility.site.water_price_usd_per_m3",),
             "price of water"),
    PartKind("support", "upkeep", "Support and repair", RUNNING, _assumed("support_share_per_year"),
             "share of the equipment's price"),
    PartKind("engineers", "upkeep", "Cluster engineers", RUNNING,
             _assumed("cluster_engineers_per_accelerator"), "engineers per accelerator"),
    PartKind("software", "upkeep", "Software", RUNNING, _assumed("software_usd_per_accelerator_hour"),
             "price of an accelerator-hour"),
    PartKind("insurance", "upkeep", "Insurance", RUNNING, _assumed("insurance_share_per_year"),
             "share of the insured value"),
)  # fmt: skip
OF_OWNERS = ("facility", "land", "maintenance", "staff", "property_tax")
OF_TENANTS = ("colocation",)
OF_ALL_IT = ("network", "storage")


def parts_of(owns_building: bool) -> tuple[PartKind, ...]:
    """The parts of an owned building, or of colocation."""
    elsewhere = OF_TENANTS if owns_building else OF_OWNERS
    return tuple(part for part in PARTS if part.part not in elsewhere)


class PartSource(NamedTuple):
    """Source of the price of a part: `basis` is the kind of the value, such as assumption."""

    basis: str
    source: str
    as_of: str


def part_source(kind: PartKind, resolved: Resolved) -> PartSource:
    """Source of the price of a part; unknown where no place has one."""
    if kind.part in OF_ALL_IT and first_of(resolved.design.supernode.price_includes_network) > 0:
        return PartSource("derived", "in the price of the SuperNodes, which is of all IT", "")
    for place in kind.places:
        value, origin = resolved.values.get(place), resolved.origins.get(place)
        if value is None or origin is None or np.isnan(value).all():
            continue
        if origin.kind == "scenario":
            return PartSource("scenario", f"{kind.said}: stated in {origin.field or place}", "")
        return PartSource(origin.kind, f"{kind.said}: {origin.source}", origin.date)
    return PartSource("unknown", f"{kind.said}: not published", "")


TEXT_PARTS = (
    Column("", "title", width=-24),
    Column(
        "Price, USD", "price_usd", lambda price: number(price) if price else "", 18
    ),  # else none is bought
    Column("A year, USD", "usd_per_year", fixed(0), 18),
    Column("Utilised hour, USD", "usd_per_accelerator_hour", usd, 16),
    Column("Share", "share", percent, 9),
)


def _term(lever: CostLever) -> str:
    return lever.title if lever.unit == "1" else f"{lever.title}, {lever.unit}"


LEVERS = (
    Column("Main drivers", _term, width=-26),
    Column("Low", "low", "{:,.6g}".format, 12),
    Column("High", "high", "{:,.6g}".format, 12),
    Column("Hour at low", "usd_per_accelerator_hour_low", usd, 14),
    Column("Hour at high", "usd_per_accelerator_hour_high", usd, 14),
)


def _building(case: BuildingCase) -> str:
    return f"{case.building.capitalize()}{' (this design)' if case.is_stated else ''}"


BUILDINGS = (
    Column("Building", _building, width=-26),
    Column("Capital, USD", "capex_usd", fixed(0), 18),
    Column("A year, USD", "annual_cost_usd_per_year", fixed(0), 18),
    Column("Utilised hour, USD", "usd_per_accelerator_hour", usd, 16),
)


def cost_text(tree: CostTree) -> str:
    """The tree with its sums, what decides, and both buildings."""
    lines = [
        f"{tree.name}: {number(tree.together.tco_usd)} USD over {tree.life_years:g} years",
        "",
        *text_table(TEXT_PARTS, ()),
    ]
    for branch in tree.branches:
        lines.append(titled_line(branch.title, branch.together, TEXT_PARTS))
        lines += [titled_line(f"  {part.title}", part, TEXT_PARTS) for part in branch.parts]
    hours = tree.hours
    lines += [
        titled_line("Total", tree.together, TEXT_PARTS),
        "",
        (
            f"Accelerator-hour, USD: {usd(hours.installed_usd)} installed, {usd(hours.available_usd)} available, "
            f"{usd(hours.used_usd)} used, {usd(hours.useful_usd)} useful"
        ),
        "",
        *text_table(LEVERS, tree.levers),
        *tree.notes,
        "",
        *text_table(BUILDINGS, tree.buildings),
        "",
        tree.basis,
    ]
    return "\n".join(lines)
