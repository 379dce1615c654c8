"""Heat of a rack by height unit, drawn and in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from app.catalog.ready import ready_catalog
from app.charts.facility.rack_heat import rack_heat_figure
from app.charts.facility.rack_words import headline, measured, more_servers
from app.engine.facility.racks.kind import RackKind
from app.scenarios.evaluation.service import evaluate_scenario
from app.views.facility.racks import RacksOptions, racks_answer
from tests.scenarios.support import document


def kind_of(**changes: object) -> RackKind:
    evaluated = evaluate_scenario(document(pod__supernodes=8, **changes), ready_catalog())
    chosen = racks_answer(evaluated, RacksOptions()).chosen
    assert chosen is not None
    return chosen


@pytest.fixture(scope="module")
def nvl72() -> RackKind:
    return kind_of(supernode__system="gb200_nvl72")


def test_both_loops_of_an_nvl72(nvl72: RackKind) -> None:
    figure = rack_heat_figure(nvl72)
    assert figure.plot is not None
    drawn = go.Figure(figure.plot)
    air, liquid = (trace for trace in drawn.data if trace.type == "bar")
    assert (air.name, liquid.name) == ("To air", "To liquid")
    assert air.marker.pattern.shape == "/"  # told apart not only by colour
    assert not liquid.marker.pattern.shape
    assert (air.xaxis, liquid.xaxis) == ("x2", "x3")
    assert sum(2 * (one + other) for one, other in zip(air.x, liquid.x, strict=True)) == pytest.approx(132e3)
    assert drawn.layout.xaxis2.range == drawn.layout.xaxis3.range
    assert figure.takeaway.replace("\u202f", " ") == (
        "17.2 kW leave by air and 115 kW by liquid; the hottest units give 3.67 kW each."
    )
    assert len(figure.rows) == 18
    assert figure.rows[0].cells[1:] == ("U35", "2", "477", "3,190")


def test_all_by_air() -> None:
    figure = rack_heat_figure(kind_of())
    assert figure.takeaway.replace("\u202f", " ").startswith("40.8 kW leave by air; the hottest units")


def test_unknown_power_is_not_drawn(nvl72: RackKind) -> None:
    shelves = tuple(replace(shelf, air_w_per_u=np.nan) for shelf in nvl72.heat.shelves)
    assert rack_heat_figure(replace(nvl72, heat=replace(nvl72.heat, shelves=shelves))).plot is None


def test_words_of_checks(nvl72: RackKind) -> None:
    (first, *_) = nvl72.checks
    servers = [replace(first, more=more) for more in (np.nan, 0.0, 1.0, np.inf)]
    assert [more_servers(check) for check in servers] == ["n/a", "0", "1", "any"]
    assert headline(replace(nvl72, first=servers[1])).endswith("No further server fits.")
    assert headline(replace(nvl72, first=servers[2])).endswith("1 more server fits.")
    assert "nothing of it is known" in headline(replace(nvl72, first=None))
    over = replace(first, status="over", value=2000.0, utilisation=2000 / 1361)
    assert "is past a limit: weight planned for a rack at 2,000" in headline(replace(nvl72, checks=(over,)))
    assert measured(7903.0, "N/m2").text == "7.90\u202fkN/m\u00b2"
    assert measured(float("nan"), "N/m2").value == "not published"
    assert measured(float("inf"), "W").text == "none"
