"""Published runs made up for tests: only what a test is about differs."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.catalog.validated import ValidatedRun
from app.validation.serving.published import ServedMeasurement

RUN = ValidatedRun(
    id="AB-001",
    source="A paper",
    family="AB",
    model="GPT-1B",
    accelerator_key="nvidia_h100_sxm",
    generation="hopper",
    framework="megatron",
    precision="bf16",
    architecture="dense",
    accelerators=64,
    parameters=10.0,
    active_parameters=10.0,
    sequence_length=4096,
    software_date="2024-11",
    measured_tokens_per_s=100.0,
    predicted_tokens_per_s=101.0,
    left_out_tokens_per_s=110.0,
    accelerator_left_out_tokens_per_s=107.0,
    source_left_out_tokens_per_s=95.0,
    low_tokens_per_s=90.0,
    high_tokens_per_s=120.0,
    assumed=(),
)


def run(id: str, **changes: Any) -> ValidatedRun:
    return dataclasses.replace(RUN, id=id, **changes)


def runs_with_errors(*errors: float, **changes: Any) -> list[ValidatedRun]:
    """Runs predicted this far off, whichever way they are predicted."""
    return [
        run(
            f"AB-{place:03}",
            predicted_tokens_per_s=100 * (1 + error),
            left_out_tokens_per_s=100 * (1 + error),
            accelerator_left_out_tokens_per_s=100 * (1 + error),
            source_left_out_tokens_per_s=100 * (1 + error),
            **changes,
        )
        for place, error in enumerate(errors)
    ]


def served(id: str, **changes: Any) -> ServedMeasurement:
    """A latency of 10 ms, predicted at 11 ms whichever way."""
    return dataclasses.replace(SERVED, id=id, **changes)


SERVED = ServedMeasurement(
    id="1",
    model_key="deepseek_v3",
    accelerator_key="nvidia_h200_sxm",
    engine="sglang",
    era="2025",
    precision="fp8",
    accelerators=8,
    input_tokens=1024,
    output_tokens=1024,
    concurrency=32.0,
    layout="TP 8",
    measured_ms=10.0,
    predicted_ms=11.0,
    model_left_out_ms=11.0,
    system_left_out_ms=11.0,
    pair_left_out_ms=11.0,
    low_ms=8.0,
    high_ms=14.0,
    assumed=(),
)
