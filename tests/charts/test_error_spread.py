"""The distribution of errors: every error is in one bar."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.charts.error_spread import error_spread_figure
from tests.charts.support import traces

ERRORS = st.floats(-0.999, 1e6, allow_nan=False)


@given(st.lists(ERRORS, min_size=1, max_size=50))
def test_bars_hold_every_error(errors: list[float]) -> None:
    figure = error_spread_figure(errors, caption="")
    assert sum(traces(figure)[0]["y"]) == len(errors)
    assert sum(int(row.cells[1]) for row in figure.rows) == len(errors)


def test_bars_stand_where_their_errors_are() -> None:
    figure = error_spread_figure([-0.02, 0.0, 0.039, 0.04, -0.5, 3.0], caption="")
    bars = dict(zip(traces(figure)[0]["x"], traces(figure)[0]["y"], strict=True))
    assert {place: count for place, count in bars.items() if count} == {-42: 1, -2: 1, 2: 2, 6: 1, 42: 1}
    assert figure.rows[0].cells[0] == "under −40\u202f%"
    assert figure.rows[-1].cells[0] == "over +40\u202f%"


def test_title_says_the_middle_and_what_is_far_off() -> None:
    figure = error_spread_figure([-0.1, 0.02, 0.1, 0.9], caption="")
    assert figure.takeaway.replace("\u202f", " ") == (
        "The middle is +6.0 %: 3 of 4 runs are predicted too fast, 1 more than 40 % off."
    )
    assert (
        error_spread_figure([0.1], caption="").takeaway.replace("\u202f", " ") == "The one error is +10.0 %."
    )
    assert error_spread_figure([], caption="").plot is None
