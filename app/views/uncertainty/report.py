"""Answer of the uncertainty analysis."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated

import numpy as np
from pydantic import Field

from app.charts.format import percent, show_at
from app.engine.trace import Array
from app.scenarios.document.uncertainty import MOST_SAMPLES
from app.scenarios.fields import Part, Whole
from app.views.table import UNKNOWN, Column, number, text_rows, text_table


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

    The bounds hold 90 % of resamples of the samples.
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
    """Value of information of an input, for one run; `place` is empty for all at once."""

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


MOST_LINES = 12


def _value(path: str, value: float | None) -> str:
    return UNKNOWN if value is None else show_at(path, value).text


def _share(value: float | None) -> str:
    """Estimates of what is next to nothing may come out below it."""
    return "" if value is None else f"{max(value, 0.0):.3f}"


def _of_figure(name: str) -> Callable[[UncertainFigure], str]:
    return lambda figure: _value(figure.path, getattr(figure, name))


FIGURES = (
    Column("Figure", lambda figure: figure.label[:51], width=-52),
    Column("current", _of_figure("point"), width=14),
    Column("P10", _of_figure("p10"), width=14),
    Column("P50", _of_figure("p50"), width=14),
    Column("P90", _of_figure("p90"), width=14),
)
PROBABILITIES = (
    Column("", "label", width=-52),
    Column("", "share", lambda share: "no limit" if share is None else percent(share).text, 14),
    Column("", "said"),
)


def uncertainty_text(report: UncertaintyReport) -> str:
    """Percentiles, probabilities, main drivers, and the value of information."""
    labels = {one.place: one.label for one in report.inputs}
    lines = [
        report.matters,
        "",
        *text_table(FIGURES, report.figures),
        "",
        *text_rows(PROBABILITIES, report.probabilities),
        *_moving(report, labels),
        *_worth(report.information, labels),
        "",
        _drawn(report),
        *(f"- {note}" for note in report.notes),
    ]
    return "\n".join(lines)


def _drawn(report: UncertaintyReport) -> str:
    sampler = report.sampler.replace("_", " ")
    return f"{report.samples:,} samples by {sampler}, seed {report.seed}; {len(report.inputs)} inputs vary."


def _moving(report: UncertaintyReport, labels: dict[str, str]) -> Iterator[str]:
    """What moves the main figure, which the first bars are of."""
    if not report.tornado:
        return
    main = report.tornado[0].figure
    label = next(figure.label for figure in report.figures if figure.path == main)
    shares = {one.place: one for one in report.sobol if one.figure == main}
    columns = (
        Column(f"Moves {label[:45]}", lambda bar: labels[bar.place][:51], width=-52),
        Column("at its low", lambda bar: _value(main, bar.at_low), width=14),
        Column("at its high", lambda bar: _value(main, bar.at_high), width=14),
        Column("alone", lambda bar: getattr(shares.get(bar.place), "first", None), _share, 14),
        Column("in all", lambda bar: getattr(shares.get(bar.place), "total", None), _share, 14),
    )
    bars = [bar for bar in report.tornado if bar.figure == main]
    yield ""
    yield from text_table(columns, bars[:MOST_LINES])
    if len(bars) > MOST_LINES:
        yield f"and {len(bars) - MOST_LINES} more that move it less"


def _worth(information: tuple[Information, ...], labels: dict[str, str]) -> Iterator[str]:
    worth = [one for one in information if one.value_usd >= 1][:MOST_LINES]
    if worth:
        columns = (
            Column(
                f"Value of information: {worth[0].decision}",
                lambda one: labels.get(one.place, "Everything")[:51],
                width=-52,
            ),
            Column("USD", "value_usd", number, 14),
        )
        yield ""
        yield from text_table(columns, worth)


class UncertaintyOptions(Part):
    """Options of the uncertainty analysis; defaults from `uncertainty` of the scenario."""

    figures: Annotated[tuple[str, ...], Field(strict=False, max_length=40)] = Field(
        default=(),
        description="Figures of one value, such as cost.usd_per_run; the key figures when left out.",
    )
    samples: Annotated[Whole, Field(ge=2, le=MOST_SAMPLES)] | None = Field(
        default=None, description="Samples to draw."
    )
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] | None = Field(
        default=None, description="The same seed draws the same samples."
    )
    sobol: bool = Field(default=True, description="Whether Sobol indices are computed.")


ROWS = 1_000


def samples_csv(samples: Samples) -> Iterator[bytes]:
    """Every sample, some at a time; an unknown figure is an empty cell. `feasible` is 1 where no limit is broken."""
    columns = np.vstack([samples.inputs.T, samples.figures, samples.feasible[None]])
    yield _text([("sample", *samples.input_places, *samples.figure_paths, "feasible")])
    rows = iter(enumerate(columns.T, start=1))
    while some := tuple(islice(rows, ROWS)):
        yield _text([(number, *(_cell(value) for value in row.tolist())) for number, row in some])


def _text(rows: list[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


def _cell(value: float) -> str:
    return f"{value:.9g}" if np.isfinite(value) else ""
