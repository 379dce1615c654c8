"""How quick the engine is on one worked example."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.performance.section import evaluate_training
from app.engine.specs import Design
from app.engine.trace import Array
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import example
from app.scenarios.resolve import resolve
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
    yield timed("whole evaluation", lambda: evaluate(design), runs=51, unit="ms", aim=6)
    yield from scenario_measurements()
    large = sampled(design)
    yield timed(f"evaluation over {SAMPLES:,} samples", lambda: evaluate(large), runs=3, unit="s", aim=2)


def scenario_measurements() -> Iterator[Measurement]:
    """From a document to the values of its evaluation, each one of a document that was not seen before."""
    catalog, documents = ready_catalog(), _changed(example(EXAMPLE).read())
    yield timed(
        "resolving a scenario", lambda: resolve(next(documents), catalog), runs=51, unit="ms", aim=3.8
    )
    yield timed(
        "scenario of other costs",
        lambda: evaluated(next(documents), catalog).as_json,
        runs=51,
        unit="ms",
        aim=6,
    )
    batches = _changed(example(EXAMPLE).read(), speed=True)
    yield timed(
        "scenario of another speed",
        lambda: evaluated(next(batches), catalog).as_json,
        runs=51,
        unit="ms",
        aim=18,
    )
    known = example(EXAMPLE).read()
    yield timed(
        "scenario made before", lambda: evaluated(known, catalog).as_json, runs=101, unit="ms", aim=0.2
    )


def _changed(document: ScenarioDocument, *, speed: bool = False) -> Iterator[ScenarioDocument]:
    for number in itertools.count(1):
        if speed:
            workload = document.workload.model_copy(update={"tokens": 1e12 + number})
            yield document.model_copy(update={"workload": workload})
        else:
            economics = document.economics.model_copy(update={"wacc": 0.05 + number * 1e-6})
            yield document.model_copy(update={"economics": economics})


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
