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
from app.validation.serving.cases import Cases, cases_of, words_of
from app.validation.serving.deployment import Deployment, deployment_of
from app.validation.serving.left_out import BOTH, MODEL, PAIR, SYSTEM, parts_of
from app.validation.serving.predicted import Predicted, predicted
from app.validation.serving.stacking import taken

Numbers = NDArray[np.float64]

STUDIED = (MODEL, SYSTEM, PAIR, BOTH)
"""What each row is predicted without."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """`left_out` holds by STUDIED each row as predicted without its family, its accelerator, its family on its engine, and
    without all of its family and of its engine.

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
    left_out = {
        group: left_out_of(cases, deployment, constants, group, without, shipped)
        for group in STUDIED
        if without
    }
    beyond = beyond_roofline.reasons(bound, **times)
    return Study(cases=cases, predicted=shipped, beyond=beyond, left_out=left_out)


def left_out_of(
    cases: Cases,
    deployment: Deployment,
    constants: Constants,
    group: str,
    fitted: Mapping[str, Mapping[str, float]],
    shipped: Predicted,
) -> Predicted:
    """Each row with constants fitted without what it is of; what was never in the fit has the shipped ones."""
    found = Predicted(*(values.copy() for values in shipped))
    words = words_of(cases)
    for part in parts_of(words, group):
        if part.label not in fitted:
            continue
        members = np.flatnonzero(part.own(words))
        again = predicted(
            taken(deployment, members), taken(constants.with_values(fitted[part.label]), members)
        )
        for target, values in zip(found, again, strict=True):
            target[members] = values
    return found
