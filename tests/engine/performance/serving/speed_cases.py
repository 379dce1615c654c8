"""What tests of serving speed share: assumptions that a hand can compute with, and calls with fewer words."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.engine.performance.serving.aggregated import aggregated
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.decode import DecodeStep, decode_step
from app.engine.performance.serving.disaggregated import disaggregated
from app.engine.performance.serving.latency import Latency, Load
from app.engine.performance.serving.prefill import Prefill, prefill_of
from app.engine.performance.serving.served_model import served_model
from app.engine.specs import Architecture, PartPrecision, ServingLayout, Speculation
from tests.engine.performance.serving import memory_cases as cases
from tests.support import build, number

YEAR = 2025.75
NOTHING = {
    "reserved_memory_bytes", "expert_read_overhead_bytes", "expert_spread", "expert_popularity",
    "permute_passes", "kernel_time_s",
    "kernel_gain_per_year", "all_reduce_latency_s", "all_reduce_growth", "across_domain_latency_s",
    "dispatch_latency_s", "decode_step_overhead_s", "sequence_overhead_s", "prefill_interference",
    "prefill_kernel_time_s", "first_token_overhead_s", "first_token_steps", "first_token_prefills",
    "burst_share", "disaggregated_overhead_s", "disaggregated_burst", "quantise_kernels",
    "kv_transfer_overhead_s", "expert_half_width", "two_batch_overlap",
}  # fmt: skip
"""Left out of a bare roofline; every ratio is one."""


def roofline(**changes: float) -> ServingAssumptions:
    """Assumptions of hardware that does what its data sheet says, with nothing lost in between."""
    usual = {
        field.name: 0.0 if field.name in NOTHING else 1.0 for field in dataclasses.fields(ServingAssumptions)
    }
    usual |= {
        "chunk_tokens": 8192, "kv_transfer_grain": 0, "engine_reference_year": YEAR,
        "engine_first_year": YEAR - 0.3, "engine_last_year": YEAR + 0.6,
        "state_element_bytes": 4, "kv_block_tokens": 16, "attention_kernels": 6,
        "latent_attention_kernels": 13, "linear_attention_kernels": 16, "feed_forward_kernels": 4,
        "expert_kernels": 10, "shared_expert_kernels": 4, "wide_norm_kernels": 5, "index_kernels": 6,
    }  # fmt: skip
    return build(ServingAssumptions, **(usual | changes))


def step(
    model: Architecture,
    layout: ServingLayout | None = None,
    *,
    sequences: float = 1,
    context: float = 1024,
    step_tokens: float = 1,
    year: float = YEAR,
    parts: PartPrecision | None = None,
    **changes: float,
) -> DecodeStep:
    return decode_step(
        model=served_model(model),
        parts=parts or cases.parts(),
        machine=cases.machine(cases.GB200_BYTES),
        layout=layout or cases.layout(),
        sequences=number(sequences),
        context_tokens=number(context),
        step_tokens=number(step_tokens),
        engine_year=number(year),
        assumptions=roofline(**changes),
    )


def prompt(
    model: Architecture,
    layout: ServingLayout | None = None,
    *,
    tokens: float = 1024,
    cached: float = 0,
    waiting: float = 1,
    **changes: float,
) -> Prefill:
    return prefill_of(
        model=served_model(model),
        parts=cases.parts(),
        machine=cases.machine(cases.GB200_BYTES),
        layout=layout or cases.layout(),
        input_tokens=number(tokens),
        cached_share=number(cached),
        waiting=number(waiting),
        assumptions=roofline(**changes),
    )


def load(concurrency: Any = 1, *, tokens: float = 1024, output: float = 1024, burst: float = 0) -> Load:
    return Load(
        input_tokens=number(tokens),
        output_tokens=number(output),
        cached_share=number(0),
        concurrency=np.atleast_1d(np.asarray(concurrency, dtype=float)),
        burst=number(burst),
    )


def together(
    model: Architecture,
    asked: Load,
    layout: ServingLayout | None = None,
    *,
    limit: float = 1e9,
    guessed: float = 0,
    acceptance: float = 0,
    **changes: float,
) -> Latency:
    return aggregated(
        model=served_model(model),
        parts=cases.parts(),
        machine=cases.machine(cases.GB200_BYTES),
        layout=layout or cases.layout(tp=8),
        load=asked,
        speculation=Speculation(tokens=number(guessed), acceptance=number(acceptance)),
        batch_limit=number(limit),
        engine_year=number(YEAR),
        assumptions=roofline(**changes),
    )


def apart(
    model: Architecture,
    asked: Load,
    *,
    prefills: float = 1,
    decodes: float = 1,
    limit: float = 1e9,
    **changes: float,
) -> Latency:
    return disaggregated(
        model=served_model(model),
        parts=cases.parts(),
        machine=cases.machine(cases.GB200_BYTES),
        prefill=cases.layout(tp=8),
        prefill_instances=number(prefills),
        decode=cases.layout(tp=8),
        decode_instances=number(decodes),
        load=asked,
        speculation=Speculation(tokens=number(0), acceptance=number(0)),
        batch_limit=number(limit),
        engine_year=number(YEAR),
        assumptions=roofline(**changes),
    )
