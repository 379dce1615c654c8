"""What the catalog's dated offers say rental prices did, as an index of months."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.catalog.values import RentalOffer
from app.engine.economics.renting.history import held_usd_per_hour, matched_index, matched_since
from app.engine.trace import Array

ONE_SELLER = {
    "Amazon Web Services": "AWS",
    "Lambda Labs": "Lambda",
    "Microsoft Azure": "Azure",
}
"""Sellers that the sources of the catalog call by two names."""

LEAST_MONTHS, LEAST_SELLERS = 12, 2
DATED = re.compile(r"(\d{4})-(\d{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceHistory:
    """`index` is over the first month; empty where there is too little of it, as `said` tells."""

    index: Array
    said: str

    @property
    def is_known(self) -> bool:
        return self.index.size > 0


def price_history(accelerator: str, offers: Sequence[RentalOffer]) -> PriceHistory:
    """The index of sellers matched with themselves; the newest run of months in which there are any."""
    by_seller = _cheapest_by_seller_and_month(offers)
    repeated = {seller: months for seller, months in by_seller.items() if len(months) > 1}
    none = np.zeros(0)
    if not repeated:
        said = f"no seller of {accelerator} on demand is listed in two months"
        return PriceHistory(index=none, said=f"Unknown: {said}, so nothing is known to have moved.")
    first = min(min(months) for months in repeated.values())
    last = max(max(months) for months in repeated.values())
    month = np.arange(float(first), last + 1)
    held = np.array([_held(month, months) for months in repeated.values()])
    start = int(matched_since(usd_per_hour=held)[0])
    held = held[:, start:]
    sellers = int((np.isfinite(held).sum(axis=1) > 1).sum())
    length = held.shape[1] - 1
    span = f"{_name(first + start)} to {_name(last)}"
    if length < LEAST_MONTHS or sellers < LEAST_SELLERS:
        said = f"{length} months of {sellers} seller{'' if sellers == 1 else 's'} of {accelerator}, {span}"
        return PriceHistory(
            index=none,
            said=f"Unknown: too short. {said}; it takes {LEAST_MONTHS} months of {LEAST_SELLERS} sellers.",
        )
    return PriceHistory(
        index=matched_index(usd_per_hour=held),
        said=f"As {accelerator} on demand moved from {span}, each of {sellers} sellers against itself: {length} "
        "months of moves from today, and flat after them.",
    )


def _cheapest_by_seller_and_month(offers: Sequence[RentalOffer]) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for offer in offers:
        dated = DATED.match(offer.date)
        if dated:
            month = 12 * int(dated[1]) + int(dated[2]) - 1
            months = found[ONE_SELLER.get(offer.provider, offer.provider)]
            months[month] = min(months.get(month, np.inf), offer.usd_per_accelerator_hour)
    return found


def _held(month: Array, months: dict[int, float]) -> Array:
    seen = sorted(months)
    return held_usd_per_hour(
        month=month,
        offer_month=np.array(seen, dtype=float),
        offer_usd_per_hour=np.array([months[one] for one in seen]),
    )


def _name(month: int) -> str:
    return f"{month // 12}-{month % 12 + 1:02d}"
