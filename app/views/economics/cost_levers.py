"""How far a utilised accelerator-hour moves with each of its terms, and what it costs in another building.

All of it is one block of designs that differ in numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.catalog.view import CatalogView
from app.engine.economics.build_up import usd_per_accelerator_hour_at_pue
from app.engine.explore.job_sizes import evaluate_block
from app.engine.facility.hours.metrics import pue_band_high, pue_band_low
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve import Resolved

HOUR = "cost.usd_per_accelerator_hour"
OUTPUTS = (
    HOUR,
    "cost.capex_usd",
    "cost.opex_usd_per_year",
    "cost.annual_cost_usd_per_year",
    "cost.tco_usd",
    "cost.capital_breakdown_usd_per_year.facility",
    "cost.capital_breakdown_usd_per_year.land",
    "cost.opex_breakdown_usd_per_year.colocation",
    "cost.opex_breakdown_usd_per_year.maintenance",
    "cost.opex_breakdown_usd_per_year.staff",
    "cost.opex_breakdown_usd_per_year.property_tax",
)
OF_BUILDING = slice(5, None)  # of the outputs
TERMS = (
    ("utilisation", "Utilisation", "1"),
    ("life_years", "Life of the equipment", "years"),
    ("wacc", "Cost of capital", "1"),
)
ELECTRICITY = "facility.site.electricity_price_usd_per_kwh"
OWNS = "economics.owns_building"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLever:
    """One term from low to high while all others stay. Unknown is NaN.

    `usd_per_accelerator_hour_low` is the cost at the low value of the term, which may be the greater one.
    """

    lever: str
    title: str
    unit: str
    value: float
    low: float
    high: float
    usd_per_accelerator_hour_low: float
    usd_per_accelerator_hour_high: float
    said: str

    @property
    def swing_usd(self) -> float:
        return abs(self.usd_per_accelerator_hour_high - self.usd_per_accelerator_hour_low)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingCase:
    """The design in a building of its own, or in colocation. `building_usd_per_year` is what goes with it."""

    building: str  # owned | colocation
    is_stated: bool
    capex_usd: float
    opex_usd_per_year: float
    building_usd_per_year: float
    annual_cost_usd_per_year: float
    tco_usd: float
    usd_per_accelerator_hour: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Range:
    """A term that is tried at both ends; `path` is its place in the design.

    `paid_share` is what is shown of it over what stands there: a price of the catalog is not what this buyer pays.
    """

    lever: str
    title: str
    unit: str
    path: str
    low: float
    high: float
    said: str
    paid_share: float = 1.0


def levers_and_buildings(
    scenario: EvaluatedScenario, catalog: CatalogView
) -> tuple[tuple[CostLever, ...], tuple[BuildingCase, ...], tuple[str, ...]]:
    """Cost levers by swing, both building types, and levers that could not be evaluated."""
    ranges = [*_terms(scenario.resolved, catalog), _electricity(catalog)]
    price, note = _price(scenario, catalog)
    if price is not None:
        ranges.append(price)
    changes: list[Mapping[str, float]] = [{one.path: end} for one in ranges for end in (one.low, one.high)]
    changes += [{OWNS: 1.0}, {OWNS: 0.0}]
    figures = _evaluated(scenario, changes)
    hours = figures[OUTPUTS.index(HOUR)]
    levers = [
        CostLever(
            lever=one.lever,
            title=one.title,
            unit=one.unit,
            value=first_of(scenario.resolved.values[one.path]) * one.paid_share,
            low=one.low * one.paid_share,
            high=one.high * one.paid_share,
            usd_per_accelerator_hour_low=float(hours[2 * place]),
            usd_per_accelerator_hour_high=float(hours[2 * place + 1]),
            said=one.said,
        )
        for place, one in enumerate(ranges)
    ]
    levers.append(_pue(scenario))
    levers.sort(key=lambda lever: -lever.swing_usd if np.isfinite(lever.swing_usd) else 0.0)
    owns = first_of(scenario.resolved.design.economics.owns_building) > 0
    buildings = (
        _building("owned", owns, figures[:, -2]),
        _building("colocation", not owns, figures[:, -1]),
    )
    return tuple(levers), buildings, (note,) if note else ()


def _evaluated(scenario: EvaluatedScenario, changes: list[Mapping[str, float]]) -> Array:
    """Figures of shape (outputs, designs), one design a change."""
    paths = dict.fromkeys(path for change in changes for path in change)
    stated = {path: first_of(scenario.resolved.values[path]) for path in paths}
    columns = {path: np.array([change.get(path, stated[path]) for change in changes]) for path in paths}
    return evaluate_block(scenario.resolved.design, columns, len(changes), OUTPUTS).values


def _terms(resolved: Resolved, catalog: CatalogView) -> list[_Range]:
    found = []
    for name, title, unit in TERMS:
        row = catalog.assumption("scenario", name, resolved.context)
        if row.low is None or row.high is None:
            continue
        said = f"range of the catalog: {row.source}"
        found.append(
            _Range(
                lever=name, title=title, unit=unit, path=f"economics.{name}",
                low=row.low, high=row.high, said=said,
            )
        )  # fmt: skip
    return found


def _electricity(catalog: CatalogView) -> _Range:
    prices = [
        fact.value
        for key in catalog.keys("sites")
        if (fact := catalog.part("sites", key).facts.get("electricity_price_usd_per_kwh")) is not None
    ]
    return _Range(
        lever="electricity",
        title="Electricity",
        unit="USD/kWh",
        path=ELECTRICITY,
        low=min(prices),
        high=max(prices),
        said=f"lowest and highest of the {len(prices)} sites of the catalog",
    )


def _price(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[_Range | None, str]:
    """The range of the price, or why there is none."""
    design = scenario.resolved.design
    if design.kinds:
        return None, "The prices of several kinds of SuperNode are not among what decides: each has its own."
    key, path, title = design.supernode.key, "supernode.price_usd", "Price per SuperNode"
    if np.isnan(design.supernode.price_usd).all():
        accelerator = design.supernode.accelerator
        key, path, title = accelerator.key, "supernode.accelerator.price_usd", "Price per accelerator"
    price = catalog.price(key)
    if price is None or price.low is None or price.high is None:
        return None, f"{title} is not among what decides: no range of it is published."
    listed = first_of(design.supernode.price_is_listed)
    paid = design.supernode.channel_price_ratio * (1 - design.economics.price_discount)
    return _Range(
        lever="price",
        title=title,
        unit="USD",
        path=path,
        low=price.low,
        high=price.high,
        said=f"range of the catalog: {price.source}",
        paid_share=first_of(paid) if listed else 1.0,
    ), ""


def _pue(scenario: EvaluatedScenario) -> CostLever:
    """Electricity and demand go with the PUE, all else stays."""
    sections, rooms = scenario.evaluation.sections, scenario.resolved.design.assumptions.rooms
    cost, pue, facility = sections.cost, sections.cooling.pue, rooms["facility"]
    low = pue_band_low(pue=pue, pue_operators_below=facility.pue_operators_below)
    high = pue_band_high(pue=pue, pue_operators_above=facility.pue_operators_above)
    hours = [
        usd_per_accelerator_hour_at_pue(
            usd_per_accelerator_hour=cost.usd_per_accelerator_hour,
            annual_cost_usd_per_year=cost.annual_cost_usd_per_year,
            electricity_usd_per_year=cost.opex_breakdown_usd_per_year["electricity"],
            demand_usd_per_year=cost.opex_breakdown_usd_per_year["demand"],
            pue=pue,
            other_pue=other,
        )
        for other in (low, high)
    ]
    return CostLever(
        lever="pue",
        title="PUE",
        unit="1",
        value=first_of(pue),
        low=first_of(low),
        high=first_of(high),
        usd_per_accelerator_hour_low=first_of(hours[0]),
        usd_per_accelerator_hour_high=first_of(hours[1]),
        said="tenth to ninetieth percentile of operators about the model",
    )


def _building(building: str, is_stated: bool, figures: Array) -> BuildingCase:
    hour, capex, opex, annual, tco = (float(figure) for figure in figures[: OF_BUILDING.start])
    return BuildingCase(
        building=building,
        is_stated=is_stated,
        capex_usd=capex,
        opex_usd_per_year=opex,
        building_usd_per_year=float(figures[OF_BUILDING].sum()),
        annual_cost_usd_per_year=annual,
        tco_usd=tco,
        usd_per_accelerator_hour=hour,
    )
