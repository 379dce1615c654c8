"""What owning and renting are computed from: figures of an evaluated scenario."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics import bills, capital, finance, rent
from app.engine.economics.renting import owning
from app.engine.economics.renting.bill import worth_of_payments
from app.engine.facility.power_supply.supplied import as_supplied
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
        **bills.full_use(
            as_supplied(design, sections.power, sections.cooling),
            sections.power,
            sections.cooling,
            assumptions,
        )
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
            design.supernode, design.pod, economics, sections.reliability, sections.power
        )["available"],
        storage_bytes=sections.reliability.storage_capacity_bytes,
    )


MONTH: Array = np.arange(1.0, LONGEST_MONTHS + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """Costs of the whole pod after each month of MONTH. What lives longer is credited in all but `cash`."""

    equipment: Array
    installation: Array
    facility: Array
    waiting: Array  # running cost of a pod that never works
    at_full_use: Array  # what full use adds
    annuity: Array  # worth of a dollar at the end of every month so far

    @property
    def fixed(self) -> Array:
        return self.equipment + self.installation + self.facility + self.waiting

    def total(self, utilisation: Array) -> Array:
        return self.fixed + self.at_full_use * utilisation


def owned_of(pod: PodMoney) -> Owned:
    """Cumulative cost of owning by month."""
    until = {"month": MONTH, "monthly_rate": pod.rate}
    return Owned(
        equipment=owning.equipment_net_usd(
            equipment_usd=pod.equipment, residual_value=pod.residual_value, life_months=pod.life, **until
        ),
        installation=owning.installation_net_usd(
            installation_usd=pod.installation, life_months=pod.life, **until
        ),
        facility=owning.facility_net_usd(
            facility_usd=pod.facility, facility_life_months=pod.facility_life, **until
        )
        + owning.land_net_usd(land_usd=pod.land, **until),
        waiting=owning.running_so_far_usd(usd_per_year=pod.fixed_per_year, **until),
        at_full_use=owning.running_so_far_usd(usd_per_year=pod.at_full_use_per_year, **until),
        annuity=worth_of_payments(**until),
    )


def cash_of(pod: PodMoney, owned: Owned, share: Array, served: Array) -> Array:
    """Cash paid after each month for a share of the pod that does some of the demand."""
    return owning.own_cash_usd(
        capex_usd=pod.capex * share,
        equipment_usd=pod.equipment * share,
        installation_usd=pod.installation * share,
        residual_value=pod.residual_value,
        life_months=pod.life,
        running_usd=owned.waiting * share + owned.at_full_use * served,
        month=MONTH,
        monthly_rate=pod.rate,
    )


def level_payment(pod: PodMoney) -> Array:
    """Capital of a month in level payments."""
    lives = {"monthly_rate": pod.rate}
    none = np.zeros(1)
    return (
        owning.level_usd_per_month(
            price_usd=pod.equipment, residual_value=pod.residual_value, life_months=pod.life, **lives
        )
        + owning.level_usd_per_month(
            price_usd=pod.installation, residual_value=none, life_months=pod.life, **lives
        )
        + owning.level_usd_per_month(
            price_usd=pod.facility, residual_value=none, life_months=pod.facility_life, **lives
        )
        + pod.land * pod.rate
    )
