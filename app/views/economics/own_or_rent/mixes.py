"""Owning the base and renting the peak, and reserving the base: the share that costs least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.renting import demand, mixing
from app.engine.trace import Array, first_of
from app.views.economics.own_or_rent.owned import Owned, cash_of
from app.views.economics.own_or_rent.pod import PodMoney
from app.views.economics.own_or_rent.rented import Rented
from app.views.economics.own_or_rent.report import Mix, Reserving

SHARE: Array = np.linspace(0, 1, 1001)
DRAWN = slice(None, None, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    """A share of the pod owned, the rest of the demand rented."""

    share: Array
    served: Array

    def total(self, pod: PodMoney, owned: Owned, rented: Rented, horizon: int) -> Array:
        """Cost over the horizon, of each share."""
        last = horizon - 1
        return mixing.mix_usd(
            owned_share=self.share,
            served_share=self.served,
            utilisation=pod.utilisation,
            own_fixed_usd=owned.fixed[last],
            own_at_full_use_usd=owned.at_full_use[last],
            rent_fixed_usd=rented.fixed[last],
            rent_at_full_use_usd=rented.at_full_use[last],
        )

    def paid(self, pod: PodMoney, owned: Owned, rented: Rented) -> Array:
        """Cash paid after each month."""
        elsewhere = np.maximum(pod.utilisation - self.served, 0)
        own = cash_of(pod, owned, self.share, self.served)
        return own + rented.at_full_use * elsewhere + np.where(elsewhere > 0, rented.fixed, 0.0)


def mixed(pod: PodMoney, share: Array) -> Mixed:
    """Share of the demand served by a mix."""
    return Mixed(
        share=share,
        served=demand.served_share(owned_share=share, utilisation=pod.utilisation, peak_share=_peak(pod)),
    )


def best_mix(pod: PodMoney, owned: Owned, rented: Rented, horizon: int) -> tuple[Mix, Mixed]:
    """The share that costs least over the horizon."""
    every = mixed(pod, SHARE)
    cost = every.total(pod, owned, rented, horizon)
    best = mixed(pod, np.atleast_1d(mixing.cheapest_share(share=SHARE, cost_usd=cost)))
    total = first_of(best.total(pod, owned, rented, horizon))
    return (
        Mix(
            term=rented.kind.key,
            owned_share=first_of(best.share),
            served_share=first_of(best.served / pod.utilisation),
            total_usd=total,
            saves_usd=float(np.minimum(cost[0], cost[-1])) - total,
            share=tuple(SHARE[DRAWN].tolist()),
            total_by_share_usd=tuple(cost[DRAWN].tolist()),
        ),
        best,
    )


def reserving(pod: PodMoney, on_demand: Rented, reserved: Rented, horizon: int) -> Reserving:
    """Break-even of a commitment, and the share of the demand to commit."""
    last = horizon - 1
    above = first_of(
        mixing.reserve_above_use(
            reserved_usd=reserved.at_full_use[last], on_demand_usd=on_demand.at_full_use[last]
        )
    )
    every = mixed(pod, SHARE)
    cost = mixing.reserved_base_usd(
        reserved_share=SHARE,
        served_share=every.served,
        utilisation=pod.utilisation,
        rent_fixed_usd=on_demand.fixed[last],
        reserved_at_full_use_usd=reserved.at_full_use[last],
        on_demand_at_full_use_usd=on_demand.at_full_use[last],
    )
    known = not np.isnan(cost).any()
    use = first_of(pod.utilisation)
    return Reserving(
        above_utilisation=above,
        reserve_all="unknown" if np.isnan(above) else "yes" if use > above else "no",
        reserved_share=first_of(mixing.cheapest_share(share=SHARE, cost_usd=cost)),
        total_usd=float(cost.min()) if known else float("nan"),
    )


def _peak(pod: PodMoney) -> Array:
    return demand.peak_share(utilisation=pod.utilisation, peak_over_mean=pod.peak_over_mean)
