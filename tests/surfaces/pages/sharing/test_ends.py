"""When a link ends, as the form asks for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.db.tables.base import now
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.sharing.share import ENDS, end_of


@pytest.mark.parametrize("days", [1, 7, 30])
def test_days_count_from_now(days):
    assert (
        timedelta(0)
        <= end_of(str(days), "") - now() + timedelta(seconds=60) - timedelta(days=days)
        < timedelta(seconds=61)
    )


def test_a_date_counts_to_its_end():
    assert end_of("date", " 2027-02-28 ") == datetime(2027, 3, 1, tzinfo=UTC)


def test_never_has_no_end():
    assert end_of("never", "2027-01-01") is None


@pytest.mark.parametrize(
    ("end", "date", "rule"), [("date", "soon", "date"), ("date", "", "date"), ("", "", "one_of")]
)
def test_other_ends_are_refused(end, date, rule):
    with pytest.raises(ScenarioError) as caught:
        end_of(end, date)
    assert caught.value.errors[0].rule == rule


def test_every_end_that_is_offered_is_understood():
    for value, _ in ENDS:
        end_of(value, "2099-01-01")
