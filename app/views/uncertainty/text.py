"""Uncertainty report as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.charts.format import percent, show_at
from app.views.table import UNKNOWN, Column, number, text_rows, text_table
from app.views.uncertainty.report import Information, UncertainFigure, UncertaintyReport

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
    Column("as it stands", _of_figure("point"), width=14),
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
    """Percentiles, probabilities, what matters, and what knowing an input is worth."""
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
                f"Worth of knowing: {worth[0].decision}",
                lambda one: labels.get(one.place, "Everything")[:51],
                width=-52,
            ),
            Column("USD", "value_usd", number, 14),
        )
        yield ""
        yield from text_table(columns, worth)
