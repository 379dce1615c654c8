"""Figures of own or rent: Plotly takes them, their words follow the figures, and unknown is said."""

from __future__ import annotations

import itertools
import math

import pytest

from app.charts.economics.rent_curves import hour_cost_figure, use_by_price_figure
from app.charts.economics.rent_lines import rent_lines_figure
from app.charts.economics.rent_map import rent_map_figure
from app.charts.economics.rent_mix import rent_mix_figure
from app.charts.economics.rent_parts import Drawn
from app.charts.economics.rent_prices import OfferPoint, PathLine, rent_prices_figure
from app.charts.figure import Figure
from app.charts.forms import end_labels
from tests.charts.support import assert_whole

USE = [0.25, 0.5, 0.75, 1.0]


def lines(meets: float = 2, own: float | None = 2e6) -> Figure:
    return rent_lines_figure(
        [
            Drawn("own", "Own", [own, own, own, own]),
            Drawn("own_level", "Own, level payments", [0.0, 6e5, 1.2e6, 1.8e6]),
            Drawn("on_demand", "On demand", [0.0, 1e6, 2e6, 3e6]),
        ],
        path="on the flat path",
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
    assert lines().takeaway == "Rent on demand has paid for the pod after 2 months on the flat path."
    assert "never pays" in lines(math.inf).takeaway
    assert "later than is drawn" in lines(40).takeaway
    assert heat([None, 0.6]).takeaway.startswith(
        "Kept 24 months, owning is cheaper than renting on demand from 60"
    )
    assert "kept less than 24, at no use" in heat([None, 0.6]).takeaway
    assert "at no use within 24 months" in heat([None, None]).takeaway
    assert "at every use" in heat([0.5, 0.0]).takeaway
    assert curve().takeaway.endswith("any rent above 2.44 USD an hour.")  # 2 + 2 (0.9 - 0.8) / (0.9 - 0.45)
    assert hours().takeaway.startswith("An owned hour costs 3.00 USD at 75")
    assert (
        prices().takeaway
        == "Offers run from 2.00 to 2.00 USD an hour; the paths end between 3.00 and 4.50 USD."
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
    assert never.takeaway == "At no price drawn here is owning cheaper."


def test_a_use_is_met_between_the_prices_drawn() -> None:
    terms = [Drawn("on_demand", "On demand", [3.0]), Drawn("spot", "Spot", [1.5])]
    after_never = use_by_price_figure([1.0, 2.0, 4.0], [math.inf, 0.9, 0.5], terms, 0.6)
    assert after_never.takeaway.endswith(
        "any rent above 3.50 USD an hour."
    )  # 2 + 2 (0.9 - 0.6) / (0.9 - 0.5)
    assert [row.cells[2] for row in after_never.rows] == ["70", "90"]
    from_first = use_by_price_figure([1.0, 2.0], [0.5, 0.4], terms, 0.6)
    assert from_first.takeaway.endswith("any rent above 1 USD an hour.")


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
