"""How busy the links of each tier are."""

from __future__ import annotations

from app.charts.fabric.tier_load import Load, tier_load_figure
from tests.charts.support import layout, traces

WORDS = {"name": "load", "eyebrow": "Load", "caption": "By tier.", "takeaway": "Spines are full."}


def test_bars_are_means_and_marks_the_busiest_links():
    figure = tier_load_figure([Load("leaf", 0.25, 0.5), Load("spine", 0.5, 1.0)], **WORDS)
    bars, marks = traces(figure)
    assert (bars["x"], marks["x"]) == ([25.0, 50.0], [50.0, 100.0])
    assert layout(figure)["yaxis"]["categoryarray"] == ["Leaf", "Spine"]
    assert [row.cells[0] for row in figure.rows] == ["Leaf", "Spine"]


def test_one_unknown_tier_is_left_open_and_all_of_them_make_no_plot():
    figure = tier_load_figure([Load("scale_up", None, None), Load("leaf", 0.0, 0.0)], **WORDS)
    assert traces(figure)[0]["x"] == [None, 0.0]
    assert figure.rows[0].cells == ("Scale-up", "unknown", "unknown")
    assert tier_load_figure([Load("scale_up", None, None)], **WORDS).plot is None
