"""How far the prediction of a run may be off: from the errors of runs of other accelerators.

The arithmetic is the engine's, and the product's; here runs that share a label do not vouch for each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.uncertainty.interval import spread
from app.engine.uncertainty.likeness import Features, distance
from app.validation.training.batch import Numbers
from app.validation.training.case import Case


def intervals(cases: Sequence[Case], errors: Numbers, labels: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Least and most of measured over predicted that eight of ten runs would keep to.

    Parameters
    ----------
    cases : the runs
    errors : logarithms of measured over predicted, each predicted without its own label
    labels : runs of the same label do not vouch for each other
    """
    apart = distances(cases)
    names = np.array(labels)
    low, high = np.full((2, len(cases)), np.nan)
    for name in set(labels):
        members = names == name
        others = ~members & np.isfinite(errors)
        if others.any():
            found = spread(distance=apart[np.ix_(members, others)], errors=errors[others])
            low[members], high[members] = found.low, found.high
    return low, high


def distances(cases: Sequence[Case]) -> Numbers:
    """How unlike two runs are, every pair of them."""
    features = features_of(cases)
    apart: Numbers = distance(features, features)
    return apart


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
