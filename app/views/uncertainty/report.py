"""Answer of the uncertainty analysis."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainInput:
    """One number that is not known exactly.

    `place` is where it stands in the design, or the field itself where it decides the structure of a design.
    `kind` is column (a number as it is drawn) or structure (`levels` values of equal probability, each resolved by
    itself). `origin` is scenario, catalog or prediction: who gives the range.
    """

    place: str
    field: str
    label: str
    unit: str
    distribution: str
    low: float
    typical: float
    high: float
    kind: str
    levels: int
    source: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainFigure:
    """One figure: as it is evaluated, and what the samples make of it. Unknown ones are left out of the rest."""

    path: str
    label: str
    unit: str
    point: float | None
    p10: float | None
    p50: float | None
    p90: float | None
    mean: float | None
    unknown_share: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probability:
    """Share of the samples that hold to a limit; null where there is no limit, or nothing is known."""

    name: str
    label: str
    share: float | None
    limit: float | None
    unit: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TornadoBar:
    """Effect of one input on one figure, widest first."""

    figure: str
    place: str
    low_value: float
    high_value: float
    at_low: float | None
    at_high: float | None
    swing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SobolShare:
    """Shares of the variance of one figure: an input's alone, and with its part in what inputs do together.

    The bounds hold nine of ten resamples of the samples.
    """

    figure: str
    place: str
    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiderLine:
    """A figure along the range of one input, from its low end at 0 to its high end at 1."""

    figure: str
    place: str
    shares: tuple[float, ...]
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Information:
    """Value of information of an input, for one run; `place` is empty for all of them at once."""

    decision: str
    place: str
    value_usd: float
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankCorrelation:
    """Two inputs that move together; `origin` is scenario or assumption."""

    one: str
    other: str
    coefficient: float
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertaintyReport:
    """Uncertainty of the figures and its drivers."""

    name: str
    sampler: str
    seed: int
    samples: int
    refused_share: float  # samples that no design can be
    inputs: tuple[UncertainInput, ...]
    figures: tuple[UncertainFigure, ...]
    probabilities: tuple[Probability, ...]
    tornado: tuple[TornadoBar, ...]
    sobol: tuple[SobolShare, ...]
    spider: tuple[SpiderLine, ...]
    information: tuple[Information, ...]
    correlations: tuple[RankCorrelation, ...]
    matters: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """The samples themselves, for export: `inputs` of shape (n, inputs), `figures` of shape (figures, n)."""

    input_places: tuple[str, ...]
    figure_paths: tuple[str, ...]
    inputs: Array
    figures: Array
    feasible: Array = field(default_factory=lambda: np.empty(0))  # 1 where no limit is broken, else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Number of evaluated designs, and their total."""

    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The end of the work."""

    report: UncertaintyReport
    samples: Samples
