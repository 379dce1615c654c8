"""The heat map shows the evaluation's own hours."""

from __future__ import annotations

import pytest

from app.charts import FIGURES
from tests.charts.support import traces
from tests.surfaces.pages.states import whole


def test_every_hour_is_a_cell() -> None:
    evaluation = whole()
    figure = FIGURES["pue_hours"](evaluation)
    heat = traces(figure)[0]
    assert heat["z"] == evaluation["cooling"]["pue_by_month_and_hour"]
    assert heat["y"][6] == "Jul"
    assert [row.cells[0] for row in figure.rows] == heat["y"]
    assert float(figure.rows[6].cells[15]) == pytest.approx(heat["z"][6][14], abs=5e-4)


def test_hottest_part_of_the_day_is_named() -> None:
    assert FIGURES["pue_hours"](whole()).takeaway == "PUE runs from 1.09 to 1.18, highest on July afternoons."


def test_flat_year_is_not_drawn_as_weather() -> None:
    evaluation = whole()
    evaluation["cooling"]["pue_by_month_and_hour"] = [[1.1 + 1e-5 * hour for hour in range(24)]] * 12
    figure = FIGURES["pue_hours"](evaluation)
    assert figure.takeaway == "PUE is 1.10 at every hour of the year."
    heat = traces(figure)[0]
    assert heat["zmax"] - heat["zmin"] > 0.009


@pytest.mark.parametrize("table", [None, [], [[1.1] * 24] * 11, [[1.1] * 23 + [None]] * 12])
def test_incomplete_year_is_unknown(table: object) -> None:
    evaluation = whole()
    evaluation["cooling"]["pue_by_month_and_hour"] = table
    assert FIGURES["pue_hours"](evaluation).plot is None
