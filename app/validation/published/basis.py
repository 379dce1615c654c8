"""By which fit a published run is predicted: the shipped one, or one that has not seen runs like it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from app.catalog.validated_runs import ValidatedRun
from app.validation.statistics import Prediction


class Basis(NamedTuple):
    """A way to predict every run."""

    key: str
    name: str
    says: str  # how a run is predicted
    predicted: Callable[[ValidatedRun], float]


ACCELERATOR = Basis(
    "accelerator",
    "Each accelerator left out",
    "with constants that were fitted without any run on its accelerator",
    lambda run: run.left_out_tokens_per_s,
)
SOURCE = Basis(
    "source",
    "Each source left out",
    "with constants that were fitted without any run of its source",
    lambda run: run.source_left_out_tokens_per_s,
)
FITTED = Basis(
    "fitted",
    "With the runs in the fit",
    "with the constants that every design uses, which were fitted to these runs",
    lambda run: run.predicted_tokens_per_s,
)
BASES = {basis.key: basis for basis in (ACCELERATOR, SOURCE, FITTED)}
"""The first is the honest one: what to expect of an accelerator nobody has measured yet."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A published run beside what the engine says of it, in tokens a second and accelerator."""

    run: ValidatedRun
    predicted_tokens_per_s: float

    @property
    def error(self) -> float:
        """Predicted over measured, less one."""
        return self.predicted_tokens_per_s / self.run.measured_tokens_per_s - 1

    @property
    def held(self) -> bool:
        """Whether the measurement lies in the interval of the prediction without its accelerator."""
        return self.run.low_tokens_per_s <= self.run.measured_tokens_per_s <= self.run.high_tokens_per_s

    @property
    def prediction(self) -> Prediction:
        """The same for the statistics that `podwright validate` prints."""
        return Prediction(
            key=self.run.id,
            family=self.run.family,
            groups={},
            measured=self.run.measured_tokens_per_s,
            predicted=self.predicted_tokens_per_s,
        )


def judged(runs: Iterable[ValidatedRun], basis: Basis) -> tuple[Judged, ...]:
    """Every run beside its prediction."""
    return tuple(Judged(run, basis.predicted(run)) for run in runs)
