"""From the question to the first token, as bars with their budgets."""

from __future__ import annotations

from app.charts.serving.latency_budget import BudgetBar, latency_budget_figure
from tests.charts.support import traces

BARS = [
    BudgetBar(
        name="Europe, cloud",
        round_trip_s=0.1,
        queue_s=0.02,
        prefill_s=0.08,
        other_s=0.1,
        total_s=0.3,
        budget_s=0.25,
    )
]


def test_parts_stack_and_the_budget_stands_across() -> None:
    figure = latency_budget_figure(BARS, "Missed.")
    *parts, budget = traces(figure)
    assert [trace["name"] for trace in parts] == ["Network", "Queue", "Prefill", "Engine"]
    assert round(sum(trace["x"][0] for trace in parts), 9) == 300  # milliseconds
    assert budget["x"] == [250]
    assert budget["marker"]["symbol"] == "line-ns"
    assert figure.rows[0].cells[0] == "Europe, cloud"
    assert figure.takeaway == "Missed."
