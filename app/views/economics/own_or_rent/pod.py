"""What owning and renting are computed from: figures of an evaluated scenario."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.economics import bills, capital, finance, rent
from app.engine.specs import Renting
from app.engine.trace import Array
from app.scenarios.evaluation.service import EvaluatedScenario

LONGEST_MONTHS = 600
"""Months that a break-even is looked for in; a scenario's horizon is at most as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PodMoney:
    """Money in USD, lives in months; `rate` is the cost of capital a month."""

    renting: Renting
    capex: Array
    equipment: Array
    installation: Array
    facility: Array
    land: Array
    fixed_per_year: Array  # running cost of a pod that waits
    at_full_use_per_year: Array  # what full use adds
    annual_cost: Array  # level yearly cost of the evaluation
    utilisation: Array
    peak_over_mean: Array
    life: Array
    facility_life: Array
    residual_value: Array
    rate: Array
    available_hours_per_year: Array
    storage_bytes: Array

    @property
    def used_hours_per_month(self) -> Array:
        return self.available_hours_per_year * self.utilisation / 12


def pod_money(scenario: EvaluatedScenario) -> PodMoney:
    """The figures of a scenario."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    economics, cost = design.economics, sections.cost
    assumptions = design.assumptions.rooms["economics"]
    bought = cost.capex_breakdown_usd
    rising = rent.use_dependent_usd_per_year(
        **bills.full_use(design.facility, sections.power, sections.cooling, assumptions)
    )
    return PodMoney(
        renting=economics.renting,
        capex=cost.capex_usd,
        equipment=capital.equipment_usd(**{f"{name}_usd": bought[name] for name in bills.EQUIPMENT}),
        installation=bought["installation"],
        facility=bought["facility"],
        land=bought["land"],
        fixed_per_year=cost.opex_usd_per_year - rising * economics.utilisation,
        at_full_use_per_year=rising,
        annual_cost=cost.annual_cost_usd_per_year,
        utilisation=economics.utilisation,
        peak_over_mean=economics.renting.peak_over_mean,
        life=12 * economics.life_years,
        facility_life=12 * assumptions.facility_life_years,
        residual_value=economics.residual_value,
        rate=finance.monthly_rate(yearly_rate=economics.wacc),
        available_hours_per_year=bills.yearly_hours(
            design.supernode, design.pod, economics, sections.reliability
        )["available"],
        storage_bytes=sections.reliability.storage_capacity_bytes,
    )
