"""How far the prediction of a run may be off: from the errors of the shipped runs.

The arithmetic and the errors are the product's. A file is judged by what ships, never by its own errors, and a run
of it as a design is that nobody has run; runs that share a label with a run do not vouch for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.engine.uncertainty.interval import spread
from app.engine.uncertainty.likeness import Features, distance
from app.scenarios.evaluation.residuals import residuals
from app.validation.training.batch import Numbers
from app.validation.training.case import Case


class Vouchers(NamedTuple):
    """Runs whose errors are known, (n,) each: logarithms of measured over predicted."""

    features: Features
    errors: Numbers
    labels: tuple[Sequence[str], ...]


def shipped_vouchers() -> Vouchers:
    """The runs that ship, by their source."""
    table = residuals()
    return Vouchers(table.features, table.errors, ([run.family for run in table.runs],))


def own_sources(cases: Sequence[Case]) -> list[str]:
    """The source of each run that ships itself; nothing of any other, for which every shipped run may vouch."""
    shipped = {(run.id, run.accelerator_key) for run in residuals().runs}
    return [
        case.row.family if (case.row.key, case.row.text("accelerator_key")) in shipped else ""
        for case in cases
    ]


def intervals(
    cases: Sequence[Case], vouchers: Vouchers, labels: tuple[Sequence[str], ...]
) -> tuple[Numbers, Numbers]:
    """Least and most of measured over predicted that eight of ten runs would keep to.

    Parameters
    ----------
    cases : the runs
    vouchers : the runs that vouch for them
    labels : of the cases, as many as the vouchers have: those that share any with a run do not vouch for it
    """
    features = features_of(cases)
    apart = distance(features, vouchers.features)
    own = np.zeros(apart.shape, dtype=bool)
    for mine, theirs in zip(labels, vouchers.labels, strict=True):
        own |= np.array(mine)[:, None] == np.array(theirs)
    low, high = np.full((2, len(cases)), np.nan)
    for position, case_apart in enumerate(apart):
        others = ~own[position] & np.isfinite(vouchers.errors)
        if others.any():
            found = spread(
                distance=case_apart[None, others],
                errors=vouchers.errors[others],
                experts=features.experts[position : position + 1],
            )
            low[position], high[position] = found.low[0], found.high[0]
    return low, high


def features_of(cases: Sequence[Case]) -> Features:
    """What runs are compared by."""
    return Features(
        accelerators=np.array([case.row.needed("n_accelerators") for case in cases], dtype=float),
        active_parameters=np.array([case.active_parameters for case in cases]),
        sequence_length=np.array([case.row.needed("seq_len") for case in cases], dtype=float),
        experts=np.array([float(case.kind_of_model == "moe") for case in cases]),
        generation=np.array([case.context["generation"] for case in cases]),
        framework=np.array([case.context["framework"] for case in cases]),
        precision=np.array([case.context["precision"] for case in cases]),
    )
