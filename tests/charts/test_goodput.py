"""Useful time against the interval: the engine's curve, through the engine's choice."""

from __future__ import annotations

import numpy as np
import pytest

from app.charts import FIGURES
from app.charts.goodput import Run, useful_share
from tests.charts.support import traces
from tests.surfaces.pages.states import whole


def test_curve_goes_through_the_engines_choice() -> None:
    evaluation = whole()
    figure = FIGURES["goodput"](evaluation)
    curve, best = traces(figure)
    interval, ettr = evaluation["reliability"]["checkpoint_interval_s"], evaluation["reliability"]["ettr"]
    assert best["x"] == [interval]
    assert best["y"] == [ettr]
    assert curve["y"][curve["x"].index(interval)] == pytest.approx(ettr, abs=1e-6)


def test_nothing_on_the_curve_is_better() -> None:
    """Within what a rollback that shrinks with the interval moves the optimum."""
    figure = FIGURES["goodput"](whole())
    assert max(traces(figure)[0]["y"]) <= whole()["reliability"]["ettr"] + 2e-4


def test_blocking_optimum_is_exact() -> None:
    from app.engine.operations.checkpointing import optimum_interval_s

    run = Run(11200.0, 23.0, 300.0, 5.0, 0.0, 23.0, 0.0, False)
    best = optimum_interval_s(stall_s=np.array([23.0]), mtbf_s=np.array([11200.0]))
    shares = useful_share(run, best * np.array([0.98, 1.0, 1.02]))
    assert shares.argmax() == 1


def test_breakdown_is_the_evaluations() -> None:
    evaluation = whole()
    rows = FIGURES["goodput"](evaluation).legend_rows
    assert [row.path for row in rows[:-1]] == [
        f"reliability.goodput_breakdown.{name}" for name in evaluation["reliability"]["goodput_breakdown"]
    ]
    assert rows[0].cells == ("Training advances", "88.9\u202f%")
    assert rows[-1].cells == ("Total", "100.0\u202f%")


def test_no_interval_is_shorter_than_a_step() -> None:
    evaluation = whole()
    evaluation["performance"]["step_time_s"] = 300.0
    figure = FIGURES["goodput"](evaluation)
    assert min(traces(figure)[0]["x"]) >= 300.0


def test_what_halving_costs_is_said() -> None:
    assert "costs 1.5 points at most" in FIGURES["goodput"](whole()).takeaway
