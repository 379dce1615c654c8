"""Prices and rentals of a part, and how old they are."""

from __future__ import annotations

import datetime

import pytest

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.detail import detail
from tests.surfaces.pages.catalog.support import TODAY


def test_prices_and_rentals_stand_on_the_page_of_the_part(catalog: Catalog) -> None:
    shown = detail(catalog, "accelerators", "nvidia_h100_sxm", today=TODAY)
    assert len(shown.prices) == len(catalog.prices("nvidia_h100_sxm"))
    chosen = catalog.price("nvidia_h100_sxm")
    assert chosen
    assert [price.date for price in shown.prices if price.chosen] == ["May 2026"]
    offers = [
        part for part in catalog.parts("rentals") if part.attributes["accelerator_key"] == "nvidia_h100_sxm"
    ]
    assert sum(len(terms.offers) for terms in shown.rentals) == len(offers)
    line = next(line for group in shown.groups for line in group.lines if line.field == "price_usd")
    assert line.note  # the part's own range is not what the engine takes


@pytest.mark.parametrize(("days", "mark"), [(0, ""), (180, ""), (181, "stale")])
def test_prices_older_than_180_days_are_stale(catalog: Catalog, days: int, mark: str) -> None:
    as_of = datetime.date(2026, 5, 31)  # a month counts from its end
    shown = detail(catalog, "accelerators", "nvidia_h100_sxm", today=as_of + datetime.timedelta(days=days))
    assert [price.age_mark for price in shown.prices if price.chosen] == [mark]
    assert any(badge.word == "price stale" for badge in shown.badges) == bool(mark)
