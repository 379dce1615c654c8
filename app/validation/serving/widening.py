"""How wide the interval of a served model must be, by what of it was measured: from the errors of what was left out.

`python -m app.validation.serving.widening` prints it for the shipped latencies; the bounds and widenings in
`seed_data/assumptions/uncertainty.csv` come from there. The base is the errors of rows whose family of models and whose
engine the fit did not see; what else was never measured widens it by what leaving all of it out adds to the errors.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.uncertainty.interval import HIGH_SHARE, LOW_SHARE, PROBABILITY
from app.paths import seed_data
from app.scenarios.evaluation.serving_intervals import TRUSTED_CONCURRENCY
from app.validation.serving.cases import ATTENTION, BOTH, ENGINE, FORMAT, GENERATION
from app.validation.serving.deployment import Constants, deployment_of, left_out_constants
from app.validation.serving.predicted import Predicted
from app.validation.serving.study import StudiedLatencies, left_out_of, study_of
from app.validation.study import Mask, Numbers, weighted_quantile

CLASSES = (ENGINE, GENERATION, FORMAT, ATTENTION)
LATENCY_FILE = "validation/serving_latency.csv"


@dataclass(frozen=True, kw_only=True)
class Widths:
    """Of measured over predicted time: P10 and P90, and half-widths in logarithms that are added in
    squares."""

    low: float
    high: float
    widening: Mapping[str, float]  # by CLASSES


def measured_widths(catalog: Catalog) -> dict[str, Widths]:
    """Of the time per output token and of the time to the first: aggregated rows, each family with one vote."""
    study = study_of(seed_data() / LATENCY_FILE, catalog)
    cases = study.cases
    deployment, constants, fitted = (
        deployment_of(cases, catalog),
        Constants(catalog, cases),
        left_out_constants(),
    )
    without = {
        group: left_out_of(cases, deployment, constants, group, fitted, study.predicted) for group in CLASSES
    }
    counted = cases.counts & cases.aggregated & np.array([not reason for reason in study.beyond])
    calm = ~cases.cold_start & (cases.concurrency <= TRUSTED_CONCURRENCY)
    return {
        "tpot": _widths(study, without, "tpot_s", counted & np.isfinite(cases.tpot_s)),
        "ttft": _widths(study, without, "ttft_s", counted & calm & np.isfinite(cases.ttft_s)),
    }


def _widths(study: StudiedLatencies, without: Mapping[str, Predicted], field: str, rows: Mask) -> Widths:
    measured = getattr(study.cases, field)[rows]
    families = np.array(study.cases.family)[rows]
    sizes = Counter(families.tolist())
    weights = np.array([1 / sizes[family] for family in families.tolist()])

    def errors(predicted: Predicted) -> Numbers:
        found: Numbers = np.log(measured / getattr(predicted, field)[rows])
        return found

    def half(predicted: Predicted) -> float:
        return weighted_quantile(np.abs(errors(predicted)), weights, PROBABILITY)

    seen = half(study.predicted)
    both = errors(study.left_out[BOTH])
    return Widths(
        low=math.exp(weighted_quantile(both, weights, LOW_SHARE)),
        high=math.exp(weighted_quantile(both, weights, HIGH_SHARE)),
        widening={
            group: math.sqrt(max(half(predicted) ** 2 - seen**2, 0.0)) for group, predicted in without.items()
        },
    )


if __name__ == "__main__":
    from app.catalog.ready import ready_catalog

    for name, found in measured_widths(ready_catalog()).items():
        wider = ", ".join(f"{group} {width:.3f}" for group, width in found.widening.items())
        sys.stdout.write(f"{name}: {found.low:.3f} to {found.high:.3f}; never measured: {wider}\n")
