"""By which fit a published measurement is predicted: the shipped one, or one that has not seen others like it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from app.catalog.validated_collectives import ValidatedCollective
from app.catalog.validated_runs import ValidatedRun
from app.validation.statistics import Prediction


class Published(Protocol):
    """A measurement with the ends of its interval, all in one unit; those of a family count as one source."""

    @property
    def id(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def measured(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


One = TypeVar("One", bound=Published)


class Basis(NamedTuple, Generic[One]):
    """A way to predict every measurement of a kind."""

    key: str
    name: str
    says: str  # how one is predicted
    predicted: Callable[[One], float]


BOTH = Basis[ValidatedRun](
    "both",
    "Source and accelerator left out",
    "with constants that were fitted without any run of its source or on its accelerator",
    lambda run: run.left_out_tokens_per_s,
)
ACCELERATOR = Basis[ValidatedRun](
    "accelerator",
    "Each accelerator left out",
    "with constants that were fitted without any run on its accelerator",
    lambda run: run.accelerator_left_out_tokens_per_s,
)
SOURCE = Basis[ValidatedRun](
    "source",
    "Each source left out",
    "with constants that were fitted without any run of its source",
    lambda run: run.source_left_out_tokens_per_s,
)
FITTED = Basis[ValidatedRun](
    "fitted",
    "With the runs in the fit",
    "with the constants that every design uses, which were fitted to these runs",
    lambda run: run.predicted_tokens_per_s,
)
BASES = {basis.key: basis for basis in (BOTH, ACCELERATOR, SOURCE, FITTED)}
"""The first is the most honest: what to expect of a run that nobody has published, on an accelerator nobody has measured."""

SYSTEM = Basis[ValidatedCollective](
    "system",
    "Each system left out",
    "with constants that were fitted without any measurement of its system",
    lambda one: one.left_out_us,
)
COLLECTIVES_FITTED = Basis[ValidatedCollective](
    "fitted",
    "With all in the fit",
    "with the constants that every design uses, which were fitted to these measurements",
    lambda one: one.predicted_us,
)
COLLECTIVE_BASES = {basis.key: basis for basis in (SYSTEM, COLLECTIVES_FITTED)}


@dataclass(frozen=True, slots=True)
class Judged(Generic[One]):
    """A published measurement beside what the engine says of it, in the same unit."""

    run: One
    predicted: float

    @property
    def error(self) -> float:
        """Predicted over measured, less one."""
        return self.predicted / self.run.measured - 1

    @property
    def held(self) -> bool:
        """Whether the measurement lies in the interval that was made without others like it."""
        return self.run.low <= self.run.measured <= self.run.high

    @property
    def prediction(self) -> Prediction:
        """The same for the statistics that `podwright validate` prints."""
        return Prediction(
            key=self.run.id,
            family=self.run.family,
            groups={},
            measured=self.run.measured,
            predicted=self.predicted,
        )


def judged(runs: Iterable[One], basis: Basis[One]) -> tuple[Judged[One], ...]:
    """Every measurement beside its prediction."""
    return tuple(Judged(run, basis.predicted(run)) for run in runs)
