"""PUE of regions: a marker each, open where the climate is far, between the lines of the band."""

from __future__ import annotations

import pytest

from app.charts.pue_regions import RegionPoint, pue_regions_figure
from tests.charts.support import traces

POINTS = (
    RegionPoint("Stockholm, 2024", "Amazon", 1.10, 1.14, True),
    RegionPoint("Jakarta, 2024", "Amazon", 1.40, 1.29, False),
    RegionPoint("Iowa, 2024", "Google", 1.10, 1.16, True),
)


def figure(points=POINTS):
    return pue_regions_figure(points, below=0.09, above=0.1, takeaway="Said above.", caption="Said below.")


def test_every_region_is_drawn_once_and_stands_in_the_table():
    found = figure()
    markers = [trace for trace in traces(found) if trace["mode"] == "markers"]
    drawn = [name for trace in markers for name, *_ in trace["customdata"]]
    assert sorted(drawn) == sorted(point.name for point in POINTS)
    assert [row.cells[0] for row in found.rows] == [point.name for point in POINTS]
    assert [mark.label for mark in found.legend][:2] == ["Amazon", "Google"]


def test_far_climates_have_open_markers():
    symbols = {
        name: trace["marker"]["symbol"]
        for trace in traces(figure())
        if trace["mode"] == "markers"
        for name, *_ in trace["customdata"]
    }
    assert symbols == {"Stockholm, 2024": "circle", "Jakarta, 2024": "circle-open", "Iowa, 2024": "square"}


def test_the_band_lies_around_the_line_where_both_agree():
    agree, low, high = (trace for trace in traces(figure()) if trace["mode"] == "lines")
    assert agree["x"] == agree["y"] == [1.14, 1.29]
    assert low["y"] == pytest.approx([1.05, 1.2])
    assert high["y"] == pytest.approx([1.24, 1.39])


def test_nothing_published():
    assert figure(()).plot is None
