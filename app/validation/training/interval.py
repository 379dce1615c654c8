"""How far a prediction may be off: from the errors of the runs most like it.

An error counts the more the nearer its run lies: in size of model, job and sequence (by factors of ten), in
chip generation, framework, precision and kind of model. Far from every run the interval is that of all of
them, widened by the distance to the nearest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.validation.statistics import weighted_quantile
from app.validation.training.batch import Numbers
from app.validation.training.case import Case

LOW, HIGH = 0.1, 0.9
"""The interval holds eight of ten."""
OTHER_KIND = {"generation": 1.0, "framework": 0.7, "precision": 0.4}
OTHER_ARCHITECTURE = 1.5
WIDER_BY = 0.15
"""Growth of the interval with each unit of distance to the nearest run."""


def distances(cases: Sequence[Case]) -> Numbers:
    """How unlike two runs are, every pair of them; 1 is a factor of ten in one size or another generation."""
    sizes = np.array([_sizes(case) for case in cases])
    apart = np.abs(sizes[:, None, :] - sizes[None, :, :]).sum(axis=-1) / 2
    for name, weight in OTHER_KIND.items():
        kinds = np.array([case.context[name] for case in cases])
        apart = apart + weight * (kinds[:, None] != kinds[None, :])
    experts = np.array([case.design.workload.architecture.experts[0] > 0 for case in cases])
    unlike: Numbers = apart + OTHER_ARCHITECTURE * (experts[:, None] != experts[None, :])
    return unlike


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
    low, high = np.ones(len(cases)), np.ones(len(cases))
    for position in range(len(cases)):
        others = (names != names[position]) & np.isfinite(errors)
        if not others.any():
            low[position], high[position] = np.nan, np.nan
            continue
        away = apart[position][others]
        weights = np.exp(away.min() - away)
        wider = 1 + WIDER_BY * away.min()
        low[position] = np.exp(wider * weighted_quantile(errors[others], weights, LOW))
        high[position] = np.exp(wider * weighted_quantile(errors[others], weights, HIGH))
    return low, high


def _sizes(case: Case) -> tuple[float, float, float]:
    row = case.row
    parameters = row.number("active_params_b") or row.number("params_b") or 1.0
    return (
        float(np.log10(row.needed("n_accelerators"))),
        float(np.log10(parameters)),
        float(np.log10(row.needed("seq_len"))),
    )
