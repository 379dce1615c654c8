"""What owning has cost after every month, by the engine's formulas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.renting import owning
from app.engine.economics.renting.worth import worth_of_payments
from app.engine.trace import Array
from app.views.economics.own_or_rent.pod import LONGEST_MONTHS, PodMoney

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
