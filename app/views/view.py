"""One question that can be asked of a design: its options, its answer, and how the answer is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part

ALL: Collection[str] = ("*",)
"""Every part of a report."""
OptionsT = TypeVar("OptionsT", bound=Part)
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """How an option is given on the command line, where that is not its name with dashes and its description."""

    name: str
    metavar: str | None = None
    help: str = ""
    read: Callable[[str], Any] | None = None  # of words that are no plain value; may raise ScenarioError
    default: str = ""  # as words, where they are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A flag with which the command ends with 3 where the answer does not hold."""

    flag: str
    help: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True, kw_only=True)
class View(Generic[OptionsT, AnswerT]):
    """A question of a room: `POST /api/v1/{room}/{name}` and `podwright {room} {name}`.

    Parameters
    ----------
    operation : name of the operation in the description of the API
    summary, description : of the operation; `help` is the command's
    schema, request : names of the schemas of answer and body
    asks, answers : what the body holds, and what is answered
    options : beside the scenario
    example : options of the example
    answer : of an evaluated scenario, the catalog and the options
    report : the answer as it is sent: a dataclass of plain values, where nan is unknown
    report_type : its type
    text : the answer as lines
    unknown : parts of the report in which any number may be unknown, or ALL; none where its types say so
    known : names of numbers in these parts that never are
    flags : how options are given on the command line, by their names
    only_drawn : options that only a drawing shows, so that the command does without
    problems : whether the report lists problems of the design
    """

    room: str
    name: str
    operation: str
    summary: str
    description: str
    help: str
    schema: str
    request: str
    asks: str
    answers: str
    options: type[OptionsT]
    example: Mapping[str, Any] = field(default_factory=dict)
    answer: Callable[[EvaluatedScenario, Catalog, OptionsT], AnswerT]
    report: Callable[[AnswerT], Any]
    report_type: Any
    text: Callable[[AnswerT], str]
    unknown: Collection[str] = ()
    known: Collection[str] = ()
    problems: bool = False
    flags: Mapping[str, Flag] = field(default_factory=dict)
    only_drawn: Collection[str] = ()
    requirement: Requirement | None = None
