"""How far predicted latencies may be off: of an unmeasured deployment, and of one with a measured point."""

from __future__ import annotations

from dataclasses import dataclass

from app.catalog.assumptions import AssumptionRow
from app.catalog.view import CatalogView
from app.scenarios.serving.calibration import ServingCalibrationDocument

ROOM = "uncertainty"
TPOT, TTFT = "tpot_measured_over_predicted", "ttft_measured_over_predicted"
OWN_POINT = {"measured": "own_point"}
"""The words by which the spread that one own measurement leaves is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyDoubt:
    """Rows whose low and high are bounds of measured over predicted time; `source` names an own measurement."""

    tpot: AssumptionRow
    ttft: AssumptionRow
    tpot_measured: bool = False
    ttft_measured: bool = False
    source: str = ""


def latency_doubt(catalog: CatalogView, calibration: ServingCalibrationDocument | None) -> LatencyDoubt:
    """What is to be expected of each latency; narrower where the scenario states an own measurement of it."""
    tpot = calibration is not None and calibration.measured_tpot_over_predicted is not None
    ttft = calibration is not None and calibration.measured_ttft_over_predicted is not None
    return LatencyDoubt(
        tpot=catalog.assumption(ROOM, TPOT, OWN_POINT if tpot else {}),
        ttft=catalog.assumption(ROOM, TTFT, OWN_POINT if ttft else {}),
        tpot_measured=tpot,
        ttft_measured=ttft,
        source=(calibration.source or "") if calibration is not None else "",
    )


def factors(row: AssumptionRow) -> tuple[float, float]:
    """Least and most of measured over predicted."""
    return (row.value if row.low is None else row.low, row.value if row.high is None else row.high)
