"""Workloads of a shared pod side by side: cells that apply, cells that do not, and cells nobody knows."""

from __future__ import annotations

from typing import Any

from app.charts.shared_pod import sharing_words, workload_table
from app.surfaces.files.shared_pod_text import workloads_lines
from tests.charts.support import plain


def evaluation(by: str = "day") -> dict[str, Any]:
    run = {
        "name": "Run",
        "kind": "training",
        "model": "Llama",
        "share": 0.75,
        "supernodes": 8,
        "working_hours_per_day": 18.0,
        "performance": {"mfu": 0.4, "elapsed_time_s": 86_400.0},
        "cost": {"share": 0.8, "usd_per_run": None, "usd_per_million_input_tokens": None},
    }
    answers = {
        "name": "Answers",
        "kind": "serving",
        "model": "Qwen",
        "share": 0.25,
        "supernodes": 8,
        "working_hours_per_day": 6.0,
        "performance": {"mfu": 0.1, "ttft_s": 0.2, "elapsed_time_s": None},
        "cost": {"share": 0.2, "usd_per_run": None, "usd_per_million_input_tokens": 0.5},
    }
    return {
        "workloads": [run, answers],
        "inputs": {"sharing": {"by": by}, "pod": {"supernodes": 8}},
        "not_applicable": [
            "workloads[0].cost.usd_per_million_input_tokens",
            "workloads[1].cost.usd_per_run",
            "workloads[1].performance.elapsed_time_s",
        ],
    }


def cells(label: str) -> list[tuple[str, bool]]:
    table = workload_table(evaluation())
    assert table is not None
    (row,) = [row for row in table.rows if row.label == label]
    return [(cell.shown.value, cell.known) for cell in row.cells]


def test_one_workload_has_no_table() -> None:
    assert workload_table({"workloads": []}) is None
    assert workload_table({}) is None  # kept before pods were shared
    assert workloads_lines({}) == []


def test_cells_apply_or_stay_empty_or_are_unknown() -> None:
    assert cells("Share of the day") == [("75", True), ("25", True)]
    assert cells("Time to first token") == [("", True), ("200", True)]
    assert cells("Cost of the run") == [("not published", False), ("", True)]
    assert cells("Cost per million input tokens") == [("", True), ("0.500", True)]


def test_figures_that_no_workload_has_have_no_row() -> None:
    table = workload_table(evaluation())
    assert table is not None
    assert "Time per output token" not in [row.label for row in table.rows]


def test_words_say_how_the_pod_is_shared() -> None:
    by_day, by_pod = (workload_table(evaluation(by)) for by in ("day", "pod"))
    assert by_day is not None
    assert by_pod is not None
    assert sharing_words(by_day).startswith("By day: ")
    assert sharing_words(by_pod).startswith("By pod: ")
    assert by_pod.rows[0].label == "Share of the pod"
    assert by_pod.what == ("Training, Llama", "Serving, Qwen")


def test_lines_for_a_terminal_have_a_column_a_workload() -> None:
    lines = workloads_lines(evaluation())
    assert lines[1].startswith("Workloads. By day")
    assert lines[2].split() == ["Run", "Answers", "Pod"]
    shares = next(line for line in lines if "Share of the cost" in line)
    assert plain(shares).split()[-4:] == ["80", "%", "20", "%"]
