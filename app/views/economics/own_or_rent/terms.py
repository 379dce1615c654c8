"""Each kind of rental terms as it is told: price, date, bill, and where it meets owning."""

from __future__ import annotations

import datetime
from typing import Literal

import numpy as np
from pydantic import Field

from app.catalog.prices import age_days
from app.catalog.values import STALE_PRICE_DAYS, RentalOffer
from app.engine.economics import rent
from app.engine.economics.renting import owning
from app.engine.trace import Array, Origin, first_of
from app.scenarios.fields import Part
from app.views.economics.own_or_rent.pod import MONTH, Owned, PodMoney
from app.views.economics.own_or_rent.rented import Rented, usd
from app.views.economics.own_or_rent.report import DatedOffer, RentParts, RentTerm


def rent_term(
    pod: PodMoney, owned: Owned, rented: Rented, horizon: int, origin: Origin, today: datetime.date
) -> RentTerm:
    """One kind of terms over the horizon."""
    paid = rented.paid_over_used(pod, pod.utilisation)
    total = rented.total(pod, pod.utilisation)
    use = break_even_use_over_months(pod, owned, rented)
    month = break_even_month(pod, rented)
    age = age_days(origin.date, today=today) if origin.date else None
    return RentTerm(
        term=rented.kind.key,
        title=rented.kind.title,
        field=rented.kind.place,
        usd_per_hour=first_of(rented.price),
        low=origin.low,
        high=origin.high,
        as_of=origin.date,
        age_days=age,
        is_old=age is not None and age > STALE_PRICE_DAYS,
        source=origin.source,
        is_stated=origin.kind == "scenario",
        pays="booked" if rented.kind.pays_booked else "used",
        commitment_months=first_of(pod.renting.commitment_months) if rented.kind.pays_booked else 0.0,
        paid_over_used=first_of(paid),
        total_usd=usd(total, horizon),
        parts=RentParts(
            hours_usd=usd(rented.hours * pod.utilisation * paid, horizon),
            support_usd=usd(rented.support * pod.utilisation * paid, horizon),
            storage_usd=usd(rented.storage, horizon),
            egress_usd=usd(rented.egress, horizon),
            setup_usd=usd(rented.setup, horizon),
        ),
        usd_per_used_hour=usd(
            owning.usd_per_used_hour(
                cost_usd=total,
                used_hours_per_month=pod.used_hours_per_month,
                worth_of_payments=owned.annuity,
            ),
            horizon,
        ),
        break_even_utilisation=usd(use, horizon),
        owning_pays=_met(usd(use, horizon), 1.0),
        break_even_utilisation_level=first_of(level_use(pod, rented.price)),
        break_even_month=first_of(month),
        pays_back=_met(first_of(month), np.finfo(float).max),
    )


def break_even_use_over_months(pod: PodMoney, owned: Owned, rented: Rented) -> Array:
    """Utilisation from which owning is cheaper, for every duration."""
    booked = rented.kind.pays_booked
    return owning.break_even_use_over_months(
        own_fixed_usd=owned.fixed,
        own_at_full_use_usd=owned.at_full_use,
        rent_fixed_usd=rented.fixed,
        rent_at_full_use_usd=rented.at_full_use * (pod.peak_over_mean if booked else 1.0),
        most_use=1 / pod.peak_over_mean if booked else np.ones(1),
    )


def level_use(pod: PodMoney, price: Array) -> Array:
    """The same by the level yearly cost and a price of utilised hours."""
    return rent.break_even_utilisation(
        idle_cost_usd_per_year=rent.idle_cost_usd_per_year(
            annual_cost_usd_per_year=pod.annual_cost,
            use_dependent_usd_per_year=pod.at_full_use_per_year,
            utilisation=pod.utilisation,
        ),
        use_dependent_usd_per_year=pod.at_full_use_per_year,
        available_accelerator_hours_per_year=pod.available_hours_per_year,
        rent_usd_per_hour=price,
    )


def break_even_month(pod: PodMoney, rented: Rented) -> Array:
    """Month from which rent saved has paid for everything that was bought."""
    running = (pod.fixed_per_year + pod.at_full_use_per_year * pod.utilisation) / 12
    saved = rented.hours_by_month * pod.utilisation * rented.paid_over_used(pod, pod.utilisation)
    return owning.break_even_month(
        price_usd=pod.capex - pod.renting.setup_usd,
        gain_usd_per_month=saved + rented.fixed_per_month - running,
        month=MONTH,
        monthly_rate=pod.rate,
    )


def dated_offers(offers: list[RentalOffer], today: datetime.date) -> tuple[DatedOffer, ...]:
    """Offers of the catalog, newest first."""
    newest_first = sorted(offers, key=lambda offer: (offer.date, offer.provider), reverse=True)
    found = []
    for offer in newest_first:
        age = age_days(offer.date, today=today)
        found.append(
            DatedOffer(
                kind=offer.kind,
                date=offer.date,
                age_days=age,
                is_old=age is not None and age > STALE_PRICE_DAYS,
                provider=offer.provider,
                vendor_class=offer.vendor_class,
                term=offer.term,
                region=offer.region,
                usd_per_accelerator_hour=offer.usd_per_accelerator_hour,
                source=offer.source,
                url=offer.url,
                confidence=offer.confidence,
                note=offer.note,
                own=offer.own,
            )
        )
    return tuple(found)


def _met(value: float, most: float) -> str:
    if np.isnan(value):
        return "unknown"
    return "yes" if value <= most else "never"


TermKey = Literal["on_demand", "reserved", "contract", "spot", "capacity_block"]


class OwnOrRentOptions(Part):
    """Options of the heat map and the mix."""

    against: TermKey | None = Field(
        default=None,
        description="Rental terms that owning is set against; those of economics.renting.compared_with when left out.",
    )
