"""Validation pages of served models: every score, what they rest on, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.charts.format import THIN_SPACE, Shown, signed_percent
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.figures import NOTHING, percent_figure, percent_text
from app.surfaces.pages.validation.overview import KeyFigure, Overview, overview, share_text
from app.surfaces.pages.validation.subjects import LATENCIES, Latency
from app.validation.judged import AIMED_COVERAGE, Basis, groups, judged
from app.validation.serving.cases import MODEL, SYSTEM
from app.validation.serving.published import (
    BY_MODEL,
    SERVING_BASES,
    PublishedServing,
    ServedMeasurement,
    constants_by_owner,
)
from app.validation.serving.report import Score, score_of
from app.validation.serving.study import NOTES
from app.validation.study import Report


class ScoreLine(NamedTuple):
    """A score; shares as texts."""

    name: str
    link: str
    current: bool
    rows: str
    median: str
    third: str
    double: str
    bias: str


class Beside(NamedTuple):
    """What one fit says of a group."""

    median: str
    near: str


class GroupLine(NamedTuple):
    name: str
    link: str
    rows: str
    fits: tuple[Beside, ...]


class GroupScores(NamedTuple):
    id: str
    title: str
    first: str  # header of the first column
    lines: tuple[GroupLine, ...]


def score_by(members: Sequence[ServedMeasurement], basis: Basis[ServedMeasurement]) -> Score:
    """The score of some measurements by a fit, each family of models counting the same."""
    return score_of([one.prediction for one in judged(members, basis)])


def fit_lines(asked: Asked) -> tuple[ScoreLine, ...]:
    """The measurements asked for, by every fit."""
    members = [one.run for one in asked.found]
    return tuple(
        score_line(
            basis.name,
            score_by(members, basis),
            link=asked.link(asked.subject.overview, basis=basis.key),
            current=basis is asked.basis,
        )
        for basis in SERVING_BASES.values()
    )


def score_line(name: str, score: Score, *, link: str = "", current: bool = False) -> ScoreLine:
    """A score in words."""
    return ScoreLine(
        name=name,
        link=link,
        current=current,
        rows=f"{score.rows:,}",
        median=percent_text(score.median_abs_error),
        third=share_of(score.within_33_pct),
        double=share_of(score.within_2x),
        bias=NOTHING if score.bias is None else signed_percent(score.bias),
    )


def group_scores(asked: Asked, name: str, latency: Latency) -> GroupScores:
    """The measurements asked for by the groups of a grouping, every fit beside the others."""
    grouping = asked.subject.groupings[name]
    return GroupScores(
        id=name,
        title=f"By {grouping.title.lower()}",
        first=grouping.title,
        lines=tuple(
            GroupLine(
                name=asked.words.group(name, group.name),
                link=asked.link(asked.subject.rows, **{name: group.name}),
                rows=f"{len(group.members):,}",
                fits=tuple(
                    _beside(score_by([one.run for one in group.members], basis), latency)
                    for basis in SERVING_BASES.values()
                ),
            )
            for group in groups(asked.found, grouping)
        ),
    )


def share_of(value: float | None) -> str:
    """A share of measurements, without decimals."""
    return NOTHING if value is None else share_text(value, 0)


def _beside(score: Score, latency: Latency) -> Beside:
    return Beside(percent_text(score.median_abs_error), share_of(getattr(score, latency.near)))


class LatencyErrors(NamedTuple):
    """What the page shows beside the parts that it shares with those of other kinds."""

    score: str
    shared: Overview
    lead: str
    key_figures: tuple[KeyFigure, ...]
    fit_names: tuple[str, ...]
    near_name: str
    fits: tuple[ScoreLine, ...]
    tables: tuple[GroupScores, ...]
    refitted: str
    caution: str


def latency_errors(asked: Asked, latency: Latency, published: PublishedServing) -> LatencyErrors:
    """Everything the page shows, in words."""
    return LatencyErrors(
        score=latency.score,
        shared=overview(asked),
        lead=_lead(asked, latency),
        key_figures=_key_figures(asked, latency),
        fit_names=tuple(basis.name for basis in SERVING_BASES.values()),
        near_name=latency.near_name,
        fits=fit_lines(asked),
        tables=tuple(group_scores(asked, name, latency) for name in asked.subject.groupings),
        refitted=refitted_text(published),
        caution=caution_of(published) if latency.score == "ttft" else "",
    )


def refitted_text(published: PublishedServing) -> str:
    """What the constants were fitted without, in a sentence."""
    models, systems = (len(published.refitted[name]) for name in (MODEL, SYSTEM))
    if not models and not systems:
        return (
            "No constants are installed that were fitted without a model or a system: "
            "predictions with one left out are those of the fit."
        )
    return (
        f"The constants were fitted again without each of {models} models and each of {systems} systems; "
        "every measurement of one is then predicted by constants that have not seen it."
    )


def caution_of(published: PublishedServing) -> str:
    """Report of times to the first token under heavy load."""
    above = published.report.extra["ttft_above_128"]
    return (
        "A predicted time to the first token is not to be trusted above 128 requests in flight: how the burst of a "
        f"benchmark starts decides there, and that is not published. Of {above['rows']:,} such measurements, which no "
        f"score counts, half are within {percent_text(above['median_abs_error'])} and "
        f"{share_of(above['within_2x'])} within a factor of 2."
    )


def _lead(asked: Asked, latency: Latency) -> str:
    members = [one.run for one in asked.everything]
    if not members:
        return "No measurement is installed to hold the engine against."
    score = score_by(members, asked.basis)
    return (
        f"{latency.measured.format(f'{score.rows:,}')}, predicted {asked.basis.says}: half fall within "
        f"{percent_text(score.median_abs_error)} of what was measured, {share_of(getattr(score, latency.near))} "
        f"{latency.near_name[:1].lower()}{latency.near_name[1:]}. Every model counts the same."
    )


def _key_figures(asked: Asked, latency: Latency) -> tuple[KeyFigure, ...]:
    if not asked.found:
        return ()
    members = [one.run for one in asked.found]
    score = score_by(members, asked.basis)
    held = sum(one.held for one in judged(members, asked.basis)) / len(members)
    aim = f"aim {100 * AIMED_COVERAGE:.0f}{THIN_SPACE}%"
    return (
        KeyFigure("Distinct measurements", Shown(f"{score.rows:,}"), ""),
        KeyFigure("Median error", percent_figure(score.median_abs_error), "every model the same"),
        KeyFigure(latency.near_name, percent_figure(getattr(score, latency.near)), "every model the same"),
        KeyFigure("Interval coverage", Shown(f"{100 * held:.0f}", "%"), aim),
    )


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
        key_figures=_summary_figures(published, throughputs),
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


def _summary_figures(published: PublishedServing, throughputs: Report) -> tuple[KeyFigure, ...]:
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
    beside = f"90 % within {percent_text(totals.p90_abs_error)}"
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
        LeftOutLine("Repeats of a counted measurement", f"{published.repeats:,}", ""),
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
