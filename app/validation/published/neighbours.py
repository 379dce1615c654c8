"""The published runs most like one of them, as intervals weigh them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.catalog.validated_runs import ValidatedRun
from app.engine.uncertainty.likeness import Features, distance


class Neighbour(NamedTuple):
    """A run, and how unlike the one asked for it is."""

    run: ValidatedRun
    distance: float


def neighbours(run: ValidatedRun, runs: Sequence[ValidatedRun], count: int) -> tuple[Neighbour, ...]:
    """The nearest other runs, the nearest first."""
    others = [other for other in runs if other.id != run.id]
    apart = distance(_features([run]), _features(others))[0]
    return tuple(
        Neighbour(others[place], float(apart[place])) for place in np.argsort(apart, kind="stable")[:count]
    )


def _features(runs: Sequence[ValidatedRun]) -> Features:
    return Features(
        accelerators=np.array([float(run.accelerators) for run in runs]),
        active_parameters=np.array([run.active_parameters for run in runs]),
        sequence_length=np.array([float(run.sequence_length) for run in runs]),
        experts=np.array([float(run.architecture == "moe") for run in runs]),
        generation=np.array([run.generation for run in runs]),
        framework=np.array([run.framework for run in runs]),
        precision=np.array([run.precision for run in runs]),
    )
