"""Cost of tokens as bars: answer and prompts, rented beside, what is unknown left out and named."""

from __future__ import annotations

import math

from app.charts.serving.token_costs import CostBar, token_costs_figure
from tests.charts.support import traces


def bar(name: str, output: float, prompts: float, rented: float = math.nan, feasible: bool = True) -> CostBar:
    return CostBar(name=name, output_usd=output, prompts_usd=prompts, rented_usd=rented, feasible=feasible)


def test_the_cheapest_that_does_is_named() -> None:
    figure = token_costs_figure(
        [bar("A FP8", 1.0, 0.5, 3.0), bar("B FP8", 0.1, 0.1, feasible=False), bar("C FP8", 0.7, 0.2)],
        ["D FP8"],
    )
    assert figure.takeaway.startswith("C FP8 is the cheapest that keeps what is promised: 0.900")
    assert "Not drawn, as a price is unknown or it cannot be tried: D FP8." in figure.caption
    answer, prompts, rented = traces(figure)
    assert answer["x"] == [1.0, 0.1, 0.7]
    assert prompts["x"] == [0.5, 0.1, 0.2]
    assert (rented["y"], rented["x"]) == (["A FP8"], [3.0])
    assert answer["marker"]["color"][1] == "var(--bg)"  # hollow: it does not do
    assert figure.rows[2].cells[-1] == "unknown"
    assert len(figure.narrow["xaxis.tickvals"]) == 2


def test_nothing_known_is_said() -> None:
    figure = token_costs_figure([], ["D FP8"])
    assert figure.plot is None
    assert figure.takeaway == "No system has a known cost of tokens."


def test_none_that_does_is_said() -> None:
    assert (
        "No system with a known cost keeps"
        in token_costs_figure([bar("A", 1, 1, feasible=False)], []).takeaway
    )


def test_what_bears_another_load_is_drawn_and_not_compared() -> None:
    own = CostBar(
        name="Own, now", output_usd=0.1, prompts_usd=0.1, rented_usd=math.nan, feasible=True, compared=False
    )
    assert token_costs_figure([own, bar("A", 1, 1)], []).takeaway.startswith("A is the cheapest")
