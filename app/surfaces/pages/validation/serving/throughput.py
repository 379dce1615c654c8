"""Published throughputs of served models beside ours as a page: source by source, idealised ones labelled."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from app.charts.format import Shown, number, signed_percent
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.serving.words import ServingWords
from app.surfaces.pages.validation.single_figures import ErrorLine, error_line, percent_figure, percent_text
from app.validation.serving.throughput import PublishedThroughput, PublishedThroughputs
from app.validation.study import Errors, LeftOut, Row, errors_of, grouped

TABLES = (("model", "Model"), ("system", "System"), ("precision", "Precision"), ("metric", "Metric"))
SOURCE = "Source"


class ThroughputLine(NamedTuple):
    """A published figure, and what opens under it."""

    anchor: str
    what: str
    label: str  # why it is not scored
    published: str
    ours: str
    difference: str
    said: tuple[tuple[str, str], ...]  # label, text


class ThroughputGroup(NamedTuple):
    title: str
    anchor: str
    lines: tuple[ThroughputLine, ...]


class ErrorTable(NamedTuple):
    title: str
    first: str
    lines: tuple[ErrorLine, ...]


class ThroughputOverview(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    tables: tuple[ErrorTable, ...]
    groups: tuple[ThroughputGroup, ...]
    left_out: tuple[tuple[str, str], ...]
    unscored: tuple[tuple[str, str], ...]


def throughput_overview(found: PublishedThroughputs, words: ServingWords) -> ThroughputOverview:
    """Everything the page shows, in words."""
    report = found.report
    totals, by_row = report.totals, errors_of(report.predictions)
    idealised = sum(bool(one.label) for one in found.figures)
    return ThroughputOverview(
        lead=(
            f"{len(report.predictions)} of {report.scored} published throughputs and latencies of served models, each "
            "computed in the unit of its source. Every source counts the same. "
            f"{idealised} more are idealised, with perfect balance over the experts: they stand beside what would be "
            "served, and are not scored."
        ),
        key_figures=(
            KeyFigure(
                "Figures computed", Shown(f"{len(report.predictions)}"), f"of {report.scored} compared"
            ),
            KeyFigure("Median error", percent_figure(totals.median_abs_error), "sources weighted equally"),
            KeyFigure("Nine of ten within", percent_figure(totals.p90_abs_error), "sources weighted equally"),
            KeyFigure(
                "By row",
                percent_figure(by_row.median_abs_error),
                f"median error; nine of ten within {percent_text(by_row.p90_abs_error)}",
            ),
        ),
        tables=(
            ErrorTable(
                "Error by source",
                SOURCE,
                tuple(
                    error_line(name, Errors(**errors))
                    for name, errors in grouped(report.predictions, lambda one: one.family).items()
                ),
            ),
            *(_table(found, name, title, words) for name, title in TABLES),
        ),
        groups=_groups(found, words),
        left_out=tuple(_left_out(one) for one in found.unsupported),
        unscored=tuple(_left_out(one) for one in found.unscored),
    )


def _table(found: PublishedThroughputs, name: str, title: str, words: ServingWords) -> ErrorTable:
    return ErrorTable(
        f"Error by {title.lower()}",
        title,
        tuple(
            error_line(words.group(name, member), Errors(**errors))
            for member, errors in grouped(found.report.predictions, lambda one: one.groups[name]).items()
        ),
    )


def _groups(found: PublishedThroughputs, words: ServingWords) -> tuple[ThroughputGroup, ...]:
    by_source = sorted(found.figures, key=lambda one: one.source)
    return tuple(
        ThroughputGroup(source, f"source-{place}", tuple(_line(one) for one in members))
        for place, (source, members) in enumerate(groupby(by_source, key=lambda one: one.source), start=1)
    )


def _line(one: PublishedThroughput) -> ThroughputLine:
    row = one.row
    lengths = (row.text("isl"), row.text("osl"))
    said = {
        "Not scored": one.label,
        "Engine": row.text("engine"),
        "Precision": row.text("precision"),
        "Tokens in, out": ", ".join(text or "not stated" for text in lengths) if any(lengths) else "",
        "In flight": row.text("concurrency_or_batch"),
        "Conditions": row.text("conditions"),
        "Taken for granted": "; ".join(one.assumed),
        "Source": row.text("source"),
    }
    return ThroughputLine(
        anchor=row.key,
        what=f"{_name(row)}: {row.text('metric')}",
        label="idealised" if one.label else "",
        published=number(float(f"{one.measured:.4g}")),
        ours=number(float(f"{one.predicted:.4g}")),
        difference=signed_percent(one.error),
        said=tuple((label, text) for label, text in said.items() if text),
    )


def _left_out(one: LeftOut) -> tuple[str, str]:
    return f"{_name(one.row)}: {one.row.text('metric')}", one.reason


def _name(row: Row) -> str:
    """What was served, and on what; hardware is named as its source does."""
    count = row.text("n")
    accelerators = f"{count} accelerator{'' if count == '1' else 's'}" if count else ""
    lengths = tuple(text for name in ("isl", "osl") if (text := row.text(name)))
    return ", ".join(
        text
        for text in (
            row.text("model"),
            row.text("hardware"),
            accelerators,
            f"{lengths[0]} in, {lengths[1]} out" if len(lengths) == 2 else "",
        )
        if text
    )
