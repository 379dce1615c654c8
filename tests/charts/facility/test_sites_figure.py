"""Sites in cost and carbon, drawn and in words."""

from __future__ import annotations

import dataclasses

import plotly.graph_objects as go

from app.charts.facility.sites import SitePoint, sites_figure


def point(name: str, cost: float, carbon: float, **flags: bool) -> SitePoint:
    return SitePoint(
        name=name,
        usd_per_accelerator_hour=cost,
        operational_kg=carbon,
        on_front=flags.get("on_front", False),
        here=flags.get("here", False),
        words="Air, dry, PUE 1.200",
    )


CHEAP = point("Cheap", 3.0, 5e6, on_front=True)
CLEAN = point("Clean", 3.3, 1e6, on_front=True)
HERE = point("Here", 3.6, 6e6, here=True)


def test_the_front_is_a_staircase_and_this_design_is_ringed() -> None:
    figure = sites_figure([HERE, CHEAP, CLEAN], left_out=3)
    assert figure.plot is not None
    drawn = go.Figure(figure.plot)
    others, front, here = drawn.data
    assert list(others.x) == [6000.0]
    assert (list(front.x), list(front.y)) == ([1000.0, 5000.0], [3.3, 3.0])  # tonnes
    assert front.line.shape == "hv"  # what a point beats lies above it and to its right
    assert here.marker.symbol == "circle-open"
    said = figure.takeaway.replace("\u202f", " ")
    assert (
        said
        == "Cheap is cheapest; Clean emits 80.0 % less for 10.0 % more. Here costs 20.0 % more than the cheapest."
    )
    assert "3 sites" in figure.caption
    assert [mark.label for mark in figure.legend][-1] == "This design"
    low, high = drawn.layout.yaxis.range
    assert low < 3.0 < 3.6 < high
    assert drawn.layout.xaxis.ticktext[-1].endswith("t")


def test_one_site_may_be_both() -> None:
    alone = dataclasses.replace(CHEAP, here=True, operational_kg=40.0)
    figure = sites_figure([alone], left_out=0)
    assert figure.takeaway == "Cheap is both cheapest and cleanest."
    assert go.Figure(figure.plot).layout.xaxis.ticktext[-1].endswith("kg")


def test_nothing_known_is_said() -> None:
    figure = sites_figure([], left_out=61)
    assert figure.plot is None
    assert "No site has both" in figure.takeaway
