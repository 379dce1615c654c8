"""A step and the time around it: own runs beside the parts, a row a stage, and the interval of checkpoints."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from app.charts import FIGURES
from app.charts.figure import Figure
from app.charts.goodput import Run, useful_share
from app.charts.step_time import step_time_figure
from app.charts.step_timeline import step_timeline_figure
from app.surfaces.pages.cards import time_bar
from tests.charts.support import layout, plain, traces
from tests.surfaces.pages.states import whole


def corrected(ratio: float) -> dict[str, Any]:
    """An evaluation whose scenario states own runs."""
    evaluation = whole()
    performance = evaluation["performance"]
    predicted = performance["step_time_s"]
    performance["step_time_s"] = predicted / ratio
    performance["time_breakdown_s"]["calibration"] = predicted / ratio - predicted
    return evaluation


def bar_end(figure: Figure) -> float:
    return float(sum(trace["x"][0] for trace in traces(figure)))


@pytest.mark.parametrize(
    ("ratio", "words"), [(0.8, "Own runs take 25.0\u202f% longer"), (1.25, "Own runs take 20.0\u202f% less")]
)
def test_own_runs_are_a_line_beside_the_predicted_parts(ratio: float, words: str) -> None:
    """A bar has no length below 0: the parts stay as predicted, and the line is at what was measured."""
    before, figure = step_time_figure(whole()), step_time_figure(corrected(ratio))
    assert words in figure.takeaway
    assert figure.takeaway.startswith(before.takeaway)
    assert bar_end(figure) / layout(figure)["shapes"][0]["x0"] == pytest.approx(ratio, rel=1e-3)
    assert figure.legend_rows[-1].cells[0] == "Calibration"
    assert figure.legend_rows[-1].cells[1].startswith("\N{MINUS SIGN}") == (ratio > 1)


def test_without_own_runs_nothing_is_said_of_them() -> None:
    figure = step_time_figure(whole())
    assert layout(figure)["shapes"] == []
    assert "Own runs" not in figure.takeaway
    assert all("own runs" not in row.cells[0] for row in figure.legend_rows)


def test_the_bar_of_a_card_is_of_the_predicted_parts() -> None:
    assert time_bar(corrected(1.25)) == time_bar(whole())


STAGE = {
    "stage": 1, "layers": 4.0, "forward_s": 2.0, "input_gradient_s": 0.0, "weight_gradient_s": 0.0,
    "backward_s": 4.0, "paired_s": 0.0, "busy_s": 6.0, "waiting_s": 3.0, "chunks_held": 2,
}  # fmt: skip
VIEW: dict[str, Any] = {
    "name": "Two stages", "schedule": "1F1B", "stages": 2, "chunks_per_stage": 1, "micro_batches": 2,
    "simulated_micro_batches": 2, "shown_micro_batches": 2, "transfer_s": 0.1, "simulated_s": 9.0,
    "formula_s": 9.09, "longest_stage_s": 9.0, "waiting_share": 1 / 3,
    "by_stage": [STAGE, STAGE | {"stage": 2, "layers": 3.0, "chunks_held": 1}],
    "operations": {
        "stage": [1, 1, 2, 2, 1, 2, 2, 1], "chunk": [1] * 8, "micro_batch": [1, 2, 1, 1, 1, 2, 2, 2],
        "kind": ["forward", "forward", "forward", "backward", "backward", "forward", "backward", "backward"],
        "start_s": [0.0, 1.0, 1.1, 2.1, 4.2, 4.1, 5.1, 7.2], "end_s": [1.0, 2.0, 2.1, 4.1, 6.2, 5.1, 7.1, 9.2],
        "paired": [False] * 8, "sends": [True, True, False, True, False, False, True, False],
    },
}  # fmt: skip


def figure(**changes: Any) -> Figure:
    return step_timeline_figure(copy.deepcopy(VIEW) | changes)


def trace(drawn: Figure, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in traces(drawn) if one["name"] == name)
    return found


def test_operations_are_bars_from_their_start_and_waits_lines_between_them() -> None:
    drawn = figure()
    forward = trace(drawn, "Forward")
    ends = [words[-1] for words in forward["customdata"]]
    assert list(zip(forward["y"], forward["base"], ends, strict=True)) == [
        (0.0, 0.0, 1.0), (0.0, 1.0, 2.0), (1.0, 1.1, 2.1), (1.0, 4.1, 5.1),
    ]  # fmt: skip
    assert forward["x"] == [0.98] * 4  # a hair shorter, so that neighbours are told apart
    colours = [trace(drawn, name)["marker"]["color"] for name in ("Forward", "Both gradients")]
    colours += [trace(drawn, name)["line"]["color"] for name in ("Waiting", "Sending")]
    assert colours == [f"var(--{slot})" for slot in ("c1", "c3", "c4", "c2")]
    waits = trace(drawn, "Waiting")
    ends = [(waits["y"][at], waits["x"][at], waits["x"][at + 1]) for at in range(0, len(waits["x"]), 3)]
    assert ends == [(0, 2.0, 4.2), (0, 6.2, 7.2), (1, 0.0, 1.1), (1, 7.1, 9.2)]
    sends = trace(drawn, "Sending")
    assert [sends["x"][at] for at in (0, 1)] == [1.0, 1.1]
    assert len(sends["x"]) == 4 * 3
    assert [mark.label for mark in drawn.legend] == ["Forward", "Both gradients", "Waiting", "Sending"]


def test_words_have_simulation_and_closed_form() -> None:
    drawn = figure()
    text = plain(drawn.caption)
    assert "2 stages, 2 micro-batches: simulated 9.00 s, closed form 9.09 s (+1.0 %)" in text
    assert "A transfer to the next stage takes 100 ms." in text
    assert "Drawn" not in text
    assert plain(drawn.takeaway) == ("1F1B: the stages wait 33.3 % of the time, stage 1 most with 33.3 %.")
    few = figure(micro_batches=400, simulated_micro_batches=200, shown_micro_batches=40, chunks_per_stage=4)
    assert "2 stages of 4 chunks, 200 micro-batches" in few.caption
    assert "A step has 400 micro-batches. Drawn is a step of 40 micro-batches." in few.caption
    alone = figure(stages=1, by_stage=[STAGE | {"waiting_s": 0.0}])
    assert alone.takeaway == "One stage computes 2 micro-batches without waiting."


def test_dualpipe_has_directions_and_no_chunks() -> None:
    drawn = figure(schedule="DualPipe", chunks_per_stage=2)
    assert "2 stages in both directions, 2 micro-batches" in drawn.caption
    assert drawn.columns[-1].name == "Micro-batches held at once"
    kinds = copy.deepcopy(VIEW["operations"]) | {"kind": ["forward", "input_gradient"] * 2 + ["backward"] * 4}
    labels = [mark.label for mark in figure(operations=kinds).legend]
    assert "Input gradient or both gradients" in labels  # which share a colour


def test_the_table_leaves_out_what_a_schedule_does_not_have() -> None:
    drawn = figure()
    assert [column.name for column in drawn.columns] == [
        "Stage", "Layers", "Forward", "Backward", "Waiting", "Waiting", "Micro-batches held at once",
    ]  # fmt: skip
    assert drawn.rows[1].cells == ("2", "3", "2.000", "4.000", "3.000", "33.3", "1")
    split = [{**STAGE, "input_gradient_s": 2.0, "weight_gradient_s": 2.0, "backward_s": 0.0}] * 2
    names = [column.name for column in figure(by_stage=split, chunks_per_stage=2).columns]
    assert names[2:5] == ["Forward", "Input gradient", "Weight gradient"]
    assert names[-1] == "Chunks held at once"


def test_a_pair_shares_the_height_of_its_row() -> None:
    operations = {
        "stage": [1, 1], "chunk": [1, 1], "micro_batch": [2, 1], "kind": ["forward", "backward"],
        "start_s": [0.0, 0.0], "end_s": [3.0, 3.0], "paired": [True, True], "sends": [False, False],
    }  # fmt: skip
    drawn = figure(stages=1, by_stage=[STAGE | {"paired_s": 3.0}], operations=operations, transfer_s=0.0)
    forward, backward = trace(drawn, "Forward"), trace(drawn, "Both gradients")
    assert forward["y"][0] + forward["width"][0] / 2 <= backward["y"][0] - backward["width"][0] / 2
    assert [mark.label for mark in drawn.legend][-1] == "Waiting"  # nothing is sent
    assert "Forward overlapped with backward" in [column.name for column in drawn.columns]


@pytest.mark.parametrize("stages", [1, 4, 16, 64, 126])
def test_rows_stay_readable_at_any_number_of_stages(stages: int) -> None:
    by_stage = [STAGE | {"stage": place + 1} for place in range(stages)]
    drawn = figure(stages=stages, by_stage=by_stage)
    assert drawn.height >= 14 * stages
    assert len(layout(drawn)["yaxis"]["tickvals"]) <= 33


def test_it_can_be_enlarged_but_scrolls_with_a_finger() -> None:
    drawn = figure()
    assert layout(drawn)["dragmode"] == "zoom"
    assert layout(drawn)["xaxis"]["fixedrange"] is False
    assert layout(drawn)["yaxis"]["fixedrange"] is True
    assert drawn.narrow["dragmode"] is False


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

    run = Run(11200.0, 23.0, 300.0, 5.0, 0.0, 23.0, False)
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
    assert "costs 1.6 points at most" in FIGURES["goodput"](whole()).takeaway
