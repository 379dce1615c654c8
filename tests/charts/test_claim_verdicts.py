"""Stacked bars of verdicts: every claim is in one, and the table says the same."""

from __future__ import annotations

from app.charts.claim_verdicts import COLOURS, claim_verdicts_figure
from tests.charts.support import traces

TWO = {
    "First": {"wrong": 1, "imprecise": 2, "right": 3, "unverifiable": 0},
    "Second": {"wrong": 4, "imprecise": 0, "right": 1, "unverifiable": 2},
}


def test_bars_hold_every_claim():
    figure = claim_verdicts_figure(TWO)
    assert [bar["x"] for bar in traces(figure)] == [[1, 4], [2, 0], [3, 1], [0, 2]]
    assert [row.cells for row in figure.rows] == [
        ("First", "1", "2", "3", "0"),
        ("Second", "4", "0", "1", "2"),
    ]
    assert [mark.value for mark in figure.legend] == ["5", "2", "4", "2"]
    assert [mark.label.lower() for mark in figure.legend] == list(COLOURS)


def test_title_says_where_most_is_wrong():
    assert claim_verdicts_figure(TWO).takeaway == "4 of the 5 wrong claims are in “Second”."
