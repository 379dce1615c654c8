"""The interval on the latencies of a served model, and on what follows from them.

The time of an output token and the time to the first token are each off by a factor that measured deployments
show (`seed_data/assumptions/uncertainty.csv`). One own measurement takes away what all points of a deployment
share; what its points differ by stays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from app.catalog.assumptions import AssumptionRow
from app.catalog.view import CatalogView
from app.engine.evaluation import Sections
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import Accelerator, Design, ServingWorkload
from app.engine.trace import Array
from app.engine.uncertainty.interval import PROBABILITY
from app.scenarios.document.serving import ServingCalibrationDocument
from app.scenarios.evaluation.bounds import UNKNOWN, Bounds, LatencyBounds, TokenCostBounds
from app.scenarios.evaluation.intervals import Intervals
from app.scenarios.evaluation.serving_measured import attention_of, never_measured

TRUSTED_CONCURRENCY = 128
"""Requests in flight on a replica beyond which the time to the first token depends on how they arrived."""


class Factors(NamedTuple):
    """What a figure is multiplied by for its lower and its upper bound."""

    low: float
    high: float


def serving_intervals(design: Design, sections: Sections, doubt: LatencyDoubt) -> Intervals:
    """The intervals of an evaluated design that serves."""
    workload, performance = design.workload, sections.performance
    assert isinstance(workload, ServingWorkload)
    assert isinstance(performance, ServingPerformance)
    own = doubt.tpot_measured and doubt.ttft_measured
    known = not doubt.unknown or own
    tpot, ttft = Factors(*factors(doubt.tpot)), Factors(*factors(doubt.ttft))
    crowded = float(performance.concurrency[0] / performance.replicas[0]) > TRUSTED_CONCURRENCY
    trusted = known and (doubt.ttft_measured or not crowded)
    # A rate and a cost are known as far as the whole request is, and that as far as both of its times.
    whole = _whole_request(performance, tpot, ttft) if trusted else None
    asked = _asked_for(workload, performance)
    rate = None if whole is None or asked else Factors(1 / whole.high, 1 / whole.low)
    # a demand says how many tokens are paid for, whatever load the speed is shown at
    cost = None if rate is None or workload.demand is not None else whole
    p = performance
    return Intervals(
        probability=PROBABILITY,
        runs=0,
        nearest_distance=None,
        likeness=_likeness(doubt, trusted=trusted) if known else doubt.unknown,
        nearest=(),
        performance=LatencyBounds(
            ttft_s=_bounds(p.ttft_s, ttft if trusted else None),
            ttft_within_s=_bounds(p.ttft_within_s, ttft if trusted else None),
            tpot_s=_bounds(p.tpot_s, tpot if known else None),
            tpot_within_s=_bounds(p.tpot_within_s, tpot if known else None),
            end_to_end_s=_bounds(p.end_to_end_s, whole),
            tokens_per_s_per_user=_bounds(
                p.tokens_per_s_per_user, Factors(1 / tpot.high, 1 / tpot.low) if known else None
            ),
            requests_per_s=_bounds(p.requests_per_s, rate),
            tokens_per_s=_bounds(p.tokens_per_s, rate),
            tokens_per_s_per_accelerator=_bounds(p.tokens_per_s_per_accelerator, rate),
            output_tokens_per_s_per_accelerator=_bounds(p.output_tokens_per_s_per_accelerator, rate),
            input_tokens_per_s=_bounds(p.input_tokens_per_s, rate),
        ),
        cost=TokenCostBounds(
            usd_per_million_tokens=_bounds(sections.cost.usd_per_million_tokens, cost),
            usd_per_million_input_tokens=_bounds(sections.cost.usd_per_million_input_tokens, cost),
            usd_per_million_output_tokens=_bounds(sections.cost.usd_per_million_output_tokens, cost),
        ),
    )


def _whole_request(performance: ServingPerformance, tpot: Factors, ttft: Factors) -> Factors:
    """Of a request from first to last: both of its times at their least, and both at their most."""
    first = float(performance.ttft_s[0] / performance.end_to_end_s[0])
    return Factors(
        first * ttft.low + (1 - first) * tpot.low,
        first * ttft.high + (1 - first) * tpot.high,
    )


def _asked_for(workload: ServingWorkload, performance: ServingPerformance) -> bool:
    """Return whether the demand sets the rates: slower answers then mean more requests in flight, not fewer tokens."""
    if workload.concurrency is not None or workload.demand is None:
        return False
    return bool(performance.requests_per_s[0] < performance.requests_per_s_limit[0])


def _bounds(figure: Array | None, by: Factors | None) -> Bounds:
    if figure is None or by is None:
        return UNKNOWN
    low, high = float(figure[0]) * by.low, float(figure[0]) * by.high
    return Bounds(low=low, high=high) if np.isfinite([low, high]).all() else UNKNOWN


def _likeness(doubt: LatencyDoubt, *, trusted: bool) -> str:
    """What the bounds are made from, and what would narrow them."""
    tpot, ttft = (" to ".join(f"{end:.3g}" for end in factors(row)) for row in (doubt.tpot, doubt.ttft))
    said = (
        f"Of ten measured points at least eight lie between the bounds: {tpot} times the predicted time per output "
        f"token, {ttft} times the predicted time to the first."
    )
    own = [
        name
        for name, measured in (
            ("the time per output token", doubt.tpot_measured),
            ("the time to the first token", doubt.ttft_measured),
        )
        if measured
    ]
    if own:
        source = f" ({doubt.source})" if doubt.source else ""
        said += f" An own measurement{source} corrects {' and '.join(own)}."
    else:
        said += f" {_basis(doubt)}; one own measurement narrows them."
    if not trusted:
        said += (
            f" Beyond {TRUSTED_CONCURRENCY} requests in flight on a replica the time to the first token depends on how "
            "they arrived: no interval is given, nor of a whole request, of rates and of costs."
        )
    return said


WORDS = {
    "model": "the model",
    "engine": "the engine",
    "generation": "accelerators of this generation",
    "format": "this number format",
    "attention": "this kind of attention",
}
"""What may have been measured, in the words of `app.scenarios.evaluation.serving_measured`."""


def _basis(doubt: LatencyDoubt) -> str:
    """What of a deployment was measured, and what not."""
    missing = [f"{WORDS[kind]} ({word})" for kind, word in doubt.unmeasured.items()]
    known = [text for kind, text in WORDS.items() if kind not in doubt.unmeasured]
    if not missing:
        return f"Measured were {', '.join(known)}; the bounds are the errors of models and engines left out of the fit"
    said = f"No one measured {' or '.join(missing)}, for which the bounds are wider"
    return f"{said} (measured were {', '.join(known)})" if known else said


ROOM = "uncertainty"
TPOT, TTFT = "tpot_measured_over_predicted", "ttft_measured_over_predicted"
WIDER = {TPOT: "tpot_widening", TTFT: "ttft_widening"}
"""By how much an interval is wider where something of a deployment was never measured: `unmeasured` says what."""
OWN_POINT = {"measured": "own_point"}
"""The words by which the spread that one own measurement leaves is chosen."""
ON_CHIP = "sram"
"""In the memory type of accelerators that keep a model on the chip: wafer-scale, LPU and dataflow machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyDoubt:
    """Rows whose low and high are bounds of measured over predicted time; `source` names an own measurement.

    `unmeasured` says by its kind what of the deployment no one measured, `unknown` why no bounds are known at
    all.
    """

    tpot: AssumptionRow
    ttft: AssumptionRow
    tpot_measured: bool = False
    ttft_measured: bool = False
    source: str = ""
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    unknown: str = ""


def latency_doubt(
    catalog: CatalogView, calibration: ServingCalibrationDocument | None, design: Design | None = None
) -> LatencyDoubt:
    """What is to be expected of each latency of a design; narrower where the scenario states an own measurement of it."""
    tpot = calibration is not None and calibration.measured_tpot_over_predicted is not None
    ttft = calibration is not None and calibration.measured_ttft_over_predicted is not None
    unmeasured = {} if design is None else _never_measured(design)
    return LatencyDoubt(
        tpot=_row(catalog, TPOT, unmeasured, measured=tpot),
        ttft=_row(catalog, TTFT, unmeasured, measured=ttft),
        tpot_measured=tpot,
        ttft_measured=ttft,
        source=(calibration.source or "") if calibration is not None else "",
        unmeasured=unmeasured,
        unknown="" if design is None else _unknown(catalog, design),
    )


def _row(catalog: CatalogView, name: str, unmeasured: Mapping[str, str], *, measured: bool) -> AssumptionRow:
    if measured:
        return catalog.assumption(ROOM, name, OWN_POINT)
    row = catalog.assumption(ROOM, name, {})
    widths = [catalog.assumption(ROOM, WIDER[name], {"unmeasured": kind}).value for kind in unmeasured]
    low, high = widened(factors(row), widths)
    return replace(row, low=low, high=high) if widths else row


def widened(ends: tuple[float, float], widths: list[float]) -> tuple[float, float]:
    """Bounds with independent uncertainties added: squares of half-widths in logarithms add up.

    >>> tuple(round(end, 2) for end in widened((0.8, 1.25), [0.3]))
    (0.69, 1.45)
    """
    more = sum(width**2 for width in widths)
    down, up = (math.hypot(math.log(end), math.sqrt(more)) for end in ends)
    return math.exp(-down), math.exp(up)


def _never_measured(design: Design) -> Mapping[str, str]:
    workload = design.workload
    assert isinstance(workload, ServingWorkload)
    found: dict[str, str] = {}
    for supernode in (design.supernode, *(kind.supernode for kind in design.kinds)):
        found |= never_measured(
            model=workload.architecture.key,
            engine=workload.engine,
            generation=supernode.accelerator.generation,
            precision=workload.precision,
            attention=attention_of(workload.architecture),
        )
    return found


def _unknown(catalog: CatalogView, design: Design) -> str:
    """Why no bounds are known; "" where every kind of SuperNode is a machine like those that were measured."""
    kinds = (design.supernode, *(kind.supernode for kind in design.kinds))
    return next(filter(None, (_unlike_measured(catalog, kind.accelerator) for kind in kinds)), "")


def _unlike_measured(catalog: CatalogView, accelerator: Accelerator) -> str:
    if accelerator.key not in catalog.keys("accelerators"):
        return ""
    memory = str(catalog.part("accelerators", accelerator.key).attributes.get("memory_type", ""))
    if ON_CHIP not in memory.lower():
        return ""
    return (
        f"{accelerator.name} keeps a model in {memory}, and every measured deployment reads it from stacked memory beside "
        "the chip: how far its latencies are off is not known, and no interval is given."
    )


def factors(row: AssumptionRow) -> tuple[float, float]:
    """Least and most of measured over predicted."""
    return (row.value if row.low is None else row.low, row.value if row.high is None else row.high)
