"""How right a latency is, as a page: key figures, charts, the largest misses, and scores of every fit by group."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.format import THIN_SPACE, Shown
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.figures import percent_figure, percent_text
from app.surfaces.pages.validation.overview import KeyFigure, Overview, overview
from app.surfaces.pages.validation.serving.scores import (
    GroupScores,
    ScoreLine,
    fit_lines,
    group_scores,
    score_by,
    share_of,
)
from app.surfaces.pages.validation.serving.subject import Latency
from app.validation.judged import AIMED_COVERAGE, judged
from app.validation.serving.cases import MODEL, SYSTEM
from app.validation.serving.published import SERVING_BASES, PublishedServing


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
    """What is said of times to the first token under heavy load."""
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
        f"{latency.measured.format(f'{score.rows:,}')}, predicted {asked.basis.says}: half of them fall within "
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
        KeyFigure("Intervals that hold the truth", Shown(f"{100 * held:.0f}", "%"), aim),
    )
