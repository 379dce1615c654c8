"""Intervals as pages show them."""

from __future__ import annotations

from typing import Any

import pytest

from app.surfaces.pages.intervals import BAR_WIDTH, explained_interval, shown_interval


def evaluation(value: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    return {
        "performance": {"elapsed_time_s": value},
        "intervals": {"probability": 0.8, "performance": {"elapsed_time_s": {"low": low, "high": high}}},
    }


PATH = "performance.elapsed_time_s"
DAY = 86400.0


def test_bar_is_drawn_to_one_scale() -> None:
    """Ten per cent either way is half of the bar."""
    found = shown_interval(evaluation(10 * DAY, 9 * DAY, 11 * DAY), PATH)
    assert found is not None
    assert (found.start, found.width) == (BAR_WIDTH / 4, BAR_WIDTH / 2)
    assert (found.ends, found.meaning) == ("9.00 to 11.0", "80\u202f% interval from comparable runs")
    assert found.text.replace("\u00a0", " ") == "9.00 to 11.0 days"


def test_what_lies_beyond_the_bar_ends_with_it() -> None:
    found = shown_interval(evaluation(10 * DAY, 5 * DAY, 30 * DAY), PATH)
    assert found is not None
    assert (found.start, found.width) == (0, BAR_WIDTH)


def test_ends_in_another_unit_say_it() -> None:
    found = shown_interval(evaluation(2.1 * DAY, 1.9 * DAY, 2.3 * DAY), PATH)
    assert found is not None
    assert found.ends == found.text
    assert " ".join(found.ends.split()) == "45.6 h to 2.30 days"


@pytest.mark.parametrize("without", [evaluation(None, None, None), {"performance": {"elapsed_time_s": DAY}}])
def test_what_has_no_interval(without: dict[str, Any]) -> None:
    """Unknown figures, and revisions that were saved before there were intervals."""
    assert shown_interval(without, PATH) is None
    assert explained_interval({"path": PATH, "value": DAY}) is None
