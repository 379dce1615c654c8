"""One published run as a page: what its source says, what the engine says, and why."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.validated_runs import ValidatedRun, validated_runs
from app.charts.format import Shown, number, show, signed_percent
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.explained import Explained, explained
from app.surfaces.pages.validation.inputs import InputGroup, assumed_text, input_groups
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.spread import Spread, spread_of
from app.surfaces.pages.validation.subject import TRAINING
from app.validation.judged import BASES, Judged
from app.validation.study import Row
from app.validation.training.study import neighbours, printed_runs, scenario_of_run

SPEED = "tokens/s"
SPEED_PATH = "performance.tokens_per_s_per_accelerator"
NEIGHBOURS = 6


class FitLine(NamedTuple):
    name: str
    predicted: str
    error: str
    current: bool


class NeighbourLine(NamedTuple):
    title: str
    link: str
    distance: str
    measured: str
    error: str


class RunPage(NamedTuple):
    faults: tuple[str, ...]
    id: str
    title: str
    meta: tuple[str, ...]
    held: bool
    back: str
    key_figures: tuple[KeyFigure, ...]
    interval: Spread
    interval_says: str
    fits: tuple[FitLine, ...]
    inputs: tuple[InputGroup, ...]
    assumed: tuple[str, ...]
    note: str
    source: Source
    neighbours: tuple[NeighbourLine, ...]
    explained: Explained


def run_page(asked: Asked, key: str, catalog: Catalog) -> RunPage:
    """Everything the page of a run shows, in words.

    Raises
    ------
    KeyError : there is no such run
    """
    one = next((one for one in asked.everything if one.run.id == key), None)
    if one is None:
        raise KeyError(key)
    run, row = one.run, printed_runs()[key]
    title = asked.words.title(run)
    return RunPage(
        faults=tuple(asked.query.faults.values()),
        id=key,
        title=title,
        meta=_meta(asked, run),
        held=one.held,
        back=asked.link(TRAINING.rows),
        key_figures=_key_figures(one),
        interval=spread_of(*(run_error(run, value) for value in _interval(run))),
        interval_says=_interval_says(run),
        fits=tuple(_fit_line(run, name, name == asked.basis.key) for name in BASES),
        inputs=input_groups(row),
        assumed=tuple(assumed_text(line) for line in run.assumed),
        note=row.text("note"),
        source=_source(row),
        neighbours=tuple(
            NeighbourLine(
                title=asked.words.title(near.run),
                link=asked.link(f"{TRAINING.rows}/{near.run.id}"),
                distance=f"{near.distance:.2f}",
                measured=number(near.run.measured_tokens_per_s),
                error=signed_percent(run_error(near.run, asked.basis.predicted(near.run))),
            )
            for near in neighbours(run, validated_runs(), NEIGHBOURS)
        ),
        explained=explained(lambda: scenario_of_run(row, title, catalog), SPEED_PATH, SPEED, catalog),
    )


def run_error(run: ValidatedRun, tokens_per_s: float) -> float:
    """A speed against the measured one, less one."""
    return tokens_per_s / run.measured_tokens_per_s - 1


def _meta(asked: Asked, run: ValidatedRun) -> tuple[str, ...]:
    names = [
        asked.words.group(name, getattr(run, name)) for name in ("architecture", "precision", "framework")
    ]
    return tuple(word for word in (*names, run.software_date) if word)


def _key_figures(one: Judged[ValidatedRun]) -> tuple[KeyFigure, ...]:
    low, _, high = _interval(one.run)
    return (
        KeyFigure("Measured", _speed(one.run.measured_tokens_per_s), "per accelerator"),
        KeyFigure("Predicted", _speed(one.predicted), "per accelerator"),
        KeyFigure("Error", Shown(signed_percent(one.error)), "predicted over measured, less one"),
        KeyFigure("80 % interval", Shown(f"{number(low)} to {number(high)}", SPEED), "holds the measurement" if one.held else "misses the measurement"),
    )  # fmt: skip


def _speed(value: float) -> Shown:
    return show(value, SPEED)


def _interval(run: ValidatedRun) -> tuple[float, float, float]:
    return run.low_tokens_per_s, run.left_out_tokens_per_s, run.high_tokens_per_s


def _interval_says(run: ValidatedRun) -> str:
    low, middle, high = _interval(run)
    return (
        f"Predicted without its source and its accelerator: {number(middle)} {SPEED}, eight of ten comparable runs from "
        f"{number(low)} to {number(high)}; measured: {number(run.measured_tokens_per_s)}."
    )


def _fit_line(run: ValidatedRun, name: str, current: bool) -> FitLine:
    predicted = BASES[name].predicted(run)
    return FitLine(BASES[name].name, number(predicted), signed_percent(run_error(run, predicted)), current)


def _source(row: Row) -> Source:
    place = row.text("url_or_repo_path")
    text = "; ".join(part for part in (row.text("source"), place) if part)
    return Sources().cite(text=text, url=repository_address(place), licence="", ship="facts_only")


def repository_address(text: str) -> str:
    """The address of a source that is given as "owner/repository path @commit"; "" for any other.

    >>> repository_address("NVIDIA/NeMo docs/performance.md @8e3d65d")
    'https://github.com/NVIDIA/NeMo/blob/8e3d65d/docs/performance.md'
    """
    found = re.match(r"([\w-]+/[\w.-]+) (?:([^\s{}]+) @([\w.]+)$)?", text)
    if found is None:
        return ""
    repository, path, commit = found.groups()
    address = f"https://github.com/{repository}"
    return f"{address}/blob/{commit}/{path}" if commit else address
