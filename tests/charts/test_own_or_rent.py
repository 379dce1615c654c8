"""Owning against renting: the lines, and the month where they cross."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.charts import FIGURES
from app.engine.economics.finance import monthly_rate
from app.engine.economics.rent import break_even_months, monthly_gain_on_demand_usd
from tests.charts.support import layout, traces
from tests.surfaces.pages.states import whole


def lines(evaluation: dict[str, Any]) -> dict[str, list[float]]:
    figure = FIGURES["own_or_rent"](evaluation)
    return {trace["name"]: trace["y"] for trace in traces(figure) if trace["mode"] == "lines"}


def engine_months(evaluation: dict[str, Any], price: float) -> float:
    pod, terms = evaluation["inputs"]["pod"], evaluation["inputs"]["economics"]
    hours = pod["supernodes"] * 8 * 8760 * evaluation["reliability"]["availability"]
    gain = monthly_gain_on_demand_usd(
        available_accelerator_hours_per_year=np.array([hours]),
        utilisation=np.array([terms["utilisation"]]),
        on_demand_usd_per_hour=np.array([price]),
        opex_usd_per_year=np.array([evaluation["cost"]["opex_usd_per_year"]]),
    )
    rate = monthly_rate(yearly_rate=np.array([terms["wacc"]]))
    capex = np.array([evaluation["cost"]["capex_usd"]])
    return float(break_even_months(capex_usd=capex, monthly_gain_usd=gain, monthly_rate=rate)[0])


def test_lines_start_at_the_price_and_at_nothing() -> None:
    drawn = lines(whole())
    assert drawn["Own"][0] == pytest.approx(1090)
    assert drawn["On demand"][0] == drawn["Reserved"][0] == 0
    assert len(drawn["Own"]) == 61


def test_without_interest_lines_are_straight_and_money_adds_up() -> None:
    evaluation = whole()
    evaluation["inputs"]["economics"]["wacc"] = 0.0
    drawn = lines(evaluation)
    assert drawn["Own"][-1] == pytest.approx(1090 + 5 * 52.2)
    hours = 2048 * 8 * 8760 * 0.999 * 0.8
    assert drawn["On demand"][12] == pytest.approx(hours * 3.2 / 1e6)
    assert drawn["Reserved"][60] == pytest.approx(5 * hours * 2.45 / 1e6)


@pytest.mark.parametrize("wacc", [0.0, 0.04, 0.1])
def test_crossing_is_the_month_that_the_engine_states(wacc: float) -> None:
    evaluation = whole()
    evaluation["inputs"]["economics"]["wacc"] = wacc
    months = engine_months(evaluation, 3.2)
    drawn = lines(evaluation)
    month = int(months)
    assert drawn["Own"][month] <= drawn["On demand"][month]
    assert drawn["Own"][month - 1] > drawn["On demand"][month - 1]
    figure = FIGURES["own_or_rent"](evaluation)
    assert f"after {month} months against renting on demand" in figure.takeaway
    assert figure.rows[-1].cells[2] == f"{month} months"
    texts = [note["text"].replace("\u00a0", " ") for note in layout(figure)["annotations"]]
    assert f"<b>{month} mo</b>" in texts


def test_mark_lies_on_both_lines() -> None:
    figure = FIGURES["own_or_rent"](whole())
    drawn = lines(whole())
    mark = next(trace for trace in traces(figure) if trace["mode"] == "markers")
    for name in ("Own", "On demand"):
        assert mark["y"][0] == pytest.approx(np.interp(mark["x"][0], range(61), drawn[name]))


def test_owning_that_never_pays_back_is_said() -> None:
    evaluation = whole()
    evaluation["inputs"]["economics"]["rental_on_demand_usd_per_accelerator_hour"] = 0.01
    evaluation["inputs"]["economics"]["rental_reserved_usd_per_accelerator_hour"] = None
    figure = FIGURES["own_or_rent"](evaluation)
    assert figure.takeaway == "Owning does not pay back within 60 months against renting on demand."
    assert figure.rows[-1].cells[2] == "never"
    assert figure.caption.endswith("No reserved price is published.")


def test_labels_at_the_ends_do_not_meet() -> None:
    evaluation = whole()
    terms = evaluation["inputs"]["economics"]
    terms["rental_reserved_usd_per_accelerator_hour"] = 3.19
    figure = FIGURES["own_or_rent"](evaluation)
    top = layout(figure)["yaxis"]["range"][1]
    heights = sorted(note["y"] for note in layout(figure)["annotations"] if note["x"] == 60)
    assert min(np.diff(heights)) >= 0.07 * top


@pytest.mark.parametrize(
    "path", [("cost", "capex_usd"), ("cost", "opex_usd_per_year"), ("reliability", "availability")]
)
def test_unknown_cost_is_not_drawn(path: tuple[str, str]) -> None:
    evaluation = whole()
    evaluation[path[0]][path[1]] = None
    assert FIGURES["own_or_rent"](evaluation).plot is None
