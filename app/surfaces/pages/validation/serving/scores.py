"""Tables of errors of latencies, each model counting the same, with models and systems left out beside the fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.charts.format import signed_percent
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.errors import share_text
from app.surfaces.pages.validation.figures import NOTHING, percent_text
from app.surfaces.pages.validation.serving.subject import Latency
from app.validation.judged import Basis, groups, judged
from app.validation.serving.published import SERVING_BASES, ServedMeasurement
from app.validation.serving.report import Score, score_of


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
