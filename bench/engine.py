"""How quick the engine is on one worked example."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.engine.design import evaluate
from app.engine.performance.section import evaluate_training
from app.engine.specs import Design
from app.engine.trace import Array
from bench.timing import Measurement, timed

EXAMPLE = "llama_3_1_405b_on_2048_dgx_h100"
SAMPLES = 10_000
SEED = 20261121
SPREAD = 0.1
SAMPLED = (
    "supernode.price_usd",
    "supernode.max_power_w",
    "supernode.accelerator.memory_bandwidth_bytes_per_s",
    "supernode.accelerator.achievable_16_bit_flop_per_s",
    "facility.coolant_supply_c",
    "facility.site.electricity_price_usd_per_kwh",
    "economics.utilisation",
    "economics.wacc",
)
"""Inputs that differ between the samples of the large evaluation; each room reads some of them."""


def engine_measurements(design: Design) -> Iterator[Measurement]:
    sections = evaluate(design).sections
    yield timed(
        "step time of one explicit layout",
        lambda: evaluate_training(
            workload=design.training,
            supernode=design.supernode,
            pod=design.pod,
            fabric=sections.fabric,
            layout=design.layout,
            assumptions=design.assumptions.rooms["performance"],
        ),
        runs=101,
        unit="ms",
        aim=3,
    )
    yield timed("whole evaluation", lambda: evaluate(design), runs=51, unit="ms", aim=8)
    large = sampled(design)
    yield timed(f"evaluation over {SAMPLES:,} samples", lambda: evaluate(large), runs=3, unit="s", aim=2)


def sampled(design: Design) -> Design:
    """The design with every input of `SAMPLED` spread about its value, in shape (samples, 1)."""
    generator = np.random.default_rng(SEED)
    for path in SAMPLED:
        factors = generator.uniform(1 - SPREAD, 1 + SPREAD, (SAMPLES, 1))
        design = scaled(design, path.split("."), factors)
    return design


def scaled(record: Any, path: list[str], factors: Array) -> Any:
    """A frozen record with one number deep inside it multiplied."""
    name, *rest = path
    value = getattr(record, name)
    return dataclasses.replace(record, **{name: scaled(value, rest, factors) if rest else value * factors})
