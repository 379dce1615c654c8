"""The record of values that were read in their sources."""

from __future__ import annotations

from collections import Counter

import pytest

from app.catalog.ready import ready_catalog
from app.catalog.sampled import PRINTED, VERDICTS, drawn, place, sampled


def test_values_are_drawn_by_rule() -> None:
    found = [place(one.kind, one.key, one.field) for one in drawn(ready_catalog(), 100)]
    assert found == sorted(found)
    assert all(one.fact.kind in PRINTED for one in drawn(ready_catalog(), 100))


def test_the_record_is_in_the_order_of_the_rule() -> None:
    places = [place(one.kind, one.key, one.field) for one in sampled()]
    assert len(places) == len(set(places)) == 60
    assert places == sorted(places)


def test_what_is_recorded_is_what_the_catalog_has() -> None:
    catalog = ready_catalog()
    for one in sampled():
        fact = catalog.part(one.kind, one.key).facts[one.field]
        assert fact.value == pytest.approx(one.value, rel=1e-12), (one, "read it in its source again")


def test_every_value_says_where_it_was_read() -> None:
    counted = Counter(one.verdict for one in sampled())
    assert set(counted) <= set(VERDICTS)
    assert all(one.read_in for one in sampled())
    assert counted == {"as printed": 39, "computed": 6, "corrected": 3, "not opened": 12}


def test_light_is_slower_in_glass_than_electricity_in_copper() -> None:
    """A group index of 1.47 is 4.9 ns/m; twinax at 0.74 of the speed of light takes 4.5."""
    for key in ready_catalog().keys("optics"):
        part = ready_catalog().part("optics", key)
        fact = part.facts.get("latency_s_per_m")
        if fact is not None:
            copper = "twinax" in str(part.attributes["fibre_or_medium"])
            assert fact.value == pytest.approx(4.5e-9 if copper else 4.9e-9)
