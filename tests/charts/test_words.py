"""Numbers as people read them, and workloads that share a pod side by side."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.charts.format import less, number, one_prefix, percent, show, signed_percent
from app.charts.shared_pod import sharing_words, workload_table
from app.surfaces.files.text import workloads_lines
from tests.charts.support import plain


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (78.4 * 86400, "s", "78.4 days"),
        (2 * 86400, "s", "2.00 days"),
        (11_232, "s", "3.12 h"),
        (702, "s", "11.7 min"),
        (6.48, "s", "6.48 s"),
        (0.99996, "s", "1.00 s"),
        (0.0032, "s", "3.20 ms"),
        (4.5e-6, "s", "4.50 µs"),
        (0, "s", "0 s"),
        (27.1e6, "W", "27.1 MW"),
        (999.7e3, "W", "1.00 MW"),
        (3.35e12, "B/s", "3.35 TB/s"),
        (50e9, "B/s", "50.0 GB/s"),
        (85520809984, "B", "85.5 GB"),
        (15.6e12, "tokens", "15.6 T tokens"),
        (158.04, "tokens/s", "158 tokens/s"),
        (47_612.3, "tokens/s", "47,600 tokens/s"),
        (262_144, "tokens", "262,144 tokens"),
        (80.8e6, "USD", "80.8 M USD"),
        (1.503e9, "USD", "1.50 billion USD"),
        (330_000, "USD", "330,000 USD"),
        (2.62, "USD/h", "2.62 USD/h"),
        (52.2e6, "USD/year", "52.2 M USD/year"),
        (-94e6, "USD", "−94.0 M USD"),
        (13.9e6, "kg", "13,900 t"),
        (2600, "kg", "2,600 kg"),
        (49152, "1", "49,152"),
        (1.1, "1", "1.10"),
        (0.889, "1", "0.889"),
        (25, "degC", "25°C"),
        (math.inf, "1", "∞"),
        (None, "W", "not published"),
        (math.nan, "W", "not published"),
    ],
)
def test_value_in_the_unit_people_use(value: float | None, unit: str, expected: str) -> None:
    assert plain(show(value, unit).text) == expected


def test_unit_is_set_off_by_a_space_that_does_not_break() -> None:
    assert show(27.1e6, "W").text == "27.1\u202fMW"
    assert show(80.8e6, "USD").text == "80.8\u00a0M\u00a0USD"


def test_minus_is_a_minus() -> None:
    assert number(-1.5) == "\u22121.50"
    assert signed_percent(-0.0149) == "\u22121.5\u202f%"
    assert signed_percent(0.00001) == "0.0\u202f%"


def test_percentage() -> None:
    assert percent(0.404).text == "40.4\u202f%"
    assert percent(None).text == "not published"


def test_gap_between_rungs() -> None:
    assert less(9.0) == "9.0\u00d7 less"
    assert less(102.46) == "102\u00d7 less"


def test_one_prefix_for_a_column() -> None:
    assert one_prefix([1e3, 5e9, None], "B/s") == (1e9, "GB/s")
    assert one_prefix([], "W") == (1.0, "W")


@given(st.floats(min_value=1e-3, max_value=9e17))
def test_prefix_keeps_the_value_between_one_and_a_thousand(value: float) -> None:
    text = show(value, "W").value.replace(",", "")
    assert float(text) < 1000
    if value >= 1:
        assert float(text) >= 1


@given(st.floats(allow_nan=True, allow_infinity=True), st.sampled_from(["s", "W", "USD", "1", "kg", "B/s"]))
def test_no_value_breaks_it(value: float, unit: str) -> None:
    assert show(value, unit).text


@given(st.floats(min_value=1e-9, max_value=1e14))
def test_three_digits_keep_the_value_to_half_a_percent(value: float) -> None:
    shown = number(value).replace(",", "")
    if "\u00d7" not in shown:
        assert float(shown) == pytest.approx(value, rel=5.1e-3)


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
    assert cells("Share of accelerator-hours") == [("75", True), ("25", True)]
    assert cells("Time to first token") == [("", True), ("200", True)]
    assert cells("Cost per run, owned") == [("unknown", False), ("", True)]
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
    assert by_pod.rows[0].label == "Share of accelerator-hours"
    assert by_pod.what == ("Training, Llama", "Serving, Qwen")


def test_lines_for_a_terminal_have_a_column_a_workload() -> None:
    lines = workloads_lines(evaluation())
    assert lines[1].startswith("Workloads. By day")
    assert lines[2].split() == ["Run", "Answers", "Pod"]
    shares = next(line for line in lines if "Cost share of the workload" in line)
    assert plain(shares).split()[-4:] == ["80", "%", "20", "%"]
