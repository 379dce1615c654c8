"""One measured latency as a page: what its source says, what every fit says, and the same deployment under other loads."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple

from app.catalog.licences import LATENCIES_SOURCE
from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import LATENCIES_FILE
from app.charts.format import Shown, number, signed_percent
from app.paths import seed_data
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.explained import Explained, explained
from app.surfaces.pages.validation.inputs import Given
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.run import FitLine
from app.surfaces.pages.validation.serving.subject import Latency
from app.surfaces.pages.validation.serving.words import ServingWords, milliseconds
from app.surfaces.pages.validation.spread import Spread, spread_of
from app.validation.judged import Judged
from app.validation.serving.case import COLUMNS
from app.validation.serving.published import (
    SERVING_BASES,
    ServedMeasurement,
    published_serving,
    scenario_of_latency,
    taken_for_granted,
)
from app.validation.study import Row, read_rows

MILLISECONDS = "ms"
INPUTS = (
    ("mode", "Mode", ""), ("model", "Model", ""), ("system", "System", ""), ("engine", "Engine", ""),
    ("engine_version", "Version", ""), ("precision", "Precision", ""), ("isl", "Tokens in", ""),
    ("osl", "Tokens out", ""), ("concurrency", "Requests in flight", ""), ("batch", "Batch", ""),
    ("tp", "Tensor parallel", ""), ("pp", "Pipeline stages", ""), ("dp", "Data parallel", ""),
    ("moe_tp", "Experts, tensor parallel", ""), ("moe_ep", "Experts, parallel", ""),
    ("p_workers", "Prefill instances", ""), ("p_tp", "Prefill, tensor parallel", ""),
    ("p_dp", "Prefill, data parallel", ""), ("p_ep", "Prefill, expert parallel", ""),
    ("d_workers", "Decode instances", ""), ("d_tp", "Decode, tensor parallel", ""),
    ("d_dp", "Decode, data parallel", ""), ("d_ep", "Decode, expert parallel", ""), ("d_batch", "Decode batch", ""),
    ("ttft_ms", "Time to first token", "ms"), ("tpot_ms", "Time per token", "ms"), ("measured", "Measured on", ""),
)  # fmt: skip
"""Column, label and unit, in reading order."""


class LoadLine(NamedTuple):
    """The same deployment with as many requests in flight."""

    load: str
    link: str
    measured: str
    predicted: str
    error: str
    current: bool


class LatencyPage(NamedTuple):
    faults: tuple[str, ...]
    id: str
    tab: str
    title: str
    meta: tuple[str, ...]
    held: bool
    back: str
    key_figures: tuple[KeyFigure, ...]
    interval: Spread
    interval_says: str
    fits: tuple[FitLine, ...]
    loads: tuple[LoadLine, ...]
    inputs: tuple[Given, ...]
    assumed: tuple[str, ...]
    source: Source
    explained: Explained


@functools.cache
def printed_latencies() -> Mapping[str, Row]:
    """Every shipped measurement by its number; read once a process."""
    return {row.key: row for row in read_rows(seed_data() / LATENCIES_FILE, COLUMNS)}


def latency_page(
    asked: Asked, key: str, words: ServingWords, latency: Latency, catalog: Catalog
) -> LatencyPage:
    """Everything the page of a measurement shows, in words.

    Raises
    ------
    KeyError : there is no such measurement among those that the score counts
    """
    one = next((one for one in asked.everything if one.run.id == key), None)
    if one is None:
        raise KeyError(key)
    run, row = one.run, printed_latencies()[key]
    title, case = words.title(run), published_serving(catalog).cases[key]
    return LatencyPage(
        faults=tuple(asked.query.faults.values()),
        id=key,
        tab=asked.subject.title,
        title=title,
        meta=(
            words.group("engine", run.engine),
            words.group("precision", run.precision),
            f"{run.input_tokens:,} in, {run.output_tokens:,} out",
            run.layout,
        ),
        held=one.held,
        back=asked.link(asked.subject.rows),
        key_figures=_key_figures(one),
        interval=spread_of(
            *(end / run.measured_ms - 1 for end in (run.low_ms, run.model_left_out_ms, run.high_ms))
        ),
        interval_says=_interval_says(run),
        fits=tuple(_fit_line(run, name, name == asked.basis.key) for name in SERVING_BASES),
        loads=_loads(asked, run),
        inputs=tuple(
            Given(label, f"{row.text(column)} {unit}".strip())
            for column, label, unit in INPUTS
            if row.text(column)
        ),
        assumed=(*run.assumed, *taken_for_granted(case, catalog)),
        source=Sources().cite(text=f"{LATENCIES_SOURCE}, Apache-2.0", url="", licence="", ship="facts_only"),
        explained=explained(
            lambda: scenario_of_latency(case, title, catalog), f"performance.{latency.time}", "s", catalog
        ),
    )


def _key_figures(one: Judged[ServedMeasurement]) -> tuple[KeyFigure, ...]:
    run = one.run
    interval = f"{milliseconds(run.low_ms)} to {milliseconds(run.high_ms)}"
    return (
        KeyFigure("Measured", Shown(milliseconds(run.measured_ms), MILLISECONDS), ""),
        KeyFigure("Predicted", Shown(milliseconds(one.predicted), MILLISECONDS), ""),
        KeyFigure("Error", Shown(signed_percent(one.error)), "predicted over measured, less one"),
        KeyFigure(
            "80 % interval",
            Shown(interval, MILLISECONDS),
            "holds the measurement" if one.held else "misses the measurement",
        ),
    )


def _interval_says(run: ServedMeasurement) -> str:
    return (
        f"Predicted without its model: {milliseconds(run.model_left_out_ms)} {MILLISECONDS}; by the errors of other "
        f"models left out, eight of ten from {milliseconds(run.low_ms)} to {milliseconds(run.high_ms)}; measured: "
        f"{milliseconds(run.measured_ms)}."
    )


def _fit_line(run: ServedMeasurement, name: str, current: bool) -> FitLine:
    predicted = SERVING_BASES[name].predicted(run)
    error = signed_percent(predicted / run.measured_ms - 1)
    return FitLine(SERVING_BASES[name].name, milliseconds(predicted), error, current)


def _loads(asked: Asked, run: ServedMeasurement) -> tuple[LoadLine, ...]:
    """The curve that the measurement is a point of."""
    alike = [one for one in asked.everything if one.run.deployment == run.deployment]
    return tuple(
        LoadLine(
            load=number(one.run.concurrency),
            link=asked.link(f"{asked.subject.rows}/{one.run.id}"),
            measured=milliseconds(one.run.measured_ms),
            predicted=milliseconds(one.predicted),
            error=signed_percent(one.error),
            current=one.run.id == run.id,
        )
        for one in sorted(alike, key=lambda one: one.run.concurrency)
    )
