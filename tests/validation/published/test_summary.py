"""Errors in a few numbers."""

from __future__ import annotations

import pytest

from app.validation.judged import ACCELERATOR, BASES, judged, summary_of
from tests.validation.published.runs import run, runs_with_errors


def test_nothing_has_no_errors() -> None:
    assert summary_of([]) is None


def test_summary_of_a_few_runs() -> None:
    summary = summary_of(judged(runs_with_errors(-0.3, -0.1, 0.0, 0.1, 0.15), ACCELERATOR))
    assert summary is not None
    assert summary.runs == 5
    assert summary.median_abs_error == pytest.approx(0.1)
    assert summary.bias == pytest.approx(0.0)
    assert summary.within_20_pct == pytest.approx(0.8)
    assert summary.low_error < summary.bias < summary.high_error
    assert summary.held == 1.0  # all measured 100, all intervals 90 to 120


def test_one_source_with_many_runs_counts_as_much_as_one_with_few() -> None:
    many = runs_with_errors(*[0.3] * 9)
    few = run("CD-001", family="CD", left_out_tokens_per_s=100.0)
    by_run = summary_of(judged([*many, few], BASES["accelerator"]))
    by_source = summary_of(judged([*many, few], BASES["accelerator"]), sources_equal=True)
    assert by_run is not None
    assert by_source is not None
    assert by_run.within_20_pct == pytest.approx(0.1)
    assert by_source.within_20_pct == pytest.approx(0.5)
    assert by_source.median_abs_error < by_run.median_abs_error
