"""Distribution, tornado, Sobol indices and spider: what Plotly accepts, what they say, and what is unknown."""

from __future__ import annotations

import dataclasses

import pytest

from app.charts.economics.distribution import Spread, distribution_figure
from app.charts.economics.sobol import VarianceBar, sobol_figure
from app.charts.economics.spider import RangeLine, spider_figure
from app.charts.economics.tornado import SwingBar, tornado_figure
from app.charts.figure import Figure
from tests.charts.support import assert_whole, layout, plain, traces

COST = Spread(
    label="Cost of the run", unit="USD", point=66e6, p10=61e6, p50=68e6, p90=78e6,
    edges=[55e6, 61e6, 70e6, 78e6, 90e6], counts=[10, 45, 35, 10], limit=75e6, limit_words="budget",
)  # fmt: skip
BARS = [
    SwingBar(name="Electricity price", low_words="0.07", high_words="0.10", at_low=65.9e6, at_high=66.1e6),
    SwingBar(name="Utilisation", low_words="40 %", high_words="95 %", at_low=120e6, at_high=58e6),
]
LINES = [
    RangeLine(name="Utilisation", low_words="40 %", high_words="95 %", shares=[0, 0.5, 1], values=[120e6, 80e6, 58e6]),
    RangeLine(name="Life", low_words="4", high_words="6", shares=[0, 0.5, 1], values=[70e6, None, 60e6]),
]  # fmt: skip


def share(name: str, first: float, total: float) -> VarianceBar:
    return VarianceBar(name=name, first=first, first_low=first - 0.02, first_high=first + 0.02,
                       total=total, total_low=total - 0.02, total_high=total + 0.02)  # fmt: skip


INDICES = [share("Utilisation", 0.6, 0.7), share("Price", 0.2, 0.25), share("Nothing", -0.001, 0.001)]


def test_the_spread_says_between_what_and_where_it_stands() -> None:
    figure = distribution_figure("Cost of the run", COST)
    said = plain(figure.takeaway)
    assert said == "80 % of the samples lie between 61 M USD and 78 M USD; the current design has 66 M USD."
    (bars,) = traces(figure)
    assert sum(bars["y"]) == pytest.approx(100)
    assert bars["marker"]["color"] == ["var(--c1-tint)", "var(--c1)", "var(--c1)", "var(--c1-tint)"]
    marked = {note["text"]: note["x"] for note in layout(figure)["annotations"]}
    assert marked == {"P10": 61, "P50": 68, "P90": 78, "current": 66, "budget": 75}


def test_a_point_outside_and_a_limit_far_away_are_told_and_left_out() -> None:
    figure = distribution_figure("Cost", dataclasses.replace(COST, point=56e6, limit=900e6))
    assert figure.takeaway.endswith("below them.")
    assert "budget" not in {note["text"] for note in layout(figure)["annotations"]}


def test_what_nothing_moves_is_one_value() -> None:
    still = dataclasses.replace(COST, p10=66e6, p50=66e6, p90=66e6, edges=[65.5e6, 66.5e6], counts=[4])
    assert "No varied input changes it" in distribution_figure("Cost", still).takeaway


def test_the_tornado_is_widest_first_and_both_ends_are_labelled() -> None:
    figure = tornado_figure("Cost of the run", "USD", 66e6, BARS, left_out=3)
    (trace,) = traces(figure)
    assert [words[0] for words in trace["customdata"]] == ["Utilisation", "Electricity price"]
    assert trace["base"][0] == 58
    assert trace["x"][0] == pytest.approx(62)
    notes = layout(figure)["annotations"]
    assert [(note["x"], note["text"], note["xanchor"]) for note in notes[:2]] == [
        (58, "95 %", "right"),
        (120, "40 %", "left"),
    ]
    low, high = layout(figure)["xaxis"]["range"]
    assert low < 58
    assert high > 120
    assert "3 more move it less" in figure.caption


def test_on_a_small_screen_the_tornado_leaves_long_units_to_the_table() -> None:
    bar = SwingBar(
        name="Price", low_words="270,000\u202fUSD", high_words="9.30\u00a0M\u00a0USD/MW", at_low=1.0,
        at_high=3.0,
    )  # fmt: skip
    short = {
        name: text
        for name, text in tornado_figure("Cost", "USD", 2.0, [bar]).narrow.items()
        if "text" in name
    }
    assert short["annotations.0.text"] == "270,000"
    assert short["annotations.1.text"] == "9.30\u00a0M"
    assert tornado_figure("Cost", "USD", 66e6, BARS).narrow["annotations.0.text"] == "95 %"


def test_sobol_says_what_inputs_do_together() -> None:
    figure = sobol_figure("Cost of the run", INDICES)
    said = plain(figure.takeaway)
    assert said == "Utilisation makes 60 % of the variance alone; what inputs do together makes 20 %."
    totals, alone = traces(figure)
    assert totals["x"] == pytest.approx([70, 25, 0.1])
    assert alone["x"] == [60, 20, 0]  # sampled shares below nothing are nothing
    assert figure.rows[2].cells[1] == "0"


def test_many_inputs_are_counted_and_not_drawn() -> None:
    figure = sobol_figure("Cost", [share(f"Input {place}", 0.05, 0.06) for place in range(14)])
    assert len(figure.rows) == 10
    assert "4 more" in figure.caption
    assert "together makes 30" in figure.takeaway  # of all fourteen


def test_the_spider_follows_the_widest_and_breaks_where_it_is_unknown() -> None:
    figure = spider_figure("Cost", "USD", LINES[::-1])
    assert plain(figure.takeaway) == ("It falls from 120 to 58 M USD as utilisation goes from 40 % to 95 %.")
    assert [trace["name"] for trace in traces(figure)] == ["Utilisation", "Life"]
    assert traces(figure)[1]["y"][1] is None
    assert figure.rows[1].cells[4] == "unknown"


@pytest.mark.parametrize(
    "figure",
    [
        distribution_figure("Cost", None),
        tornado_figure("Cost", "USD", None, BARS),
        tornado_figure("Cost", "USD", 1.0, []),
        sobol_figure("Cost", []),
        spider_figure("Cost", "USD", []),
    ],
)
def test_what_is_unknown_has_no_plot_and_says_so(figure: Figure) -> None:
    assert figure.plot is None
    assert figure.takeaway.endswith(".")


@pytest.mark.parametrize(
    "figure",
    [
        distribution_figure("Cost of the run", COST),
        distribution_figure("Cost", dataclasses.replace(COST, point=None, limit=None, unit="%")),
        tornado_figure("Cost of the run", "USD", 66e6, BARS),
        sobol_figure("Cost of the run", INDICES),
        spider_figure("Cost of the run", "USD", LINES),
    ],
)
def test_they_are_whole(figure: Figure) -> None:
    assert figure.plot is not None
    assert_whole(figure)
