"""The answer to a question as a page: inputs, verdict, key figures, chart, and the way into the studio."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

from app.charts import Figure
from app.charts.format import Shown, show, show_at
from app.charts.question import question_figure
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document, build_scenario
from app.surfaces.pages.designs import Designs, begun
from app.surfaces.pages.intervals import ShownInterval, interval_of
from app.surfaces.pages.questions.form import Typed, typed_inputs
from app.views.questions.question import ANSWERS, AnswerFigure, Candidate, Question, QuestionAnswer
from app.views.view import Resources


class ShownFigure(NamedTuple):
    """A key figure; `address` explains it, "" where it is no figure of the evaluation."""

    label: str
    shown: Shown
    interval: ShownInterval | None
    address: str


class ShownCandidate(NamedTuple):
    name: str
    chosen: bool
    reason: str
    figures: tuple[ShownFigure, ...]
    address: str  # the studio with its scenario, "" where it cannot be described


class QuestionPage(NamedTuple):
    """`answer` is None where an input cannot be used, or while it is computed, which `pending` says.

    `refusals` are faults of no single input.
    """

    question: Question[Any]
    typed: Typed
    answer: QuestionAnswer | None
    figures: tuple[ShownFigure, ...]
    figure: Figure | None
    candidates: tuple[ShownCandidate, ...]
    studio: str
    refusals: tuple[str, ...]
    pending: bool


def question_page(
    question: Question[Any], query: QueryParams, designs: Designs, *, wait: bool
) -> QuestionPage:
    """A question with what an address has typed into its inputs, answered where it can be.

    Parameters
    ----------
    wait : whether an answer that is not at hand is computed
    """
    catalog = designs.catalog()
    typed = typed_inputs(question, query, catalog, designs.choices())
    answer: QuestionAnswer | None = None
    refusals: list[str] = []
    if not typed.refused:
        resources = Resources(catalog=catalog, evaluated=designs.scenario, searches=designs.searches)
        try:
            asked = build_document(question.options, typed.values)
            answer = (ANSWERS.of if wait else ANSWERS.at_hand)(question, asked, resources)
        except ScenarioError as error:
            typed, refusals = typed.with_errors(error.errors)
    studio = _studio(answer.scenario) if answer else ""
    return QuestionPage(
        question=question,
        typed=typed,
        answer=answer,
        figures=tuple(_shown(one, studio) for one in answer.figures) if answer else (),
        figure=question_figure(answer.chart) if answer and answer.chart else None,
        candidates=tuple(_candidate(one) for one in answer.candidates) if answer else (),
        studio=studio,
        refusals=tuple(refusals),
        pending=answer is None and not typed.refused and not refusals,
    )


def _studio(scenario: dict[str, Any] | None) -> str:
    """The studio with a new design that begins with a scenario."""
    if scenario is None:
        return ""
    return f"/designs/{begun(build_scenario(scenario).as_dict())}"


def _shown(one: AnswerFigure, studio: str) -> ShownFigure:
    value = None if math.isnan(one.value) else one.value
    shown = show_at(one.path, value) if one.path else show(value, one.unit)
    if not one.path and one.unit == "1" and one.value.is_integer():
        shown = Shown(one.text)
    address = f"{studio}/explain/{one.path}" if one.path and studio and value is not None else ""
    return ShownFigure(one.label, shown, interval_of(one.path, one.value, one.low, one.high), address)


def _candidate(one: Candidate) -> ShownCandidate:
    studio = _studio(one.scenario)
    return ShownCandidate(
        one.name, one.chosen, one.reason, tuple(_shown(figure, studio) for figure in one.figures), studio
    )
