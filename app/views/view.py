"""One question that can be asked of a design: its options, its answer, and how the answer is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from app.catalog.lookup import Catalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.file_format import FileFormat

if TYPE_CHECKING:
    from app.views.searching.recent import RecentSearches

ALL: Collection[str] = ("*",)
"""Every part of a report."""
ONE = ("scenario",)
TWO = ("first", "second")
OptionsT = TypeVar("OptionsT", bound=Part)
AnswerT = TypeVar("AnswerT")


class NoOptions(Part):
    """A body that has nothing beside its scenario."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Resources of an answer besides its scenarios.

    Parameters
    ----------
    evaluated : of another scenario with the same catalog
    searches : long answers made last, which an equal question is answered from
    """

    catalog: Catalog
    evaluated: Callable[[ScenarioDocument], EvaluatedScenario]
    searches: RecentSearches


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """How an option is given on the command line, where that is not its name with dashes and its description.

    Parameters
    ----------
    read : of words that are no plain value; may raise ScenarioError
    default : where it is not that of the option; as words, where they are read
    kind : type of the words, of a flag that is no option by itself
    is_argument : whether it is an argument without a name, which must be given
    """

    name: str = ""
    metavar: str | None = None
    help: str = ""
    read: Callable[[str], Any] | None = None
    default: Any = None
    kind: Any = None
    is_argument: bool = False


@dataclass(frozen=True, kw_only=True)
class File(Generic[AnswerT]):
    """A form of the answer beside text and JSON; its flag is the name of the format with dashes.

    Parameters
    ----------
    is_printed : whether the flag prints it in place of text; else it names a file, and - prints
    sent_as : what is added to the name of the answer in that of the file that is sent where a body asks for it under
        `format`; it is not sent where that is left out
    """

    format: FileFormat[AnswerT]
    help: str
    is_printed: bool = False
    sent_as: str | None = None

    @property
    def name(self) -> str:
        return self.format.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A flag with which the command ends with 3 where the answer does not hold."""

    flag: str
    help: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleDesign:
    """The scenario of an example: a worked one, and what it states otherwise; of two, the second does."""

    of: str = "edge_node"
    title: str = "A small one"
    name: str = ""  # where it is not that of the worked one
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class View(Generic[OptionsT, AnswerT]):
    """A question of a room: `POST /api/v1/{room}/{name}` and `podwright {room} {command}`.

    Parameters
    ----------
    command : where it is not the name
    operation : name of the operation in the description of the API
    summary, description : of the operation; `help` is the command's
    schema, request : names of the schemas of answer and body; the latter ends in Request where it is left out
    asks, answers : what the body holds, and what is answered
    scenarios : names of the scenarios in the body, one or two
    options : beside the scenarios
    example, example_design : options and scenario of the example
    answer : of the evaluated scenarios, the resources and the options
    report : the answer as it is sent: a dataclass of plain values, where nan is unknown; the answer itself
        where it is left out
    report_type : its type
    text : the answer as lines; there is no command without it
    files : other forms of the answer
    unknown : parts of the report in which any number may be unknown, or ALL; none where its types say so
    known : names of numbers in these parts that never are
    names : of parts in the description of the API, by those of their types where these differ
    flags : how options are given on the command line, by their names
    without_flag : options that the command does without
    stated : options of the values of all flags, where these are not one for one
    problems : whether the report lists problems of the design
    """

    room: str
    name: str
    command: str = ""
    operation: str
    summary: str
    description: str
    help: str = ""
    schema: str
    request: str = ""
    asks: str
    answers: str
    scenarios: tuple[str, ...] = ONE
    options: type[OptionsT]
    example: Mapping[str, Any] = field(default_factory=dict)
    example_design: ExampleDesign = field(default_factory=ExampleDesign)
    answer: Callable[..., AnswerT]
    report: Callable[[AnswerT], Any] = lambda answer: answer
    report_type: Any
    text: Callable[[AnswerT], str] | None = None
    files: tuple[File[AnswerT], ...] = ()
    unknown: Collection[str] = ()
    known: Collection[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    problems: bool = False
    flags: Mapping[str, Flag] = field(default_factory=dict)
    without_flag: Collection[str] = ()
    stated: Callable[[dict[str, Any]], dict[str, Any]] = lambda given: given
    requirement: Requirement | None = None

    @property
    def request_schema(self) -> str:
        return self.request or f"{self.schema}Request"

    @property
    def command_name(self) -> str:
        return self.command or self.name


def number_or_text(word: str) -> float | str:
    """A number; what is none stays text, to be refused by its place."""
    try:
        return float(word)
    except ValueError:
        return word[:40]


def text_of_file(path: str, *, flag: str, hint: str) -> str:
    """The text of a file that a flag names.

    Raises
    ------
    ScenarioError : it cannot be read
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise refuse(f"{path} cannot be read: {reason}.", rule="file", path=flag, hint=hint) from None
