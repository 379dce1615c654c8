"""How sure the figures of a scenario are, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from app.charts.format import percent, show_at
from app.views.uncertainty.report import Information, Probability, UncertainFigure, UncertaintyReport

MOST_LINES = 12
UNKNOWN = "unknown"


def uncertainty_text(report: UncertaintyReport) -> str:
    """Percentiles, probabilities, what matters, and what knowing an input is worth."""
    labels = {one.place: one.label for one in report.inputs}
    lines = [
        report.matters,
        "",
        f"{'Figure':<52}{'as it stands':>14}{'P10':>14}{'P50':>14}{'P90':>14}",
        *(_figure(figure) for figure in report.figures),
        "",
        *(_probability(one) for one in report.probabilities),
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


def _figure(figure: UncertainFigure) -> str:
    values = (figure.point, figure.p10, figure.p50, figure.p90)
    return f"{figure.label[:51]:<52}{''.join(f'{_value(figure.path, value):>14}' for value in values)}"


def _probability(one: Probability) -> str:
    share = "no limit" if one.share is None else percent(one.share).text
    return f"{one.label:<52}{share:>14}  {one.said}"


def _moving(report: UncertaintyReport, labels: dict[str, str]) -> Iterator[str]:
    """What moves the main figure, which the first bars are of."""
    if not report.tornado:
        return
    main = report.tornado[0].figure
    label = next(figure.label for figure in report.figures if figure.path == main)
    shares = {one.place: one for one in report.sobol if one.figure == main}
    yield ""
    yield f"{'Moves ' + label[:45]:<52}{'at its low':>14}{'at its high':>14}{'alone':>14}{'in all':>14}"
    bars = [bar for bar in report.tornado if bar.figure == main]
    for bar in bars[:MOST_LINES]:
        share = shares.get(bar.place)
        parts = ("", "") if share is None else (_share(share.first), _share(share.total))
        yield (
            f"{labels[bar.place][:51]:<52}{_value(main, bar.at_low):>14}{_value(main, bar.at_high):>14}"
            f"{parts[0]:>14}{parts[1]:>14}"
        )
    if len(bars) > MOST_LINES:
        yield f"and {len(bars) - MOST_LINES} more that move it less"


def _worth(information: tuple[Information, ...], labels: dict[str, str]) -> Iterator[str]:
    worth = [one for one in information if one.value_usd >= 1][:MOST_LINES]
    if worth:
        yield ""
        yield f"{'Worth of knowing: ' + worth[0].decision:<52}{'USD':>14}"
    for one in worth:
        yield f"{labels.get(one.place, 'Everything')[:51]:<52}{one.value_usd:>14,.0f}"


def _share(value: float) -> str:
    """Estimates of what is next to nothing may come out below it."""
    return f"{max(value, 0.0):.3f}"


def _value(path: str, value: float | None) -> str:
    return UNKNOWN if value is None else show_at(path, value).text
