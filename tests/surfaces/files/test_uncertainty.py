"""Samples as CSV, and how sure figures are as text."""

from __future__ import annotations

import re

import numpy as np

from app.charts.format import THIN_SPACE, WIDE_SPACE
from app.views.uncertainty.report import (
    Information,
    Probability,
    Samples,
    SobolShare,
    TornadoBar,
    UncertainFigure,
    UncertainInput,
    UncertaintyReport,
    samples_csv,
    uncertainty_text,
)


def test_a_row_a_sample_and_nothing_where_nothing_is_known() -> None:
    samples = Samples(
        input_places=("economics.wacc",),
        figure_paths=("cost.tco_usd", "cooling.pue"),
        inputs=np.array([[0.1], [0.123456789012]]),
        figures=np.array([[1e9, 2e9], [1.2, np.nan]]),
        feasible=np.array([1.0, 0.0]),
    )
    assert b"".join(samples_csv(samples)).decode().splitlines() == [
        "sample,economics.wacc,cost.tco_usd,cooling.pue,feasible",
        "1,0.1,1e+09,1.2,1",
        "2,0.123456789,2e+09,,0",
    ]


def test_as_text() -> None:
    wacc = UncertainInput(
        place="economics.wacc", field="economics.wacc", label="Cost of capital", unit="1",
        distribution="uniform", low=0.05, typical=0.1, high=0.2, kind="column", levels=0, source="", origin="scenario",
    )  # fmt: skip
    cost = UncertainFigure(
        path="cost.tco_usd", label="Total cost of ownership", unit="USD", point=1e6, p10=9e5, p50=None, p90=1.2e6,
        mean=1e6, unknown_share=0.0, edges=(), counts=(),
    )  # fmt: skip
    bar = TornadoBar(
        figure="cost.tco_usd", place="economics.wacc", low_value=0.05, high_value=0.2, at_low=9e5, at_high=1.3e6, swing=0.4
    )  # fmt: skip
    share = SobolShare(
        figure="cost.tco_usd", place="economics.wacc", first=-0.001, first_low=-0.1, first_high=0.1, total=1.0,
        total_low=0.9, total_high=1.1,
    )  # fmt: skip
    budget = Probability(
        name="budget", label="Within the budget", share=0.25, limit=1e6, unit="USD", said="Limit."
    )
    report = UncertaintyReport(
        name="x", sampler="sobol", seed=3, samples=8, refused_share=0.0, inputs=(wacc,), figures=(cost,),
        probabilities=(budget,), tornado=(bar,), sobol=(share,), spider=(),
        information=(
            Information(decision="own or rent the run", place="", value_usd=1234.5, method=""),
            Information(decision="own or rent the run", place="economics.wacc", value_usd=0.2, method=""),
        ),
        correlations=(), matters="Cost of capital matters.", notes=("Held.",),
    )  # fmt: skip
    text = uncertainty_text(report).replace(WIDE_SPACE, " ").replace(THIN_SPACE, " ")
    lines = {line.split("  ")[0]: re.split(" {2,}", line)[1:] for line in text.splitlines() if line}
    assert lines["Total cost of ownership"] == ["1.00 M USD", "900,000 USD", "unknown", "1.20 M USD"]
    assert lines["Within the budget"] == ["25 %", "Limit."]
    assert lines["Cost of capital"] == [
        "900,000 USD",
        "1.30 M USD",
        "0.000",
        "1.000",
    ]  # an estimate of nothing
    assert lines["Everything"][-1] in ("1,234", "1,235")
    assert text.splitlines()[-2:] == ["8 samples by sobol, seed 3; 1 inputs vary.", "- Held."]
