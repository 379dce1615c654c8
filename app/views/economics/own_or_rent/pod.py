"""What owning and renting are computed from: figures of an evaluated scenario."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from app.engine.economics import bills, finance, rent
from app.engine.economics.renting import owning
from app.engine.economics.renting.bill import worth_of_payments
from app.engine.economics.residual import ValueCurve, value_curves
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
    equipment: dict[str, Array]  # by kind: servers with spares, network, storage
    curves: dict[str, ValueCurve]  # of the same kinds
    installation: Array  # duty and sales tax with it
    facility: dict[str, Array]  # plant and shell
    facility_lives: dict[str, Array]
    land: Array
    fixed_per_year: Array  # running cost of a pod that waits
    at_full_use_per_year: Array  # what full use adds
    annual_cost: Array  # level yearly cost of the evaluation
    utilisation: Array
    peak_over_mean: Array
    life: Array  # of SuperNodes
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
        equipment={
            "servers": bought["servers"] + bought["spares"],
            "network": bought["network"],
            "storage": bought["storage"],
        },
        curves=value_curves(economics),
        installation=bought["installation"] + bought["duties"],
        facility={
            "plant": bought["facility"] * (1 - assumptions.shell_share),
            "shell": bought["facility"] * assumptions.shell_share,
        },
        facility_lives={
            "plant": 12 * assumptions.facility_life_years,
            "shell": 12 * assumptions.shell_life_years,
        },
        land=bought["land"],
        fixed_per_year=cost.opex_usd_per_year - rising * economics.utilisation,
        at_full_use_per_year=rising,
        annual_cost=cost.annual_cost_usd_per_year,
        utilisation=economics.utilisation,
        peak_over_mean=economics.renting.peak_over_mean,
        life=12 * economics.life_years,
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
        equipment=_sum(
            owning.equipment_net_usd(
                equipment_usd=usd,
                used_value_share=pod.curves[kind].used_value_share,
                value_decline_per_year=pod.curves[kind].value_decline_per_year,
                life_months=12 * pod.curves[kind].life_years,
                **until,
            )
            for kind, usd in pod.equipment.items()
        ),
        installation=owning.installation_net_usd(
            installation_usd=pod.installation, life_months=pod.life, **until
        ),
        facility=_sum(
            owning.facility_net_usd(facility_usd=usd, facility_life_months=pod.facility_lives[part], **until)
            for part, usd in pod.facility.items()
        )
        + owning.land_net_usd(land_usd=pod.land, **until),
        waiting=owning.running_so_far_usd(usd_per_year=pod.fixed_per_year, **until),
        at_full_use=owning.running_so_far_usd(usd_per_year=pod.at_full_use_per_year, **until),
        annuity=worth_of_payments(**until),
    )


def _sum(parts: Iterable[Array]) -> Array:
    return sum(parts, np.zeros(1))


def _paid_for(pod: PodMoney) -> list[dict[str, Array]]:
    """Price, residual value and life in months of all that is bought, but for land."""
    none = np.zeros(1)
    return [
        *(
            {"price_usd": usd, "residual_value": curve.residual_value, "life_months": 12 * curve.life_years}
            for usd, curve in ((usd, pod.curves[kind]) for kind, usd in pod.equipment.items())
        ),
        {"price_usd": pod.installation, "residual_value": none, "life_months": pod.life},
        *(
            {"price_usd": usd, "residual_value": none, "life_months": pod.facility_lives[part]}
            for part, usd in pod.facility.items()
        ),
    ]


def cash_of(pod: PodMoney, owned: Owned, share: Array, served: Array) -> Array:
    """Cash paid after each month for a share of the pod that does some of the demand."""
    replaced = _sum(
        owning.replaced_so_far_usd(**one, month=MONTH, monthly_rate=pod.rate) for one in _paid_for(pod)
    )
    return owning.own_cash_usd(
        capex_usd=pod.capex * share,
        replaced_usd=replaced * share,
        running_usd=owned.waiting * share + owned.at_full_use * served,
    )


def level_payment(pod: PodMoney) -> Array:
    """Capital of a month in level payments."""
    payments = (owning.level_usd_per_month(**one, monthly_rate=pod.rate) for one in _paid_for(pod))
    return _sum(payments) + pod.land * pod.rate
