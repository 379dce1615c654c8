"""Validation overview page: key figures, charts, the largest misses and errors by group; and all as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from app.charts import Figure
from app.charts.error_spread import STEP_PCT, error_spread_figure
from app.charts.format import THIN_SPACE, Shown, number, signed_percent
from app.charts.forms import SYMBOLS
from app.charts.predicted_measured import Point, Series, predicted_measured_figure
from app.surfaces.pages.catalog.browse import Header, headers_of
from app.surfaces.pages.catalog.filters import ROWS_PER_PAGE
from app.surfaces.pages.validation.asked import (
    BASIS,
    Asked,
    Filters,
    Switch,
    asked_text,
    count_text,
    filters,
    switches,
)
from app.validation.judged import (
    AIMED_COVERAGE,
    Judged,
    Summary,
    common_trait,
    groups,
    judged,
    largest_misses,
    summary_of,
)

SCALE = 0.4
"""The mark spans this error to both sides."""


class Spread(NamedTuple):
    """Places from 0 to 100 on the mark, and the same in words."""

    low: float
    middle: float
    high: float
    text: str


def spread_of(low: float, middle: float, high: float) -> Spread:
    """The mark of errors, as fractions; what lies beyond the scale ends at it.

    >>> spread_of(-0.2, 0.0, 0.9)[:3]
    (25.0, 50.0, 100.0)
    """
    text = f"{signed_percent(low)} to {signed_percent(high)}"
    return Spread(_place(low), _place(middle), _place(high), text)


def _place(error: float) -> float:
    return round(50 + 50 * max(-1.0, min(1.0, error / SCALE)), 2)


class Line(NamedTuple):
    """A group of measurements in an error table."""

    name: str
    link: str
    runs: str
    median: str
    p90: str
    bias: str
    spread: Spread


class ErrorTable(NamedTuple):
    id: str
    title: str
    first: str  # header of the first column
    lines: tuple[Line, ...]


def fits_table(asked: Asked) -> ErrorTable:
    """The measurements asked for by every fit, and with every source counting the same."""
    runs = [one.run for one in asked.found]
    lines = []
    for basis in asked.subject.bases.values():
        again = judged(runs, basis)
        link = asked.link(asked.subject.overview, basis=basis.key)
        lines.append(_line(basis.name, link, summary_of(again)))
        lines.append(
            _line(f"{asked.subject.families} weighted equally", "", summary_of(again, sources_equal=True))
        )
    return ErrorTable("fits", "By fitted data", "Fit", tuple(line for line in lines if line))


def group_table(asked: Asked, name: str) -> ErrorTable:
    """The measurements asked for by the groups of a grouping."""
    grouping = asked.subject.groupings[name]
    lines = [
        _line(
            asked.words.group(name, group.name),
            asked.link(asked.subject.rows, **{name: group.name}),
            summary_of(group.members),
        )
        for group in groups(asked.found, grouping)
    ]
    title = f"By {grouping.title.lower()}"
    return ErrorTable(name, title, grouping.title, tuple(line for line in lines if line))


def share_text(fraction: float, digits: int = 1) -> str:
    """A fraction as a percentage with decimals that stand below one another.

    >>> share_text(0.0756).replace(THIN_SPACE, " ")
    '7.6 %'
    """
    return f"{100 * fraction:.{digits}f}{THIN_SPACE}%"


def _line(name: str, link: str, summary: Summary | None) -> Line | None:
    if summary is None:
        return None
    return Line(
        name=name,
        link=link,
        runs=f"{summary.runs:,}",
        median=share_text(summary.median_abs_error),
        p90=share_text(summary.p90_abs_error),
        bias=signed_percent(summary.bias),
        spread=spread_of(summary.low_error, summary.bias, summary.high_error),
    )


def scatter(asked: Asked) -> Figure:
    """Predicted vs measured; a series keeps its marker, whatever is shown."""
    words, subject = asked.words, asked.subject
    series = _series(subject.series(one.run, words) for one in asked.everything)
    names = {one.name for one in series}
    named = subject.worth_naming(asked.found)
    points = [
        Point(
            key=one.run.id,
            name=subject.call(one.run, words),
            series=own if (own := subject.series(one.run, words)) in names else series[-1].name,
            measured=one.run.measured,
            predicted=one.predicted,
            named=one.run.id in named,
        )
        for one in asked.found
    ]
    points.sort(key=lambda point: not point.named)
    caption = f"Each is predicted {asked.basis.says}. The dotted lines are 20{THIN_SPACE}% off."
    return predicted_measured_figure(points, series, caption=caption, subject=subject.chart)


def spread(asked: Asked) -> Figure:
    """How the errors are spread."""
    caption = f"Predicted over measured, less one; each bar is {STEP_PCT} percentage points wide."
    return error_spread_figure(
        [one.error for one in asked.found],
        caption=caption,
        noun=asked.subject.noun,
        above=asked.subject.chart.above,
    )


def _series(every: Iterable[str]) -> tuple[Series, ...]:
    """Colours from the series with most measurements on; where there are more than colours, the rest share one."""
    names = [name for name, _ in Counter(every).most_common()]
    slots = list(SYMBOLS)
    if len(names) > len(slots):
        names = [*names[: len(slots) - 1], "Other"]
    return tuple(Series(name, slot) for name, slot in zip(names, slots, strict=False))


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
        f"{asked.subject.measured.format(f'{summary.runs:,}')}, predicted {asked.basis.says}: half "
        f"fall within {share_text(summary.median_abs_error)} of what was measured, 90 % within "
        f"{share_text(summary.p90_abs_error, 0)}."
    )


def _key_figures(asked: Asked, summary: Summary | None) -> tuple[KeyFigure, ...]:
    if summary is None:
        return ()
    aim = f"{100 * AIMED_COVERAGE:.0f}{THIN_SPACE}%"
    return (
        KeyFigure(f"Published {asked.subject.noun}", Shown(f"{summary.runs:,}"), ""),
        KeyFigure("Median error", Shown(f"{100 * summary.median_abs_error:.1f}", "%"), ""),
        KeyFigure("90th percentile error", Shown(f"{100 * summary.p90_abs_error:.1f}", "%"), ""),
        KeyFigure("Interval coverage", Shown(f"{100 * summary.held:.0f}", "%"), f"aim {aim}"),
    )


def _miss(asked: Asked, one: Judged[Any]) -> Miss:
    return Miss(
        title=asked.subject.call(one.run, asked.words),
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


class ShownRun(NamedTuple):
    link: str
    name: str
    beside: str
    cells: tuple[tuple[str, bool], ...]  # text, numeric


class Runs(NamedTuple):
    kind: str
    title: str
    noun: str
    unit: str
    action: str  # address of the page
    switches: tuple[Switch, ...]
    filters: Filters
    faults: tuple[str, ...]
    basis_says: str
    headers: tuple[Header, ...]
    rows: tuple[ShownRun, ...]
    count_text: str
    asked: str
    narrows: bool
    clear: str
    overview: str
    previous: str
    following: str
    page: int
    pages: int


def runs_page(asked: Asked) -> Runs:
    """Everything the page shows, in words."""
    query, found, path = asked.query, asked.found, asked.subject.rows
    pages = max(1, -(-len(found) // ROWS_PER_PAGE))
    page = min(query.page, pages)
    faults = dict(query.faults)
    if query.page > pages:
        faults["page"] = f"There is no page {query.page:,}; the last is {pages}."
    start = (page - 1) * ROWS_PER_PAGE
    shown = found[start : start + ROWS_PER_PAGE]
    return Runs(
        kind=asked.subject.kind,
        title=asked.subject.title,
        noun=asked.subject.noun,
        unit=asked.subject.unit,
        action=path,
        switches=switches(asked, path),
        filters=filters(asked, kept=(BASIS, "sort", "order")),
        faults=tuple(faults.values()),
        basis_says=f"Each is predicted {asked.basis.says}.",
        headers=headers_of(asked.table, query, path),
        rows=_rows(asked, [one.run.id for one in shown]),
        count_text=_count_text(asked, start, len(shown)),
        asked=asked_text(asked),
        narrows=query.narrows,
        clear=asked.without_filters(path),
        overview=asked.link(asked.subject.overview),
        previous=query.link(path, page=str(page - 1) if page > 2 else "") if page > 1 else "",
        following=query.link(path, page=str(page + 1)) if page < pages else "",
        page=page,
        pages=pages,
    )


def _count_text(asked: Asked, start: int, shown: int) -> str:
    found = len(asked.found)
    return (
        f"{start + 1:,} to {start + shown:,} of {found:,} {asked.subject.noun}"
        if shown < found
        else count_text(asked)
    )


def _rows(asked: Asked, keys: list[str]) -> tuple[ShownRun, ...]:
    rows = {row.key: row for row in asked.table.rows}
    return tuple(
        ShownRun(
            link=asked.link(f"{asked.subject.rows}/{key}"),
            name=rows[key].name,
            beside=rows[key].beside,
            cells=tuple(
                (rows[key].cells[column.name].text, column.numeric) for column in asked.table.columns
            ),
        )
        for key in keys
    )
