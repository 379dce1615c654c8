"""The published runs most like one of them, as intervals weigh them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.catalog.validated_runs import ValidatedRun
from app.engine.uncertainty.likeness import distance
from app.scenarios.evaluation.residuals import features_of_runs


class Neighbour(NamedTuple):
    """A run, and how unlike the one asked for it is."""

    run: ValidatedRun
    distance: float


def neighbours(run: ValidatedRun, runs: Sequence[ValidatedRun], count: int) -> tuple[Neighbour, ...]:
    """The nearest other runs, the nearest first."""
    others = [other for other in runs if other.id != run.id]
    apart = distance(features_of_runs([run]), features_of_runs(others))[0]
    return tuple(
        Neighbour(others[place], float(apart[place])) for place in np.argsort(apart, kind="stable")[:count]
    )
