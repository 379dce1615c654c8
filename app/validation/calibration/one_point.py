"""What one measured point leaves unknown of a served deployment: every point of it, corrected by every other one.

`python -m app.validation.calibration.one_point FILE.csv` prints it for a file of measured latencies; the bounds in
`seed_data/assumptions/uncertainty.csv` come from there.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.catalog.ready import ready_catalog
from app.engine.uncertainty.interval import HIGH_SHARE, LOW_SHARE
from app.engine.uncertainty.summary import weighted_quantile
from app.scenarios.evaluation.serving_intervals import TRUSTED_CONCURRENCY
from app.validation.serving.cases import MODEL
from app.validation.serving.study import study_of
from app.validation.study import Mask, Numbers

FEWEST = 3
"""Points that a deployment needs to say something of its spread."""


@dataclass(frozen=True, kw_only=True)
class Remaining:
    """Measured over predicted time of another point of a deployment, once one point of it has corrected it."""

    deployments: int
    points: int
    median_abs_error: float
    low: float  # one of ten lies below
    high: float  # one of ten lies above


def remaining_spread(errors: Numbers, deployments: Sequence[Hashable]) -> Remaining | None:
    """Remaining error after calibration by one point, over all pairs of points; None without a deployment of
    three points.

    Parameters
    ----------
    errors : (n,), logarithms of measured over predicted time; not a number counts for nothing
    deployments : (n,), what each point was measured on; every deployment has the same weight
    """
    members: dict[Hashable, list[float]] = {}
    for error, deployment in zip(errors.tolist(), deployments, strict=True):
        if np.isfinite(error):
            members.setdefault(deployment, []).append(error)
    known = [np.array(found) for found in members.values() if len(found) >= FEWEST]
    if not known:
        return None
    apart = [_pairs(found) for found in known]
    left = np.concatenate(apart)
    weight = np.concatenate([np.full(len(pairs), 1 / len(pairs)) for pairs in apart])
    return Remaining(
        deployments=len(known),
        points=sum(len(found) for found in known),
        median_abs_error=float(np.expm1(weighted_quantile(np.abs(left), weight, 0.5))),
        low=float(np.exp(weighted_quantile(left, weight, LOW_SHARE))),
        high=float(np.exp(weighted_quantile(left, weight, HIGH_SHARE))),
    )


def _pairs(errors: Numbers) -> Numbers:
    """The error of each point less that of each other."""
    different = ~np.eye(len(errors), dtype=bool)
    found: Numbers = (errors[:, None] - errors[None, :])[different]
    return found


def measured_spreads(path: Path) -> dict[str, Remaining | None]:
    """Of the time per output token and of the time to the first, from a file of measured latencies.

    Aggregated rows, each measurement once, with its family of models left out of the fit where one was.
    """
    study = study_of(path, ready_catalog())
    cases, predicted = study.cases, study.left_out.get(MODEL, study.predicted)
    deployments = list(
        zip(
            cases.family, cases.accelerator_key, cases.engine, cases.era, cases.precision,
            cases.decode_tensor_parallel, cases.decode_data_parallel, cases.decode_pipeline_parallel,
            cases.decode_expert_parallel, cases.speculation, strict=True,
        )
    )  # fmt: skip
    counted = cases.counts & cases.aggregated
    steady = counted & ~cases.cold_start & (cases.concurrency <= TRUSTED_CONCURRENCY)
    return {
        "tpot": remaining_spread(_errors(cases.tpot_s, predicted.tpot_s, counted), deployments),
        "ttft": remaining_spread(_errors(cases.ttft_s, predicted.ttft_s, steady), deployments),
    }


def _errors(measured: Numbers, predicted: Numbers, members: Mask) -> Numbers:
    with np.errstate(all="ignore"):
        ratio = np.where(members & (predicted > 0), measured / predicted, np.nan)
        found: Numbers = np.log(ratio)
    return found


if __name__ == "__main__":
    for name, found in measured_spreads(Path(sys.argv[1])).items():
        sys.stdout.write(f"{name}: {found}\n")
