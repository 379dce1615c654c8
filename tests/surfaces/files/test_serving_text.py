"""A served model as text: replicas, load and times by share of the requests, each in its own words."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_example
from app.surfaces.files.text import evaluation_text, explanation_text, replicas_text

ONE = {"tp": 8, "dp": 1, "pp": 1, "ep": 1}


@pytest.mark.parametrize(
    ("performance", "said"),
    [
        (
            {"replicas": 2, "accelerators_per_replica": 8, "strategy": ONE},
            "2 replicas of TP 8 on 16 accelerators",
        ),
        (
            {"replicas": 1, "accelerators_per_replica": 1, "strategy": {**ONE, "tp": 1}},
            "1 replica of one accelerator on 1 accelerator",
        ),
        (
            {
                "replicas": 1,
                "accelerators_per_replica": 72,
                "strategy": {
                    "tp": 1, "dp": 48, "pp": 1, "ep": 48, "prefill_tp": 1, "prefill_dp": 4, "prefill_pp": 1,
                    "prefill_ep": 4, "prefill_instances": 6, "decode_instances": 1,
                },
            },
            "1 replica of 6 prefill (DP 4, EP 4) and 1 decode (DP 48, EP 48) on 72 accelerators",
        ),
        ({"replicas": None, "accelerators_per_replica": 8, "strategy": ONE}, "TP 8"),
    ],
)  # fmt: skip
def test_replicas_are_spelled_out(performance: dict[str, object], said: str) -> None:
    assert replicas_text({"performance": performance}) == said


def test_an_evaluation_speaks_of_serving(seeded_data_dir: object) -> None:
    found = evaluate_example("deepseek_r1_on_8_h200", ready_catalog())
    text = evaluation_text(found.as_json)
    for words in (
        "Layout: 1 replica of TP 8 on 8 accelerators", "40 requests in flight", "Share of the requests within",
        "Time to first token", "Time per output token", "Output tokens per second per user",
        "Cost per million input tokens", "Cost per million output tokens", "SuperNodes needed",
        "Energy per token at the meter", "eight lie between the bounds",
    ):  # fmt: skip
        assert words in text, words
    for other in ("Training", "training", "Checkpoint", "Cost of the run", "not published"):
        assert other not in text, other
    explained = explanation_text(found.explain("performance.tpot_s"))
    assert "Nearest measured runs" not in explained
