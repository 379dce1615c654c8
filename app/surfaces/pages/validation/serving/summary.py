"""How right served models are, as one page: every score, what they rest on, and what is left out."""

from __future__ import annotations

from typing import NamedTuple

from app.surfaces.pages.validation.figures import percent_figure, percent_text
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.serving.overview import caution_of, refitted_text
from app.surfaces.pages.validation.serving.scores import ScoreLine, score_by, score_line, share_of
from app.surfaces.pages.validation.serving.subject import LATENCIES
from app.validation.serving.published import BY_MODEL, SERVING_BASES, PublishedServing, constants_by_owner
from app.validation.serving.report import Score
from app.validation.serving.study import NOTES
from app.validation.study import Report

BESIDE = {
    "ttft_above_128": "Time to first token above 128 in flight, not to be trusted",
    "ttft_disaggregated": "Time to first token, disaggregated",
    "tpot_disaggregated_guessed": "Time per token, disaggregated, layout or load guessed",
    "tpot_every_row": "Time per token, repeats counted as often as they are filed",
}
"""Scores that are no aim, and are shown to be seen."""


class ScoredLatency(NamedTuple):
    name: str
    address: str
    lines: tuple[ScoreLine, ...]


class LeftOutLine(NamedTuple):
    """Rows that a score does not count."""

    reason: str
    rows: str
    which: str  # their numbers in the file, "" where the count says enough


class ServingSummary(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    scored: tuple[ScoredLatency, ...]
    beside: tuple[ScoreLine, ...]
    caution: str
    refitted: str
    constants: str
    owners: tuple[tuple[str, str], ...]
    left_out: tuple[LeftOutLine, ...]
    newer: tuple[str, ...]


def serving_summary(published: PublishedServing, throughputs: Report) -> ServingSummary:
    """Everything the page shows, in words."""
    report = published.report
    owners = constants_by_owner()
    return ServingSummary(
        lead=(
            f"{report.rows:,} published measurements of served models, of which {report.scored:,} can be compared and "
            f"{len(report.predictions):,} are predicted. A measurement that is filed several times counts once, and every "
            "family of models counts the same."
        ),
        key_figures=_key_figures(published, throughputs),
        scored=tuple(
            ScoredLatency(
                latency.tab,
                latency.address,
                tuple(
                    score_line(
                        basis.name,
                        score_by(published.measurements[name], basis),
                        link=f"{latency.address}?basis={basis.key}",
                    )
                    for basis in SERVING_BASES.values()
                ),
            )
            for name, latency in LATENCIES.items()
        ),
        beside=tuple(score_line(BESIDE[name], _score(published, name)) for name in NOTES),
        caution=caution_of(published),
        refitted=refitted_text(published),
        constants=(
            f"{sum(owners.values())} constants are fitted to these latencies and throughputs. They belong to hardware, "
            "engine and precision; none belongs to a model."
        ),
        owners=tuple((f"{owner[:1].upper()}{owner[1:]}", f"{count}") for owner, count in owners.items()),
        left_out=_left_out(published),
        newer=report.newer,
    )


def _key_figures(published: PublishedServing, throughputs: Report) -> tuple[KeyFigure, ...]:
    figures = []
    for name, latency in LATENCIES.items():
        score = score_by(published.measurements[name], BY_MODEL)
        beside = (
            f"{share_of(getattr(score, latency.near))} {latency.near_name[:1].lower()}{latency.near_name[1:]}"
        )
        figures.append(
            KeyFigure(f"{latency.tab}, median error", percent_figure(score.median_abs_error), beside)
        )
    totals = throughputs.totals
    beside = f"nine of ten within {percent_text(totals.p90_abs_error)}"
    return (*figures, KeyFigure("Throughput, median error", percent_figure(totals.median_abs_error), beside))


def _score(published: PublishedServing, name: str) -> Score:
    found = published.report.extra[name]
    return Score(**{field: found[field] for field in Score.__dataclass_fields__})


def _left_out(published: PublishedServing) -> tuple[LeftOutLine, ...]:
    extra = published.report.extra
    cold = published.cold_starts
    return (
        *(
            LeftOutLine(f"Not compared: {one.reason}", f"{len(one.rows):,}", ", ".join(one.rows))
            for one in published.unscored
        ),
        *(
            LeftOutLine(f"Not predicted: {one.reason}", f"{len(one.rows):,}", ", ".join(one.rows))
            for one in published.unsupported
        ),
        LeftOutLine("Repeats of a measurement that counts already", f"{published.repeats:,}", ""),
        LeftOutLine(
            "Time to first token alone: cold starts, whose first tokens waited for compilation or loading",
            f"{len(cold):,}",
            ", ".join(cold),
        ),
        LeftOutLine(
            "Time to first token alone: more than 128 requests in flight",
            f"{extra['ttft_above_128']['rows']:,}",
            "",
        ),
        LeftOutLine(
            "Disaggregated: counts of prefill and decode instances, or requests in flight, are not published and were "
            "guessed",
            f"{extra['tpot_disaggregated_guessed']['rows']:,}",
            "",
        ),
    )
