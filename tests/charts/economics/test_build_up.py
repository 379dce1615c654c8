"""The waterfall of a used hour: parts in their order, small ones as one, and unknown."""

from __future__ import annotations

import math

import pytest

from app.charts.economics.build_up import BuildUpPart, build_up_figure
from tests.charts.support import traces

PARTS = [
    BuildUpPart("SuperNodes", "capital", 1.4, "cost.capital_breakdown_usd_per_year.servers"),
    BuildUpPart("Storage", "capital", 0.004),
    BuildUpPart("Land", "capital", 0.005),
    BuildUpPart("Electricity", "running", 0.591),
]


def test_bars_lead_to_the_total() -> None:
    figure = build_up_figure(PARTS, 2.0)
    (bars,) = traces(figure)
    assert bars["y"] == ["SuperNodes", "Other, bought", "Electricity", "Total"]
    ends = [start + size for start, size in zip(bars["base"], bars["x"], strict=True)]
    assert ends[:-1] == pytest.approx([1.4, 1.409, 2.0])
    assert ends[-2:] == pytest.approx([2.0, 2.0])
    assert [row.cells[0] for row in figure.rows] == ["SuperNodes", "Storage", "Land", "Electricity", "Total"]
    assert figure.rows[0].path.endswith("servers")
    assert figure.takeaway.startswith("70.4")


def test_unknown_is_said() -> None:
    figure = build_up_figure(PARTS, math.nan)
    assert figure.plot is None
    assert "unknown" in figure.takeaway


def test_nothing_costs_nothing() -> None:
    figure = build_up_figure([BuildUpPart("SuperNodes", "capital", 0.0)], 0.0)
    assert figure.takeaway == "A used hour costs nothing."
