"""A file of measured latencies: each row predicted, and again with constants fitted without its family or system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.validation.serving import beyond_roofline
from app.validation.serving.assumed import Constants, left_out_constants
from app.validation.serving.cases import Cases, cases_of
from app.validation.serving.deployment import deployment_of
from app.validation.serving.predicted import Predicted, predicted
from app.validation.serving.quantity import MODEL, SYSTEM
from app.validation.serving.stacking import taken

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Study:
    """`left_out` holds by MODEL and SYSTEM each row as predicted without its own family or system.

    `beyond` says of each row why no engine reaches its times; empty where one may.
    """

    cases: Cases
    predicted: Predicted
    beyond: list[str]
    left_out: Mapping[str, Predicted]


def study_of(
    path: Path,
    catalog: Catalog,
    *,
    fitted: Mapping[str, Mapping[str, float]] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Study:
    """Predict every scored row of a file.

    Parameters
    ----------
    fitted : constants by what was left out of their fit; those that ship when None

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    cases = cases_of(path, catalog)
    without = left_out_constants() if fitted is None else fitted
    if not len(cases):
        nothing = Predicted(*np.empty((len(Predicted._fields), 0)))
        return Study(cases=cases, predicted=nothing, beyond=[], left_out={})
    deployment = deployment_of(cases, catalog)
    constants = Constants(catalog, cases)
    shipped = predicted(deployment, constants.with_values({}))
    times = {"ttft_s": cases.ttft_s, "tpot_s": cases.tpot_s}
    bound = beyond_roofline.least(deployment, constants.with_values({}), **times)
    labels = {MODEL: cases.family, SYSTEM: cases.accelerator_key}
    left_out: dict[str, Predicted] = {}
    for name, words in labels.items():
        if not without:
            continue  # nothing was fitted again
        known = sorted(set(words) & set(without))  # others were never in the fit
        progress(f"predicting with each {name} left out of the fit")
        found = Predicted(*(values.copy() for values in shipped))
        for label in known:
            members = np.flatnonzero([word == label for word in words])
            fitted_without = taken(constants.with_values(without[label]), members)
            again = predicted(taken(deployment, members), fitted_without)
            for target, values in zip(found, again, strict=True):
                target[members] = values
        left_out[name] = found
    beyond = beyond_roofline.reasons(bound, **times)
    return Study(cases=cases, predicted=shipped, beyond=beyond, left_out=left_out)
