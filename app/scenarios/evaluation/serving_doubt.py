"""How far predicted latencies may be off: the wider the less of a deployment was measured, narrower with an own point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.catalog.assumptions import AssumptionRow
from app.catalog.view import CatalogView
from app.engine.specs import Accelerator, Design, ServingWorkload
from app.scenarios.document.serving_calibration import ServingCalibrationDocument
from app.scenarios.evaluation.serving_measured import attention_of, never_measured

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

    `unmeasured` says by its kind what of the deployment nobody measured, `unknown` why no bounds are known at all.
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
    """Bounds with independent doubts more: squares of half-widths in logarithms add up.

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
