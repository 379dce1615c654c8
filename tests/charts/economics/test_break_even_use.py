"""The use from which owning is cheaper, drawn and in words."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from app.charts.economics.break_even_use import TermPoint, break_even_use_figure
from tests.charts.support import layout

POINTS = [
    TermPoint(title="On demand", usd_per_hour=4.0, utilisation=0.45),
    TermPoint(title="Reserved", usd_per_hour=2.5, utilisation=0.82),
    TermPoint(title="Spot", usd_per_hour=1.0, utilisation=math.inf),
    TermPoint(title="Capacity block", usd_per_hour=3.0, utilisation=math.nan),
]


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_a_dot_for_each_kind_of_terms_and_a_line_for_the_rule() -> None:
    figure = break_even_use_figure(POINTS, utilisation=0.8, rule=0.7)
    drawn = go.Figure(figure.plot)
    (dots,) = drawn.data
    assert list(dots.x) == [0.45, 0.82, 1.0]
    assert list(dots.marker.symbol) == ["circle", "circle", "circle-open"]
    assert [plain(text) for text in dots.text] == ["45 %", "82 %", "no use"]
    assert [shape.x0 for shape in drawn.layout.shapes] == [0.8, 0.7]
    assert len({shape.line.dash for shape in drawn.layout.shapes}) == 2
    assert plain(figure.takeaway) == (
        "Owning begins to pay at 45 % to 82 %, by the terms, not at 70 %; at 80 % it is cheaper than 1 of 3."
    )
    assert [row.cells[-1] for row in figure.rows] == ["own", "rent", "rent"]
    assert layout(figure)["xaxis"]["ticktext"][-1].endswith("%")


def test_where_owning_is_never_cheaper_it_says_so() -> None:
    figure = break_even_use_figure(POINTS[2:3], utilisation=0.8, rule=0.7)
    assert "At no use is owning cheaper" in figure.takeaway


def test_nothing_known_is_said() -> None:
    for points, use in ((POINTS[3:], 0.8), ([], 0.8), (POINTS, math.nan)):
        figure = break_even_use_figure(points, utilisation=use, rule=0.7)
        assert figure.plot is None
        assert "unknown" in figure.takeaway
