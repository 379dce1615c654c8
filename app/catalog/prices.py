"""Choosing among prices: which row speaks for a part, and what the newest offers come to."""

from __future__ import annotations

import calendar
import datetime
import statistics
from collections.abc import Iterable
from dataclasses import replace

from app.catalog.assumptions import AssumptionRow
from app.catalog.values import Fact, Part, Price, Rental, RentalOffer, RentalSpread

CONDITIONS = (
    "new",
    "list",
    "all_in_it",
    "all_in_with_facility",
    "hyperscale",
    "quote",
    "used",
)
"""Conditions in the order they are preferred; an estimate is never among them."""

ESTIMATE = "estimate"
PART_RANGE = "range of the part"
"""Condition of a price that only the part's own row states."""


BARE = "system"
"""What the purchase price of a system covers in every design: the system alone, as network, storage, building
and their cost are counted from the design itself."""

BARE_SHARES = {"complete_it": "bare_share_of_complete_it", "all_in": "bare_share_of_all_in"}
"""Assumption of the room economics by which the price of the bare system follows from that of more."""

BASIS_OF_CONDITION = {"all_in_it": "complete_it", "all_in_with_facility": "all_in"}

RENT_ONLY = "rent only: "
CONTRACT, CONTRACT_MONTHS = "contract", 12
"""Beginning of the reason why a part has no price where it is not sold; why it is not follows."""

ONE_SELLER = {
    "Amazon Web Services": "AWS",
    "Lambda Labs": "Lambda",
    "Microsoft Azure": "Azure",
}
"""Sellers that the sources of the catalog call by two names."""

RELIABILITY = ("usable", "indicative")
"""Reliability in the order preferred; a `do_not_use` row is shown and never chosen."""

BASES = {
    "": "",
    "system": "bare system",
    "system_with_network": "system with its share of the network",
    "complete_it": "complete IT: network and storage included",
    "all_in": "all-in: IT, installation and building included",
}
"""What the price of a system covers, in words."""

CONDITION_WORDS = {
    "all_in_it": "all IT",
    "all_in_with_facility": "all IT and building",
    "hyperscale": "hyperscale buyer",
    "quote": "published quote",
    "range of the part": "range stated for the part",
}


def basis_of(price: Price) -> str:
    """What a price covers, as it states or as its condition says; "" where neither does."""
    return price.basis or BASIS_OF_CONDITION.get(price.condition, "")


def bare_system(price: Price, share: AssumptionRow) -> Price:
    """The price of the bare system that follows from one of complete IT, or of all-in."""
    low, high = (price.value if end is None else end for end in (price.low, price.high))
    value = price.value * share.value
    words = BASES[basis_of(price)].partition(":")[0]
    return replace(
        price,
        value=value,
        low=low * (share.value if share.low is None else share.low),
        typical=value,
        high=high * (share.value if share.high is None else share.high),
        basis=BARE,
        built_up=(
            f"built up from {price.value:,.0f} {price.printed_unit} for {words}, of which the bare system is "
            f"{share.value:.1%} ({share.source})"
        ),
        stated={name: getattr(price, name) for name in ("value", "low", "typical", "high", "basis")},
    )


def chosen_price(prices: Iterable[Price]) -> Price | None:
    """The price that speaks for a part, None when no row may.

    Of a team's own rows a quote before all others. Then a usable row before an indicative one, one of the bare
    system before one of more, by condition (`CONDITIONS`), and the newest. A row marked `do_not_use`, one that
    covers an unpublished share of the network, and an estimate are never chosen.
    """
    found = [
        price
        for price in prices
        if price.condition in CONDITIONS
        and price.reliability in RELIABILITY
        and (basis_of(price) in ("", BARE) or basis_of(price) in BARE_SHARES)
    ]
    if not found:
        return None

    def rank(price: Price) -> tuple[bool, int, int, int]:
        more = (BARE, *BARE_SHARES).index(basis_of(price) or BARE)
        no_quote = not (price.own and price.condition == "quote")
        return no_quote, RELIABILITY.index(price.reliability), more, CONDITIONS.index(price.condition)

    best = min(rank(price) for price in found)
    return newest_price(price for price in found if rank(price) == best)


def price_words(price: Price) -> str:
    """What a price covers, how it was quoted and how far it can be relied on, with its note."""
    condition = CONDITION_WORDS.get(price.condition, price.condition.replace("_", " "))
    caution = "indicative" if price.reliability == "indicative" else ""
    if price.own and price.condition == "quote":
        condition = f"Quote of the team, {price.as_of or 'undated'}, by {price.source} ({price.own})"
    words = [
        BASES[price.basis],
        price.built_up,
        condition,
        " because: ".join(filter(None, (caution, price.reliability_reason))),
    ]
    return "; ".join(filter(None, [*words, f"note: {price.note}" if price.note else ""]))


def chosen_estimate(prices: Iterable[Price]) -> Price | None:
    """The newest estimate, to be offered as an assumption."""
    found = [price for price in prices if price.condition == ESTIMATE]
    return newest_price(found) if found else None


def part_range(part: Part) -> Price | None:
    """The price range of a part's own row, as a price."""
    fact: Fact | None = part.facts.get("price_usd")
    if fact is None:
        return None
    return Price(
        key=part.key,
        part_key=part.key,
        item=part.name,
        condition=PART_RANGE,
        value=fact.value,
        low=fact.low,
        typical=fact.typical,
        high=fact.high,
        unit=fact.unit,
        printed_unit=fact.printed_unit,
        kind=fact.kind,
        source=fact.source,
        url=fact.url,
        as_of=fact.date,
        confidence=fact.confidence,
        licence=fact.licence,
        note=str(part.attributes.get("price_note", "")),
        own=fact.own,
    )


def newest_rental(offers: Iterable[RentalOffer]) -> Rental | None:
    """Least, median and most of the newest date's offers, the cheapest of each provider.

    A provider lists the same accelerator in many regions and terms; each counts once, with what a
    buyer who compares would pay. Contracts are seldom published: the newest of each source within a year counts.
    """
    found = list(offers)
    if not found:
        return None
    date = max(offer.date for offer in found)
    cheapest: dict[str, RentalOffer] = {}
    for offer in sorted(found, key=lambda offer: offer.usd_per_accelerator_hour):
        if offer.date == date:
            cheapest.setdefault(offer.provider, offer)
    if found[0].kind == CONTRACT:
        for offer in sorted(found, key=lambda offer: offer.date, reverse=True):
            if _months(date) - _months(offer.date) < CONTRACT_MONTHS:
                cheapest.setdefault(offer.provider, offer)
    newest = list(cheapest.values())
    values = [offer.usd_per_accelerator_hour for offer in newest]
    first = newest[0]
    typical = statistics.median(values)
    return Rental(
        accelerator_key=first.accelerator_key,
        kind=first.kind,
        value=typical,
        low=min(values),
        typical=typical,
        high=max(values),
        unit="USD/h",
        offers=len(newest),
        as_of=date,
        value_kind=first.value_kind,
        source="; ".join(dict.fromkeys(offer.source for offer in newest)),
        url=first.url,
        confidence=first.confidence,
        licence="; ".join(dict.fromkeys(offer.licence for offer in newest)),
        own=first.own,
    )


def rental_spreads(offers: Iterable[RentalOffer]) -> tuple[RentalSpread, ...]:
    """Least, median and most by class of vendors and term, each within a year of its newest offer.

    A seller counts once in the median, by the median of its regions; the ends are of single offers.
    """
    groups: dict[tuple[str, str, str], list[RentalOffer]] = {}
    for offer in offers:
        groups.setdefault((offer.kind, offer.vendor_class, offer.term), []).append(offer)
    return tuple(_spread(group) for _, group in sorted(groups.items()))


def _spread(group: list[RentalOffer]) -> RentalSpread:
    newest = max(_months(offer.date) for offer in group)
    within = [offer for offer in group if newest - _months(offer.date) < CONTRACT_MONTHS]
    latest: dict[tuple[str, str, str], RentalOffer] = {}
    for offer in sorted(within, key=lambda offer: offer.date):
        latest[ONE_SELLER.get(offer.provider, offer.provider), offer.region, offer.instance] = offer
    of_seller: dict[str, list[float]] = {}
    for (seller, _, _), offer in latest.items():
        of_seller.setdefault(seller, []).append(offer.usd_per_accelerator_hour)
    first, values = group[0], [offer.usd_per_accelerator_hour for offer in latest.values()]
    dates = sorted(offer.date for offer in latest.values())
    return RentalSpread(
        vendor_class=first.vendor_class,
        kind=first.kind,
        term=first.term,
        sellers=len(of_seller),
        regions=len({offer.region for offer in latest.values() if offer.region}),
        offers=len(latest),
        low=min(values),
        typical=statistics.median(map(statistics.median, of_seller.values())),
        high=max(values),
        oldest=dates[0],
        newest=dates[-1],
    )


def _months(date: str) -> int:
    """Months of a date since year 0; of a year alone, to its end."""
    year, month = ([int(part) for part in date.split("-")] + [12])[:2]
    return 12 * year + month


def age_days(as_of: str, *, today: datetime.date) -> int | None:
    """Days since a price was true, None when it is undated; a year or month counts from its end.

    >>> age_days("2025", today=datetime.date(2026, 1, 31))
    31
    """
    if not as_of:
        return None
    year, month, day = ([int(part) for part in as_of.split("-")] + [0, 0])[:3]
    month = month or 12
    day = day or calendar.monthrange(year, month)[1]
    return max((today - datetime.date(year, month, day)).days, 0)


def newest_price(prices: Iterable[Price]) -> Price:
    """The price with the latest date."""
    # A year alone sorts before its months: what is said more exactly counts as newer.
    return max(prices, key=lambda price: price.as_of)
