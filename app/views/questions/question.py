"""A question that a reader begins with: a few inputs, and the design that answers them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from app.charts.figure import get_path, is_rent_only
from app.charts.format import show, show_at
from app.charts.key_figures import RENTED
from app.charts.question import AnswerChart
from app.engine.quantities import short_label_at
from app.engine.units import unit_of
from app.scenarios.answers import Answers, at_most
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.questions.words import Words
from app.views.view import Resources

OptionsT = TypeVar("OptionsT", bound=Part)


@dataclass(frozen=True, slots=True)
class Of:
    """The kind of the catalog that a key is of: metadata of its annotation."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFigure:
    """A key figure. Unknown is NaN, as the ends are where there is no interval."""

    label: str
    path: str  # place in the evaluation; "" where the figure belongs to none
    value: float
    low: float
    high: float
    unit: str

    @property
    def text(self) -> str:
        """The value in the unit that people use."""
        if not self.path and self.unit == "1" and self.value.is_integer():
            return f"{self.value:,.0f}"
        value = None if math.isnan(self.value) else self.value
        return (show_at(self.path, value) if self.path else show(value, self.unit)).text


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A design among several that are compared, with a scenario of its own."""

    name: str
    chosen: bool
    feasible: bool
    reason: str  # of one that cannot be built or evaluated, else ""
    figures: tuple[AnswerFigure, ...]
    scenario: dict[str, Any] | None  # None: it cannot be described


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """The answer, and the scenario whose evaluation it is; no design is answered where none can do it."""

    question: str
    answered: bool
    verdict: str
    figures: tuple[AnswerFigure, ...]
    chart: AnswerChart | None
    candidates: tuple[Candidate, ...]
    assumptions: tuple[str, ...]
    scenario: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[OptionsT]):
    """One question: `/start/{key}`, `POST /api/v1/questions/{key}` and `podwright ask {key}`.

    Parameters
    ----------
    words : its key, and what it asks
    options : at most four inputs; their titles, units and defaults are those of every surface
    answer : of the inputs; a scenario that cannot be described raises ScenarioError
    fields : input by the field of a scenario that it states, for messages about the scenario
    """

    words: Words
    options: type[OptionsT]
    answer: Callable[[OptionsT, Resources], QuestionAnswer]
    example: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.words.key

    @property
    def title(self) -> str:
        return self.words.title

    @property
    def asks(self) -> str:
        return self.words.asks


class QuestionAnswers:
    """The answers given last, by question, inputs and catalog; safe to share by threads."""

    def __init__(self, most: int = 64) -> None:
        self._answers: Answers[QuestionAnswer] = Answers(at_most(most))

    def of(self, question: Question[OptionsT], asked: OptionsT, resources: Resources) -> QuestionAnswer:
        """The answer to a question.

        Raises
        ------
        ScenarioError : an input cannot be used; it names the input in place of the field of the scenario
        """
        try:
            return self._answers.of(
                _identity(question, asked, resources), lambda: question.answer(asked, resources)
            )
        except ScenarioError as error:
            faults = [
                replace(fault, path=question.fields.get(fault.path, fault.path)) for fault in error.errors
            ]
            raise ScenarioError(faults) from None

    def at_hand(
        self, question: Question[OptionsT], asked: OptionsT, resources: Resources
    ) -> QuestionAnswer | None:
        """The answer where it has been given, None where it would have to be computed."""
        return self._answers.at_hand(_identity(question, asked, resources))


ANSWERS = QuestionAnswers()
"""Those of this process: pages, REST and the warm-up share them."""


def _identity(question: Question[Any], asked: Part, resources: Resources) -> Hashable:
    return (question.key, asked.model_dump_json(), resources.catalog)


def figure_of(scenario: EvaluatedScenario, path: str, label: str = "") -> AnswerFigure:
    """A figure of an evaluation with its interval; of hardware that is rent only, the cost of renting."""
    evaluation = scenario.as_json
    name = label or short_label_at(path)
    if get_path(evaluation, path) is None and is_rent_only(evaluation, path):
        rented = [path + ending for ending in RENTED]
        path = next((one for one in rented if get_path(evaluation, one) is not None), path)
        name = f"{name}, rented"
    value, ends = get_path(evaluation, path), get_path(evaluation, f"intervals.{path}") or {}
    return AnswerFigure(
        label=name,
        path=path,
        value=_number(value),
        low=_number(ends.get("low")),
        high=_number(ends.get("high")),
        unit=unit_of(path),
    )


def counted(
    label: str, value: float, unit: str = "1", low: float = math.nan, high: float = math.nan
) -> AnswerFigure:
    """A figure that is not in the evaluation, such as the number of SuperNodes that is asked for."""
    return AnswerFigure(label=label, path="", value=float(value), low=low, high=high, unit=unit)


def refused(question: str, verdict: str, **parts: Any) -> QuestionAnswer:
    """The answer where no design can do it."""
    empty: dict[str, Any] = {
        "figures": (), "chart": None, "candidates": (), "assumptions": (), "scenario": None,
    }  # fmt: skip
    return QuestionAnswer(question=question, answered=False, verdict=verdict, **(empty | parts))


def reason_of(scenario: EvaluatedScenario) -> str:
    """The first thing that makes a design infeasible, "" where nothing does."""
    found = (problem.message for problem in scenario.problems if problem.kind == "infeasible")
    return next(found, "")


def stated(scenario: EvaluatedScenario) -> dict[str, Any]:
    """The scenario as plain values."""
    return scenario.document.as_dict()


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)
