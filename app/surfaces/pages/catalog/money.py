"""Prices and rentals of a part, each dated, with how old it is."""

from __future__ import annotations

import datetime
from collections import defaultdict
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.prices import ESTIMATE, PART_RANGE, newest_rental
from app.catalog.values import Part, Price, RentalOffer
from app.charts.format import number
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.catalog.values import shown_value
from app.surfaces.pages.catalog.words import CONFIDENCE, MARKS, age_of, date_text, word_of

TERMS = ("on_demand", "reserved", "spot", "capacity_block", "contract", "quote", "own_cost", "index")


class PriceLine(NamedTuple):
    """A price; `chosen` is the one that speaks for the part."""

    item: str
    link: str
    condition: str
    low: str
    typical: str
    high: str
    unit: str  # as printed
    basis: str  # how the typical value was made where none was printed
    chosen: bool
    estimate: bool
    kind: str
    kind_text: str
    confidence: str
    recalled: bool
    date: str
    age_mark: str
    age_text: str
    note: str
    source: Source
    own: str


class OfferLine(NamedTuple):
    link: str
    date: str
    provider: str
    place: str
    term: str
    price: str
    kind: str
    kind_text: str
    age_mark: str
    source: Source


class RentalTerms(NamedTuple):
    """The offers on one kind of terms, newest first."""

    terms: str
    newest: str  # least, median and most of the newest date, in words
    offers: tuple[OfferLine, ...]

    @property
    def size(self) -> int:
        return len(self.offers)


def price_lines(
    catalog: Catalog, part: Part, sources: Sources, today: datetime.date
) -> tuple[PriceLine, ...]:
    """All prices of a part, the one the engine uses first, then the newest first."""
    chosen = catalog.price(part.key)
    rows = list(catalog.prices(part.key))
    if chosen is not None and chosen.condition == PART_RANGE:
        rows.append(chosen)
    rows.sort(key=lambda price: price.as_of, reverse=True)
    rows.sort(key=lambda price: price is not chosen)
    return tuple(_price_line(price, price is chosen, sources, today) for price in rows)


def rental_terms(
    catalog: Catalog, accelerator_key: str, sources: Sources, today: datetime.date
) -> tuple[RentalTerms, ...]:
    """All dated offers of an accelerator by kind of terms."""
    offers: dict[str, list[RentalOffer]] = defaultdict(list)
    for terms in TERMS:
        offers[terms] = catalog.rentals(accelerator_key, terms)
    return tuple(
        RentalTerms(
            terms=word_of(terms).capitalize(),
            newest=_newest_text(found),
            offers=tuple(_offer_line(offer, sources, today) for offer in reversed(found)),
        )
        for terms, found in offers.items()
        if found
    )


def _price_line(price: Price, chosen: bool, sources: Sources, today: datetime.date) -> PriceLine:
    age = age_of(price.as_of, today)
    low, typical, high = (_money(value) for value in (price.low, price.typical, price.high))
    return PriceLine(
        item=price.item,
        link="" if price.condition == PART_RANGE else part_link("prices", price.key),
        condition=word_of(price.condition),
        low=low,
        typical=typical or _money(price.value),
        high=high,
        unit=price.printed_unit,
        basis="" if price.typical is not None else price.value_basis,
        chosen=chosen,
        estimate=price.condition == ESTIMATE,
        kind=price.kind,
        kind_text=MARKS[price.kind],
        confidence="" if price.confidence == "recalled" else CONFIDENCE[price.confidence],
        recalled=price.confidence == "recalled",
        date=date_text(price.as_of),
        age_mark=age.mark,
        age_text=age.text,
        note=price.note,
        source=sources.cite(text=price.source, url=price.url, licence=price.licence),
        own=price.own,
    )


def _offer_line(offer: RentalOffer, sources: Sources, today: datetime.date) -> OfferLine:
    return OfferLine(
        link=part_link("rentals", offer.key),
        date=date_text(offer.date),
        provider=offer.provider,
        place=", ".join(word for word in (offer.instance, offer.region) if word),
        term=offer.term,
        price=_money(offer.usd_per_accelerator_hour),
        kind=offer.value_kind,
        kind_text=MARKS[offer.value_kind],
        age_mark=age_of(offer.date, today).mark,
        source=sources.cite(text=offer.source, url=offer.url, licence=offer.licence),
    )


def _newest_text(offers: list[RentalOffer]) -> str:
    newest = newest_rental(offers)
    if newest is None:
        return ""
    typical = shown_value(newest.typical, "USD/h").text
    when = f"{date_text(newest.as_of)}, {newest.offers} offer{'s' if newest.offers > 1 else ''}"
    if newest.offers == 1:
        return f"{typical} on {when}"
    ends = f"{_money(newest.low)} to {_money(newest.high)}"
    return f"{typical} in the middle of {ends} on {when}"


def _money(value: float | None) -> str:
    return "" if value is None else number(value)
