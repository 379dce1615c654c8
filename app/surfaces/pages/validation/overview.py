"""How right the engine is, as a page: key figures, charts, the largest misses, and errors by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import Figure
from app.charts.format import THIN_SPACE, Shown, number, signed_percent
from app.surfaces.pages.validation.asked import (
    Asked,
    Filters,
    Switch,
    asked_text,
    count_text,
    filters,
    switches,
)
from app.surfaces.pages.validation.charts import scatter, spread
from app.surfaces.pages.validation.errors import ErrorTable, fits_table, group_table, share_text
from app.validation.judged import AIMED_COVERAGE, Judged, Summary, common_trait, largest_misses, summary_of

MISSES = 6


class KeyFigure(NamedTuple):
    """A figure in large type, with what stands under it."""

    label: str
    shown: Shown
    beside: str


class Miss(NamedTuple):
    title: str
    link: str
    measured: str
    predicted: str
    error: str


class Overview(NamedTuple):
    kind: str
    address: str
    rows_address: str
    noun: str
    unit: str
    lead: str
    switches: tuple[Switch, ...]
    filters: Filters
    faults: tuple[str, ...]
    count_text: str
    found: int
    asked: str
    narrows: bool
    clear: str
    key_figures: tuple[KeyFigure, ...]
    charts: tuple[Figure, ...]  # predicted against measured, distribution of error
    misses: tuple[Miss, ...]
    misses_say: str
    runs_link: str
    fits: ErrorTable
    tables: tuple[ErrorTable, ...]


def overview(asked: Asked) -> Overview:
    """Everything the page shows, in words; where nothing is asked for, its tables are empty."""
    found, query = asked.found, asked.query
    misses = largest_misses(found, MISSES)
    return Overview(
        kind=asked.subject.kind,
        address=asked.subject.overview,
        rows_address=asked.subject.rows,
        noun=asked.subject.noun,
        unit=asked.subject.unit,
        lead=_lead(asked),
        switches=switches(asked, asked.subject.overview),
        filters=filters(asked),
        faults=tuple(query.faults.values()),
        count_text=count_text(asked),
        found=len(found),
        asked=asked_text(asked),
        narrows=query.narrows,
        clear=asked.clear,
        key_figures=_key_figures(asked, summary_of(found)),
        charts=(scatter(asked), spread(asked)),
        misses=tuple(_miss(asked, one) for one in misses),
        misses_say=_misses_say(asked, misses),
        runs_link=asked.link(asked.subject.rows),
        fits=fits_table(asked),
        tables=tuple(group_table(asked, name) for name in asked.subject.groupings),
    )


def _lead(asked: Asked) -> str:
    summary = summary_of(asked.everything)
    if summary is None:
        return "No measurement is installed to hold the engine against."
    return (
        f"{asked.subject.measured.format(f'{summary.runs:,}')}, predicted {asked.basis.says}: half of them "
        f"fall within {share_text(summary.median_abs_error)} of what was measured, nine in ten within "
        f"{share_text(summary.p90_abs_error, 0)}."
    )


def _key_figures(asked: Asked, summary: Summary | None) -> tuple[KeyFigure, ...]:
    if summary is None:
        return ()
    aim = f"{100 * AIMED_COVERAGE:.0f}{THIN_SPACE}%"
    return (
        KeyFigure(f"Published {asked.subject.noun}", Shown(f"{summary.runs:,}"), ""),
        KeyFigure("Median error", Shown(f"{100 * summary.median_abs_error:.1f}", "%"), ""),
        KeyFigure("Nine of ten within", Shown(f"{100 * summary.p90_abs_error:.1f}", "%"), ""),
        KeyFigure("Intervals that hold the truth", Shown(f"{100 * summary.held:.0f}", "%"), f"aim {aim}"),
    )


def _miss(asked: Asked, one: Judged[Any]) -> Miss:
    return Miss(
        title=asked.words.title(one.run),
        link=asked.link(f"{asked.subject.rows}/{one.run.id}"),
        measured=number(float(f"{one.run.measured:.3g}")),
        predicted=number(float(f"{one.predicted:.3g}")),
        error=signed_percent(one.error),
    )


def _misses_say(asked: Asked, misses: Sequence[Judged[Any]]) -> str:
    if not misses:
        return ""
    trait = None
    if len(misses) < len(asked.found):
        trait = common_trait(misses, asked.found, asked.subject.groupings.values())
    if trait is None:
        return f"The furthest off is {signed_percent(misses[0].error)}."
    name = asked.words.group(trait.grouping, trait.group)
    shared = asked.subject.shared[trait.grouping].format(
        name.lower() if trait.grouping in ("architecture", "collective") else name
    )
    return f"{trait.misses} of the {len(misses)} worst {shared}, as {share_text(trait.share_of_all, 0)} of all did."
