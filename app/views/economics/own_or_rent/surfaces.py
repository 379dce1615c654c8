"""Owning against renting over utilisation, months and prices."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.economics.renting import comparing
from app.engine.trace import first_of
from app.views.economics.own_or_rent.owned import Owned
from app.views.economics.own_or_rent.pod import PodMoney
from app.views.economics.own_or_rent.price_paths import Path
from app.views.economics.own_or_rent.rented import KIND_OF, Rented, rented_of
from app.views.economics.own_or_rent.report import Curves, HeatMap
from app.views.economics.own_or_rent.terms import break_even_use_over_months

USES = np.linspace(0.05, 1, 20)
COLUMNS = 24
LEAST_MONTHS_DRAWN = 60
PRICES = 60


def heat_map(pod: PodMoney, owned: Owned, rented: Rented, horizon: int) -> HeatMap:
    """Owning less renting, by utilisation and duration."""
    longest = max(horizon, LEAST_MONTHS_DRAWN)
    months = np.unique(np.round(np.linspace(longest / COLUMNS, longest, COLUMNS))).astype(int)
    use = USES[:, None]
    own = owned.total(use)[:, months - 1]
    rent = rented.total(pod, use)[:, months - 1]
    difference = own - rent
    needed = break_even_use_over_months(pod, owned, rented)[months - 1]
    return HeatMap(
        term=rented.kind.key,
        utilisation=tuple(USES.tolist()),
        months=tuple(float(month) for month in months),
        own_less_rent_usd=tuple(tuple(line) for line in difference.tolist()),
        own_less_rent_share=tuple(tuple(line) for line in (difference / np.maximum(own, rent)).tolist()),
        break_even_utilisation=tuple(needed.tolist()),
    )


def curves(pod: PodMoney, owned: Owned, rents: tuple[Rented, ...], path: Path, horizon: int) -> Curves:
    """Break-even utilisation against price; cost of a used hour against utilisation."""
    last = horizon - 1
    known = [first_of(rent.price) for rent in rents if rent.is_known]
    own_hour = first_of(
        comparing.usd_per_used_hour(
            cost_usd=owned.total(np.ones(1))[last],
            used_hours_per_month=pod.available_hours_per_year / 12,
            worth_of_payments=owned.annuity[last],
        )
    )
    dearest = max([price for price in (*known, own_hour) if np.isfinite(price)], default=1.0)
    price = np.linspace(dearest / PRICES, 1.25 * dearest, PRICES)
    one_dollar = rented_of(pod, KIND_OF["on_demand"], np.ones(1), path)
    at_price = dataclasses.replace(
        one_dollar, hours=one_dollar.hours * price[:, None], support=one_dollar.support * price[:, None]
    )
    hours = {
        "used_hours_per_month": pod.available_hours_per_year * USES / 12,
        "worth_of_payments": owned.annuity[last],
    }
    return Curves(
        usd_per_hour=tuple(price.tolist()),
        break_even_utilisation=tuple(break_even_use_over_months(pod, owned, at_price)[:, last].tolist()),
        utilisation=tuple(USES.tolist()),
        own_usd_per_used_hour=tuple(
            comparing.usd_per_used_hour(cost_usd=owned.total(USES[:, None])[:, last], **hours).tolist()
        ),
        rent_usd_per_used_hour=tuple(
            tuple(
                comparing.usd_per_used_hour(
                    cost_usd=rent.total(pod, USES[:, None])[:, last], **hours
                ).tolist()
            )
            for rent in rents
        ),
    )
