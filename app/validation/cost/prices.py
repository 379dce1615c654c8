"""What the catalog knows of an accelerator's price with its server, and of its rent at a date."""

from __future__ import annotations

import statistics
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog, RentalOffer
from app.catalog.values import Part, Price
from app.engine.economics.runs.acquisition import server_usd_per_accelerator
from app.engine.trace import Array
from app.scenarios.resolve.hardware_words import context_of
from app.views.economics.run_assumptions import RunAssumptions

NEAR_YEARS = 1.5
"""Rents change: an offer that is further away in time stands for nothing."""
IT_CONDITIONS = ("new", "list", "quote", "hyperscale")
"""Prices of a server or rack alone, without the network around it."""


class Known(NamedTuple):
    """A price, and in words where it comes from."""

    value: Array
    said: str


def server_price(accelerator: Part, catalog: Catalog) -> Known | None:
    """What an accelerator costs with its share of a server; None where nobody published it.

    By the smallest server that has a price of its own, else by the price of the accelerator.
    """
    servers = sorted(
        (part.facts["accelerators"].value, part.key, part)
        for part in catalog.parts("systems")
        if part.attributes.get("accelerator_key") == accelerator.key and "accelerators" in part.facts
    )
    for devices, _, server in servers:
        price = catalog.price(server.key)
        if price is not None and price.condition in IT_CONDITIONS and devices > 1:
            said = f"{server.name} at {price.value:,.0f} USD for {devices:g} accelerators"
            return Known(np.array([price.value / devices]), said)
    chip: Price | None = catalog.price(accelerator.key) or catalog.price_estimate(accelerator.key)
    if chip is None:
        return None
    ratio = RunAssumptions(catalog, context_of(accelerator))("server_price_ratio")
    each = server_usd_per_accelerator(accelerator_price_usd=np.array([chip.value]), server_price_ratio=ratio)
    return Known(each, f"{accelerator.name} at {chip.value:,.0f} USD x {ratio[0]:g} for its server")


def rent_about(
    accelerator: Part, year: float, kind: str, catalog: Catalog, *, term: str = ""
) -> Known | None:
    """The usual rent at a date: the median of what providers asked then, the cheapest offer of each.

    Offers that stood at the date are those last seen before it; where none was, those first seen after it. None
    where the nearest are more than a year and a half away.
    """
    offers = [one for one in catalog.rentals(accelerator.key, kind) if term in one.term]
    before = [one for one in offers if year - NEAR_YEARS <= _year(one) <= year]
    after = [one for one in offers if year < _year(one) <= year + NEAR_YEARS]
    standing: dict[str, RentalOffer] = {}
    for offer in sorted(
        before or after, key=lambda one: (abs(_year(one) - year), one.usd_per_accelerator_hour)
    ):
        standing.setdefault(offer.provider, offer)
    if not standing:
        return None
    price = statistics.median(offer.usd_per_accelerator_hour for offer in standing.values())
    words = f"{kind} {term}".replace("_", " ").strip()
    return Known(np.array([price]), f"{accelerator.name} {words} at {price:g} USD/h about {year:.1f}")


def _year(offer: RentalOffer) -> float:
    """The middle of the year, month or day that an offer is dated by."""
    year, month, day = (int(part) for part in (*offer.date.split("-"), "0", "0")[:3])
    return year + ((month - 1) / 12 if month else 0.5) + (day / 365 if day else 0.5 / 12 if month else 0.0)
