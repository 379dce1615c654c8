"""One measured collective as a page: what its source says, what the engine says, and how that was computed."""

from __future__ import annotations

import functools
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import ValidatedCollective
from app.charts import Figure
from app.charts.collective_sizes import Sized, collective_sizes_figure
from app.charts.format import Shown, signed_percent
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.explain_page import Step, step_of
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.collectives.words import microseconds, size_text
from app.surfaces.pages.validation.inputs import Given
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.run import FitLine
from app.surfaces.pages.validation.spread import Spread, spread_of
from app.surfaces.pages.validation.subject import COLLECTIVES
from app.validation.collectives.study import explained_time, printed_collectives
from app.validation.judged import COLLECTIVE_BASES, Judged
from app.validation.study import Row

MICROSECONDS = "µs"
INPUTS = (
    ("system", "System", ""), ("accelerator", "Accelerator", ""), ("num_accelerators", "Accelerators", ""),
    ("num_nodes", "Nodes", ""), ("domain", "Level", ""),
    ("nic_gbit_s_per_accelerator", "NIC of an accelerator", "Gbit/s"), ("collective", "Collective", ""),
    ("message_size_bytes", "Message", "B"), ("tokens_per_rank", "Tokens of a rank", ""),
    ("algorithm_or_library", "Library", ""), ("library_version", "Version", ""), ("time_us", "Time", "µs"),
    ("algbw_gb_s", "Algorithm bandwidth", "GB/s"), ("busbw_gb_s", "Bus bandwidth", "GB/s"),
    ("notes", "Notes", ""), ("confidence", "Read", ""),
)  # fmt: skip
"""Column, label and unit, in reading order."""


class CollectivePage(NamedTuple):
    faults: tuple[str, ...]
    id: str
    title: str
    meta: tuple[str, ...]
    held: bool
    back: str
    before: str  # address of a measurement up to its id, and what comes after it
    after: str
    key_figures: tuple[KeyFigure, ...]
    interval: Spread
    interval_says: str
    fits: tuple[FitLine, ...]
    sizes: Figure
    step: Step
    inputs: tuple[Given, ...]
    open: str  # what the source leaves out
    assumed: tuple[str, ...]
    source: Source


def collective_page(asked: Asked, key: str, catalog: Catalog) -> CollectivePage:
    """Everything the page of a measurement shows, in words.

    Raises
    ------
    KeyError : there is no such measurement
    """
    one = next((one for one in asked.everything if one.run.id == key), None)
    if one is None:
        raise KeyError(key)
    run, row = one.run, printed_collectives()[key]
    return CollectivePage(
        faults=tuple(asked.query.faults.values()),
        id=key,
        title=asked.words.title(run),
        meta=tuple(word for word in (run.system, run.level, row.text("library_version")) if word),
        held=one.held,
        back=asked.link(COLLECTIVES.rows),
        before=f"{COLLECTIVES.rows}/",
        after=asked.link(""),
        key_figures=_key_figures(one),
        interval=spread_of(
            *(end / run.measured_us - 1 for end in (run.low_us, run.predicted_us, run.high_us))
        ),
        interval_says=_interval_says(run),
        fits=tuple(_fit_line(run, name, name == asked.basis.key) for name in COLLECTIVE_BASES),
        sizes=_sizes(asked, run),
        step=step_of(explained_time(row, catalog)),
        inputs=tuple(
            Given(label, f"{row.text(column)} {unit}".strip())
            for column, label, unit in INPUTS
            if row.text(column)
        ),
        open=", ".join(label.lower() for column, label, _ in INPUTS if not row.text(column)),
        assumed=run.assumed,
        source=_source(row),
    )


def _key_figures(one: Judged[ValidatedCollective]) -> tuple[KeyFigure, ...]:
    run = one.run
    interval = f"{microseconds(run.low_us)} to {microseconds(run.high_us)}"
    holds = "holds the measurement" if one.held else "misses the measurement"
    return (
        KeyFigure("Measured", Shown(microseconds(run.measured_us), MICROSECONDS), ""),
        KeyFigure("Predicted", Shown(microseconds(one.predicted), MICROSECONDS), ""),
        KeyFigure("Error", Shown(signed_percent(one.error)), "predicted over measured, less one"),
        KeyFigure("80 % interval", Shown(interval, MICROSECONDS), holds),
    )


def _interval_says(run: ValidatedCollective) -> str:
    return (
        f"With the constants of every design: {microseconds(run.predicted_us)} {MICROSECONDS}; by the errors of other "
        f"systems left out, eight of ten from {microseconds(run.low_us)} to {microseconds(run.high_us)}; measured: "
        f"{microseconds(run.measured_us)}."
    )


def _fit_line(run: ValidatedCollective, name: str, current: bool) -> FitLine:
    basis = COLLECTIVE_BASES[name]
    predicted = basis.predicted(run)
    error = signed_percent(predicted / run.measured_us - 1)
    return FitLine(basis.name, microseconds(predicted), error, current)


def _sizes(asked: Asked, run: ValidatedCollective) -> Figure:
    """The curve that the measurement is a point of."""
    alike = [one for one in asked.everything if _curve(one.run) == _curve(run)]
    alike.sort(key=lambda one: _size(one.run))
    points = [
        Sized(
            key=one.run.id,
            size=_size(one.run),
            text=size_text(one.run),
            measured_us=one.run.measured_us,
            predicted_us=one.predicted,
            current=one.run.id == run.id,
        )
        for one in alike
    ]
    size = "Message, bytes" if run.message_bytes is not None else "Tokens of a rank"
    caption = f"Same system, accelerators and library. Each is predicted {asked.basis.says}."
    return collective_sizes_figure(points, size=size, caption=caption)


@functools.cache
def _curve(run: ValidatedCollective) -> tuple[object, ...]:
    """What the points of a curve share: all but the size; the notes say width and precision of tokens."""
    row = printed_collectives()[run.id]
    said = tuple(row.text(name) for name in ("library_version", "notes", "source"))
    return (run.system, run.collective, run.level, run.ranks, run.domains, run.library, *said)


def _size(run: ValidatedCollective) -> float:
    size = run.message_bytes if run.message_bytes is not None else run.tokens
    assert size is not None  # one of the two is always there
    return float(size)


def _source(row: Row) -> Source:
    return Sources().cite(text=row.text("source"), url="", licence="", ship="facts_only")
