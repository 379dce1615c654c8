"""What rows of throughputs ask for."""

from __future__ import annotations

import pytest

from app.validation.serving.throughput_case import (
    DECODE,
    MAXIMUM,
    PREFILL,
    acceptance_of,
    is_idealised,
    precision_word,
    question_of,
)
from app.validation.study import Row, UnsupportedRowError


def asked(**cells: str) -> Row:
    return Row(key="1", cells=cells)


@pytest.mark.parametrize(
    ("metric", "kind", "unit"),
    [
        ("output tok/s per GPU", MAXIMUM, 1),
        ("prefill tok/s per 8-GPU node", PREFILL, 8),
        ("decode tok/s per NPU", DECODE, 1),
        ("decode tok/s total", DECODE, 96),
        ("prefill tok/s per 8-GPU node end to end", PREFILL, 8),
        ("Offline tok/s (system)", MAXIMUM, 96),
        ("TPOT ms (mean)", "tpot", 1000),
        ("TTFT ms", "ttft", 1000),
        ("median TPOT ms", "tpot", 1000),
    ],
)
def test_metrics(metric: str, kind: str, unit: float) -> None:
    found = question_of(asked(metric=metric), 96)
    assert (found.kind, found.unit) == (kind, pytest.approx(unit))
    assert found.whole == metric.endswith("end to end")


def test_a_server_promises_latencies() -> None:
    assert question_of(asked(metric="Server tok/s (system)", model="llama2-70b-99.9"), 8).tpot_limit_s == 0.2
    assert question_of(asked(metric="Offline tok/s (system)"), 8).tpot_limit_s == float("inf")


def test_limits_are_those_of_the_model() -> None:
    limits = question_of(asked(metric="Server tok/s (system)", model="llama3.1-405b-interactive-99"), 8)
    assert (limits.tpot_limit_s, limits.ttft_limit_s) == (0.08, 4.5)
    limits = question_of(asked(metric="Interactive tok/s (system)", model="deepseek-r1"), 8)
    assert (limits.tpot_limit_s, limits.ttft_limit_s) == (0.015, 1.5)
    with pytest.raises(UnsupportedRowError, match="no latency limits are known of MLPerf's qwen3"):
        question_of(asked(metric="Server tok/s (system)", model="qwen3"), 8)


@pytest.mark.parametrize("metric", ["dispatch latency us", "mean nodes in service", ""])
def test_what_is_no_throughput(metric: str) -> None:
    with pytest.raises(UnsupportedRowError, match="neither a throughput nor a latency"):
        question_of(asked(metric=metric), 8)


@pytest.mark.parametrize(
    ("precision", "hardware", "word"),
    [("fp8 (fp4 on B200)", "H200-SXM", "fp8"), ("fp8 (fp4 on B200)", "B200-SXM-180GBx1_TRT", "fp4"),
     ("nvfp4 MoE + fp8 attention", "GB200", "nvfp4"), ("int8", "Ascend 910C", "int8")],
)  # fmt: skip
def test_the_format_of_the_hardware_at_hand(precision: str, hardware: str, word: str) -> None:
    assert precision_word(asked(precision=precision, hardware=hardware)) == word


def test_speculation_is_read_from_the_conditions() -> None:
    assert acceptance_of("EP320 (160 NPU), TPOT 49.4 ms, MTP 1 token at 70% acceptance, 1.29") == 0.7
    assert acceptance_of("simulated MTP, 60% acceptance") == 0.6
    assert acceptance_of("EP48, no MTP; 2.7x H100") == 0
    assert acceptance_of("DEP4") == 0


def test_perfect_balance_is_idealised() -> None:
    assert is_idealised(asked(conditions="IDEALISED perfect EPLB"))
    assert is_idealised(asked(unscored_reason="idealised result (perfect expert balance)"))
    assert not is_idealised(asked(conditions="EP32, default EPLB"))
