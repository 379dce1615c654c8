"""Own or rent: lines that meet in the month that the engine states, words that follow them, and unknown."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from app.charts import FIGURES
from app.charts.economics.break_even_use import TermPoint, break_even_use_figure
from app.charts.economics.rent_curves import hour_cost_figure, rent_lines_figure, use_by_price_figure
from app.charts.economics.rent_map import rent_map_figure
from app.charts.economics.rent_mix import rent_mix_figure
from app.charts.economics.rent_prices import Drawn, OfferPoint, PathLine, rent_prices_figure
from app.charts.figure import Figure
from app.charts.forms import end_labels
from app.engine.economics.finance import monthly_rate
from app.engine.economics.rent import break_even_months, monthly_gain_usd
from tests.charts.support import assert_whole, layout, plain, traces
from tests.surfaces.pages.states import whole

USE = [0.25, 0.5, 0.75, 1.0]


def lines(meets: float = 2, own: float | None = 2e6) -> Figure:
    return rent_lines_figure(
        [
            Drawn("own", "Own", [own, own, own, own]),
            Drawn("own_level", "Own, level payments", [0.0, 6e5, 1.2e6, 1.8e6]),
            Drawn("on_demand", "On demand", [0.0, 1e6, 2e6, 3e6]),
        ],
        path="at constant prices",
        against="on_demand",
        meets=meets,
    )


def heat(even: list[float | None], cell: float | None = -0.2) -> Figure:
    return rent_map_figure(
        words="renting on demand", utilisation=USE, months=[12, 24],
        share=[[0.9, 0.4], [0.5, 0.1], [0.2, cell], [0.1, -0.3]], even=even, here=(24, 0.8),
    )  # fmt: skip


def curve() -> Figure:
    terms = [Drawn("on_demand", "On demand", [3.0]), Drawn("spot", "Spot", [None])]
    return use_by_price_figure([1.0, 2.0, 4.0], [None, 0.9, 0.45], terms, 0.8)


def hours() -> Figure:
    drawn = [Drawn("own", "Own", [8.0, 4.0, 3.0, 2.0]), Drawn("spot", "Spot", [3.0] * 4),
             Drawn("reserved", "Reserved", [None] * 4)]  # fmt: skip
    return hour_cost_figure(USE, drawn, 0.75)


def prices(price: float | None = 3.0) -> Figure:
    return rent_prices_figure(
        [OfferPoint("on_demand", "On demand", 2025.5, 2.0, "Seller, 2025-07")],
        [PathLine("flat", "Flat", [1.0] * 12, True), PathLine("shock", "Jump", [1.0] * 6 + [1.5] * 6, False)],
        today_year=2026.9, usd_per_hour=price, words="renting on demand",
    )  # fmt: skip


def mix(best: float | None = 0.5) -> Figure:
    return rent_mix_figure([0.0, 0.5, 1.0], [1e6, 7.5e5, 1e6], best=best, best_usd=7.5e5, served=0.75,
                           peak_over_mean=2, words="renting on demand")  # fmt: skip


def test_takeaways() -> None:
    assert lines().takeaway == "Rent on demand has paid for the pod after 2 months at constant prices."
    assert "never pays" in lines(math.inf).takeaway
    assert "later than is drawn" in lines(40).takeaway
    assert heat([None, 0.6]).takeaway.startswith(
        "Kept 24 months, owning is cheaper than renting on demand from 60"
    )
    assert "kept less than 24, it is not cheaper" in heat([None, 0.6]).takeaway
    assert "not cheaper than renting" in heat([None, None]).takeaway
    assert "at every use" in heat([0.5, 0.0]).takeaway
    assert curve().takeaway.endswith("any rent above 2.44 USD per hour.")  # 2 + 2 (0.9 - 0.8) / (0.9 - 0.45)
    assert hours().takeaway.startswith("Over the horizon an owned hour costs 3.00 USD at 75")
    assert (
        prices().takeaway
        == "Offers run from 2.00 to 2.00 USD per hour; the paths end between 3.00 and 4.50 USD."
    )
    assert mix().takeaway.startswith("Owning 50")
    assert mix(1.0).takeaway == "Owning all of the pod costs least."
    assert mix(0.0).takeaway.startswith("Owning nothing")


def test_what_is_unknown_is_said_and_not_drawn() -> None:
    assert lines(own=None).plot is None
    assert heat([0.5, 0.5], cell=None).plot is None
    assert mix(None).plot is None
    assert use_by_price_figure([1.0, 2.0], [None, None], [], 0.8).plot is None
    assert hour_cost_figure(USE, [Drawn("own", "Own", [None] * 4)], 0.8).plot is None
    assert rent_prices_figure([], [], today_year=2026, usd_per_hour=None, words="x").plot is None
    only_offers = prices(None)
    assert only_offers.plot is not None
    assert "unknown" in only_offers.takeaway


def test_an_unknown_use_is_not_told_as_never() -> None:
    unknown = use_by_price_figure([1.0, 2.0], [None, None], [], 0.8)
    assert unknown.takeaway == "The use from which owning is cheaper is unknown."
    never = use_by_price_figure([1.0, 2.0], [math.inf, math.inf], [], 0.8)
    assert never.plot is None
    assert never.takeaway == "Owning is not cheaper at any price shown."


def test_a_use_is_met_between_the_prices_drawn() -> None:
    terms = [Drawn("on_demand", "On demand", [3.0]), Drawn("spot", "Spot", [1.5])]
    after_never = use_by_price_figure([1.0, 2.0, 4.0], [math.inf, 0.9, 0.5], terms, 0.6)
    assert after_never.takeaway.endswith(
        "any rent above 3.50 USD per hour."
    )  # 2 + 2 (0.9 - 0.6) / (0.9 - 0.5)
    assert [row.cells[2] for row in after_never.rows] == ["70", "90"]
    from_first = use_by_price_figure([1.0, 2.0], [0.5, 0.4], terms, 0.6)
    assert from_first.takeaway.endswith("any rent above 1 USD per hour.")


def test_cells_beyond_the_scale_are_drawn_at_its_end_and_told_in_full() -> None:
    plot = heat([0.9, 0.6]).plot
    assert plot is not None
    assert plot["data"][0]["z"][0][0] == 0.6
    assert "90" in plot["data"][0]["text"][0][0]


def test_names_at_the_ends_of_lines_keep_apart() -> None:
    found = end_labels([("a", 10, "text"), ("b", 9.9, "text"), ("c", 0.0, "text"), ("d", 0.1, "text")], 1, 10)
    heights = [one["y"] for one in found]
    assert heights == sorted(heights, reverse=True)
    assert min(a - b for a, b in itertools.pairwise(heights)) >= 0.7 - 1e-9


@pytest.mark.parametrize(
    "figure", [lines(), heat([0.9, 0.6]), curve(), hours(), prices(), mix()], ids=lambda one: one.name
)
def test_they_are_whole(figure: Figure) -> None:
    assert figure.plot is not None
    assert_whole(figure)


POINTS = [
    TermPoint(title="On demand", usd_per_hour=4.0, utilisation=0.45),
    TermPoint(title="Reserved", usd_per_hour=2.5, utilisation=0.82),
    TermPoint(title="Spot", usd_per_hour=1.0, utilisation=math.inf),
    TermPoint(title="Capacity block", usd_per_hour=3.0, utilisation=math.nan),
]


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
    assert "Owning is not cheaper than any of these terms at any utilisation" in figure.takeaway


def test_nothing_known_is_said() -> None:
    for points, use in ((POINTS[3:], 0.8), ([], 0.8), (POINTS, math.nan)):
        figure = break_even_use_figure(points, utilisation=use, rule=0.7)
        assert figure.plot is None
        assert "unknown" in figure.takeaway


def own_or_rent_lines(evaluation: dict[str, Any]) -> dict[str, list[float]]:
    figure = FIGURES["own_or_rent"](evaluation)
    return {trace["name"]: trace["y"] for trace in traces(figure) if trace["mode"] == "lines"}


def engine_months(evaluation: dict[str, Any], price: float) -> float:
    pod, terms = evaluation["inputs"]["pod"], evaluation["inputs"]["economics"]
    up = evaluation["reliability"]["availability"] * evaluation["power"]["facility_availability"]
    hours = pod["supernodes"] * 8 * 8760 * up
    gain = monthly_gain_usd(
        available_accelerator_hours_per_year=np.array([hours]),
        utilisation=np.array([terms["utilisation"]]),
        rent_usd_per_hour=np.array([price]),
        opex_usd_per_year=np.array([evaluation["cost"]["opex_usd_per_year"]]),
    )
    rate = monthly_rate(yearly_rate=np.array([terms["wacc"]]))
    capex = np.array([evaluation["cost"]["capex_usd"]])
    return float(
        break_even_months(
            capex_usd=capex,
            monthly_gain_usd=gain,
            monthly_rate=rate,
            life_years=np.array([terms["life_years"]]),
        )[0]
    )


def test_lines_start_at_the_price_and_at_nothing() -> None:
    drawn = own_or_rent_lines(whole())
    assert drawn["Own"][0] == pytest.approx(1090)
    assert drawn["On demand"][0] == drawn["Reserved"][0] == 0
    assert len(drawn["Own"]) == 61


def test_without_interest_lines_are_straight_and_money_adds_up() -> None:
    evaluation = whole()
    evaluation["inputs"]["economics"]["wacc"] = 0.0
    drawn = own_or_rent_lines(evaluation)
    assert drawn["Own"][-1] == pytest.approx(1090 + 5 * 52.2, rel=1e-5)  # points have six digits
    hours = 2048 * 8 * 8760 * 0.999 * 0.99997 * 0.8
    assert drawn["On demand"][12] == pytest.approx(hours * 3.2 / 1e6, rel=1e-5)
    assert drawn["Reserved"][60] == pytest.approx(5 * hours * 2.45 / 1e6, rel=1e-5)


@pytest.mark.parametrize("wacc", [0.0, 0.04, 0.1])
def test_crossing_is_the_month_that_the_engine_states(wacc: float) -> None:
    evaluation = whole()
    evaluation["inputs"]["economics"]["wacc"] = wacc
    months = engine_months(evaluation, 3.2)
    drawn = own_or_rent_lines(evaluation)
    month = int(months)
    assert drawn["Own"][month] <= drawn["On demand"][month]
    assert drawn["Own"][month - 1] > drawn["On demand"][month - 1]
    figure = FIGURES["own_or_rent"](evaluation)
    assert f"after {month} months against renting on demand" in figure.takeaway
    assert figure.rows[-1].cells[2] == f"{month} months"
    texts = [plain(note["text"]) for note in layout(figure)["annotations"]]
    assert f"<b>{month} mo</b>" in texts


def test_mark_lies_on_both_lines() -> None:
    figure = FIGURES["own_or_rent"](whole())
    drawn = own_or_rent_lines(whole())
    mark = next(trace for trace in traces(figure) if trace["mode"] == "markers")
    for name in ("Own", "On demand"):
        assert mark["y"][0] == pytest.approx(np.interp(mark["x"][0], range(61), drawn[name]))


def test_owning_that_never_pays_back_is_said() -> None:
    evaluation = whole()
    evaluation["inputs"]["economics"]["rental_on_demand_usd_per_accelerator_hour"] = 0.01
    evaluation["inputs"]["economics"]["rental_reserved_usd_per_accelerator_hour"] = None
    figure = FIGURES["own_or_rent"](evaluation)
    assert (
        figure.takeaway
        == "By the hourly rent alone, owning does not pay back within 60 months against renting on demand."
    )
    assert figure.rows[-1].cells[2] == "never"
    assert figure.caption.endswith("No reserved or contract price is published.")


def test_labels_at_the_ends_do_not_meet() -> None:
    evaluation = whole()
    terms = evaluation["inputs"]["economics"]
    terms["rental_reserved_usd_per_accelerator_hour"] = 3.19
    figure = FIGURES["own_or_rent"](evaluation)
    top = layout(figure)["yaxis"]["range"][1]
    heights = sorted(note["y"] for note in layout(figure)["annotations"] if note["x"] == 60)
    assert min(np.diff(heights)) >= 0.07 * top
