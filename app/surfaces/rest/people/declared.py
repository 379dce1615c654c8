"""Parts common to routes about people: how bodies are declared and read, and what can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from fastapi import Depends, FastAPI, Path, Request, Response

from app.scenarios.errors import ScenarioError
from app.scenarios.fields import Part
from app.scenarios.load import build_document
from app.settings import Settings
from app.surfaces.rest.bodies import JSON, Body, read_body
from app.surfaces.rest.documented import OF_A_BODY
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    FOREIGN_SITE,
    INVALID_INPUT,
    INVALID_PARAMETER,
    NOT_FOUND,
    NOT_READY,
    READ_ONLY,
    ProblemType,
)
from app.surfaces.rest.problems import ProblemError, problem_response
from app.teams.asking import Asking, asked
from app.teams.errors import NotThereError
from app.teams.people import People

READING: tuple[ProblemType, ...] = (INVALID_PARAMETER, NOT_FOUND, NOT_READY)
CHANGING: tuple[ProblemType, ...] = (*READING, INVALID_INPUT, FOREIGN_SITE, READ_ONLY, DATABASE_BUSY)
SENDING: tuple[ProblemType, ...] = (*CHANGING, *OF_A_BODY)

PRIVATE = {"cache-control": "private, no-store"}

TeamKey = Annotated[str, Path(max_length=64, description="Key of a team.", examples=["research-lab"])]
AccountId = Annotated[
    str, Path(max_length=64, description="id of an account.", examples=["ada00000000000000000000000000000"])
]
TokenId = Annotated[str, Path(max_length=32, description="id of a token.", examples=["0123456789abcdef"])]
InvitationId = Annotated[
    str,
    Path(max_length=32, description="id of an invitation.", examples=["1a000000000000000000000000000000"]),
]

Sent = TypeVar("Sent", bound=Part)


def people(request: Request) -> People:
    """Accounts and teams of this server."""
    found: People = request.app.state.people
    return found


def settings(request: Request) -> Settings:
    """The settings of this server."""
    found: Settings = request.app.state.settings
    return found


def asking() -> Asking:
    """The caller."""
    return asked()


PeopleDep = Annotated[People, Depends(people)]
SettingsDep = Annotated[Settings, Depends(settings)]
AskingDep = Annotated[Asking, Depends(asking)]


def sent(kind: type[Sent], body: Body) -> Sent:
    """The body of a request.

    Raises
    ------
    ProblemError : it cannot be read or used
    """
    read = read_body(body, Limits())
    with input_faults():
        return build_document(kind, read.values, read.positions)


@contextmanager
def input_faults() -> Iterator[None]:
    """Unusable request as a problem."""
    try:
        yield
    except ScenarioError as error:
        raise scenario_problem(error, Limits(), INVALID_INPUT) from None


def declared_body(kind: type[Part], description: str, example: dict[str, Any]) -> dict[str, Any]:
    """A request body with an example."""
    schema = kind.model_json_schema()
    return {
        "requestBody": {
            "required": True,
            "description": description,
            "content": {
                JSON: {"schema": schema, "examples": {"usual": {"summary": "Usual", "value": example}}},
            },
        }
    }


def add_people_handlers(api: FastAPI) -> None:
    """Answer 404 for missing items, wherever a route lets the error through."""

    async def missing(request: Request, error: Exception) -> Response:
        return problem_response(request, ProblemError(NOT_FOUND, str(error)))

    api.add_exception_handler(NotThereError, missing)
