"""How unlike two runs are: by their sizes, in factors of ten, and by what they run on.

Runs are compared pair by pair: designs as (m, 1) against runs as (n,) give (m, n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.quantities import quantity
from app.engine.trace import Array

Words = NDArray[np.str_]

_CHOSEN = (
    "assumption: chosen so that 80 % intervals hold 80 % of runs whose source and accelerator were left out "
    "of the fit, docs/validation.md"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What runs are compared by; arrays of one shape."""

    accelerators: Array
    active_parameters: Array
    sequence_length: Array
    experts: Array  # 1 in a mixture of experts, else 0
    generation: Words
    framework: Words
    precision: Words

    def as_column(self) -> Features:
        """The same runs, each to be compared with all of others."""
        return Features(
            accelerators=self.accelerators[:, None],
            active_parameters=self.active_parameters[:, None],
            sequence_length=self.sequence_length[:, None],
            experts=self.experts[:, None],
            generation=self.generation[:, None],
            framework=self.framework[:, None],
            precision=self.precision[:, None],
        )


@quantity(unit="1", source=_CHOSEN)
def size_distance(
    *, accelerators_ratio: Array, active_parameters_ratio: Array, sequence_length_ratio: Array
) -> Array:
    """Distance by size: half of the factors of ten between two runs, added up.

    Parameters
    ----------
    accelerators_ratio, active_parameters_ratio, sequence_length_ratio : of one run over the other
    """
    jobs = np.abs(np.log10(accelerators_ratio))
    models = np.abs(np.log10(active_parameters_ratio))
    sequences = np.abs(np.log10(sequence_length_ratio))
    return (jobs + models + sequences) / 2


@quantity(unit="1", source=_CHOSEN)
def kind_distance(
    *, other_architecture: Array, other_generation: Array, other_framework: Array, other_precision: Array
) -> Array:
    """Distance by kind: most between dense models and mixtures of experts, least between precisions.

    Parameters
    ----------
    other_architecture, other_generation, other_framework, other_precision : 1 where two runs differ, else 0
    """
    return 1.5 * other_architecture + other_generation + 0.7 * other_framework + 0.4 * other_precision


def distance(one: Features, other: Features) -> Any:
    """Distance of each run of `one` to each of `other`, as (m, n)."""
    rows = one.as_column()
    return size_distance(
        accelerators_ratio=rows.accelerators / other.accelerators,
        active_parameters_ratio=rows.active_parameters / other.active_parameters,
        sequence_length_ratio=rows.sequence_length / other.sequence_length,
    ) + kind_distance(
        other_architecture=(rows.experts != other.experts).astype(float),
        other_generation=(rows.generation != other.generation).astype(float),
        other_framework=(rows.framework != other.framework).astype(float),
        other_precision=(rows.precision != other.precision).astype(float),
    )
