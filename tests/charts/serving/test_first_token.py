"""The time to the first token by part."""

from __future__ import annotations

import pytest

from app.charts.serving.first_token import first_token_figure
from tests.charts.support import layout, traces

PARTS = {"prefill": 0.15, "queue_wait": 0.04, "overhead": 0.01, "kv_transfer": 0.0}


def evaluation(parts: dict[str, float | None], whole: float | None) -> dict[str, object]:
    return {"performance": {"ttft_s": whole, "ttft_breakdown_s": parts}}


def test_bars_are_the_parts_that_count_and_the_table_has_all() -> None:
    figure = first_token_figure(evaluation(PARTS, 0.2))
    (bars,) = traces(figure)
    assert sum(bars["x"]) == pytest.approx(200)  # milliseconds
    assert len(bars["x"]) == 3
    assert bars["y"][0] == "Prefill of the prompt"
    assert [row.cells[0] for row in figure.rows][-2:] == ["Sending keys and values", "First token"]
    assert figure.rows[0].path == "performance.ttft_breakdown_s.prefill"
    assert figure.takeaway.startswith("Prefill of the prompt: 75")


def test_own_measurements_may_take_less() -> None:
    figure = first_token_figure(evaluation({"prefill": 0.3, "calibration": -0.1}, 0.2))
    assert layout(figure)["xaxis"]["range"][0] == pytest.approx(-100)
    assert sum(traces(figure)[0]["x"]) == pytest.approx(200)


@pytest.mark.parametrize(
    "unknown", [evaluation({}, 0.2), evaluation({"prefill": None}, 0.2), evaluation(PARTS, None)]
)
def test_what_is_unknown_is_said_to_be(unknown: dict[str, object]) -> None:
    assert first_token_figure(unknown).plot is None
