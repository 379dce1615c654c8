"""A token's time by part: bars that stack to it."""

from __future__ import annotations

import pytest

from app.charts.serving.token_time import BatchTime, token_time_figure
from tests.charts.support import traces

POINTS = [
    BatchTime(batch=0.98, tpot_s=0.010, parts_s={"launch": 0.007, "experts": 0.003, "expert_exchange": 0.0}),
    BatchTime(batch=64, tpot_s=0.040, parts_s={"launch": 0.007, "experts": 0.033, "expert_exchange": 0.0}),
]


def test_bars_stack_to_the_time_and_parts_that_are_nothing_are_left_out() -> None:
    figure = token_time_figure(POINTS)
    bars = traces(figure)
    assert [bar["name"] for bar in bars] == ["Routed experts", "Kernel launches"]
    assert sum(bar["y"][1] for bar in bars) == pytest.approx(40)
    assert [mark.slot for mark in figure.legend] == ["c3", "c7"]
    assert bars[0]["x"] == ["0.98", "64"]  # a mean, as one waits for its first token


def test_the_takeaway_names_the_largest_part_at_both_ends() -> None:
    text = token_time_figure(POINTS).takeaway.replace("\u202f", " ")
    assert text == "Largest at a batch of 0.98: kernel launches 70 %; at 64: routed experts 82 %."


def test_a_correction_is_a_part_of_its_own() -> None:
    points = [BatchTime(batch=1, tpot_s=0.011, parts_s={"launch": 0.010, "calibration": 0.001})]
    assert token_time_figure(points).legend[-1].label == "Correction by own measurements"
