"""Published measurements and predictions: by which fit, in which groups, and their errors in a few
numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from app.catalog.validated import ValidatedCollective, ValidatedRun
from app.validation.study import Prediction, errors_of, weighted_quantile

# By which fit a published measurement is predicted: the shipped one, or one that has not seen others like it.


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
"""The first is the most honest: what to expect of a run that no one has published, on an accelerator no one
has measured."""

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
        """Return whether the measurement lies in the interval that was made without others like it."""
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


# What published measurements have in common: groups that errors are shown by, and that one filters by.

NOT_STATED = "not stated"

SIZES = ((3.0, "under 3 B"), (20.0, "3 to 20 B"), (100.0, "20 to 100 B"), (float("inf"), "100 B and more"))
"""Bands of all parameters in billions, each up to its first number."""
SCALES = (
    (9.0, "1 to 8"), (65.0, "9 to 64"), (257.0, "65 to 256"), (1025.0, "257 to 1,024"),
    (float("inf"), "over 1,024"),
)  # fmt: skip
"""Bands of accelerators, each up to its first number."""
KIB, MIB = 1024.0, 1024.0**2
MESSAGES = (
    (16 * KIB, "under 16 KiB"), (MIB, "16 KiB to 1 MiB"), (64 * MIB, "1 to 64 MiB"),
    (float("inf"), "64 MiB and more"),
)  # fmt: skip
"""Bands of message sizes in bytes, each up to its first number."""
TOKENS = ((129, "up to 128 tokens a rank"), (float("inf"), "over 128 tokens a rank"))
"""Bands of tokens that a rank sends to experts, each up to its first number."""


class Grouping(NamedTuple, Generic[One]):
    """A way to part measurements. `order` names the groups that have one; others stand by their number of runs."""

    name: str
    title: str
    group: Callable[[One], str]
    order: tuple[str, ...] = ()


class Group(NamedTuple, Generic[One]):
    name: str
    members: tuple[Judged[One], ...]


def band(value: float, bands: tuple[tuple[float, str], ...]) -> str:
    """The name of the first band that a value lies below the limit of."""
    return next(name for limit, name in bands if value < limit)


_TRAINING: tuple[Grouping[ValidatedRun], ...] = (
    Grouping("accelerator", "Accelerator", lambda run: run.accelerator_key),
    Grouping("architecture", "Architecture", lambda run: run.architecture),
    Grouping("precision", "Precision", lambda run: run.precision),
    Grouping("framework", "Framework", lambda run: run.framework),
    Grouping("size", "Size", lambda run: band(run.parameters, SIZES), tuple(name for _, name in SIZES)),
    Grouping("scale", "Scale", lambda run: band(run.accelerators, SCALES), tuple(name for _, name in SCALES)),
    Grouping("year", "Date", lambda run: run.software_date[:4] or NOT_STATED),
)
GROUPINGS = {grouping.name: grouping for grouping in _TRAINING}


def message_band(one: ValidatedCollective) -> str:
    """How large the message of a collective is, or how many tokens go to experts."""
    if one.message_bytes is not None:
        return band(one.message_bytes, MESSAGES)
    assert one.tokens is not None  # one of the two is always there
    return band(one.tokens, TOKENS)


_BANDS = tuple(name for _, name in (*MESSAGES, *TOKENS))
_COLLECTIVES: tuple[Grouping[ValidatedCollective], ...] = (
    Grouping("system", "System", lambda one: one.system),
    Grouping("collective", "Collective", lambda one: one.collective),
    Grouping("message", "Message size", message_band, _BANDS),
    Grouping("level", "Level", lambda one: one.level),
)
COLLECTIVE_GROUPINGS = {grouping.name: grouping for grouping in _COLLECTIVES}


def groups(judged: Sequence[Judged[One]], grouping: Grouping[One]) -> tuple[Group[One], ...]:
    """Measurements by group: bands and years in their order, others from the one with most runs on."""
    found: dict[str, list[Judged[One]]] = defaultdict(list)
    for one in judged:
        found[grouping.group(one.run)].append(one)
    names = sorted(found, key=lambda name: -len(found[name]))
    if grouping.order:
        names = [name for name in grouping.order if name in found]
    elif grouping.name == "year":
        names = sorted(found)  # figures come before words
    return tuple(Group(name, tuple(found[name])) for name in names)


# The measurements that are predicted worst, and what they have in common.


class Trait(NamedTuple):
    """A group that many of the worst runs belong to, and what share of all runs does."""

    grouping: str
    group: str
    misses: int
    share_of_all: float


def largest_misses(judged: Sequence[Judged[One]], count: int) -> tuple[Judged[One], ...]:
    """Those whose prediction is furthest off, the worst first."""
    return tuple(sorted(judged, key=lambda one: -abs(one.error))[:count])


def common_trait(
    misses: Sequence[Judged[One]], everything: Sequence[Judged[One]], groupings: Iterable[Grouping[One]]
) -> Trait | None:
    """What is most usual among the misses and least among all runs; None unless half share it.

    A trait that as many of all runs have says nothing, nor does what no source states.
    """
    found: list[tuple[float, Trait]] = []
    for grouping in groupings:
        among_all = Counter(grouping.group(one.run) for one in everything)
        for group, count in Counter(grouping.group(one.run) for one in misses).items():
            among_misses, share = count / len(misses), among_all[group] / len(everything)
            if group != NOT_STATED and among_misses >= 0.5 and among_misses > share:
                found.append((among_misses - share, Trait(grouping.name, group, count, share)))
    return max(found)[1] if found else None


# Errors of some published measurements in a few numbers.

AIMED_COVERAGE = 0.8
"""The share of runs that an interval is made to hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Fractions. Errors are predicted over measured, less one; `bias` is the median.

    80 % of errors lie between `low_error` and `high_error`; `held` is the share of runs whose
    measurement lies in the interval of its prediction.
    """

    runs: int
    median_abs_error: float
    p90_abs_error: float
    bias: float
    within_20_pct: float
    low_error: float
    high_error: float
    held: float


def summary_of(judged: Sequence[Judged[One]], *, sources_equal: bool = False) -> Summary | None:
    """Errors of some runs, None where there are none; with `sources_equal` each source counts the same."""
    if not judged:
        return None
    found = errors_of([one.prediction for one in judged], families_equal=sources_equal)
    families = [one.run.family for one in judged]
    counted = [1 / families.count(family) if sources_equal else 1.0 for family in families]
    weights, errors = np.array(counted), np.array([one.error for one in judged])
    held = np.array([one.held for one in judged])
    assert found.median_abs_error is not None  # as of any prediction
    assert found.p90_abs_error is not None
    assert found.bias is not None
    assert found.within_20_pct is not None
    return Summary(
        runs=len(judged),
        median_abs_error=found.median_abs_error,
        p90_abs_error=found.p90_abs_error,
        bias=found.bias,
        within_20_pct=found.within_20_pct,
        low_error=weighted_quantile(errors, weights, 0.1),
        high_error=weighted_quantile(errors, weights, 0.9),
        held=float(weights[held].sum() / weights.sum()),
    )
