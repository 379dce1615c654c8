"""Query parameters: known, given once, and in range; else the answer names the nearest that would do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from fastapi import Depends, Request

from app.likeness import nearest_names
from app.scenarios.errors import InputError, shorten
from app.surfaces.rest.problem_types import BEYOND_SCHEMA, INVALID_PARAMETER
from app.surfaces.rest.problems import ProblemError
from app.teams.teams import KEY as TEAM_KEY

WORKSPACE_KEY: Final = f"^{TEAM_KEY.pattern}$"


def parameter_problem(name: str, code: str, message: str, hint: str = "") -> ProblemError:
    """A problem with one query parameter."""
    entry = {"parameter": name[:80], "code": code, "message": message, "hint": hint}
    return ProblemError(INVALID_PARAMETER, f"{message} {hint}".rstrip(), errors=[entry])


def beyond_schema(name: str, code: str, message: str, hint: str = "") -> ProblemError:
    """A problem with a parameter that fits the schema but cannot be used."""
    entry = {"parameter": name[:80], "code": code, "message": message, "hint": hint}
    return ProblemError(BEYOND_SCHEMA, f"{message} {hint}".rstrip(), errors=[entry])


def parameter_fault(name: str, fault: InputError) -> ProblemError:
    """Fault of the value of a parameter, as the rooms below say it."""
    say = parameter_problem if fault.stated else beyond_schema
    return say(name, fault.rule, fault.message, fault.hint)


def unknown_parameter(name: str, known: Iterable[str]) -> ProblemError:
    """A parameter that is not known here."""
    names = list(known)
    hint = f"Nearest: {nearest_names(name[:80], names)}." if names else "None is known here."
    return parameter_problem(name, "unknown_parameter", f"{shorten(name)} is not a known parameter.", hint)


def given_parameters(request: Request, repeated: Iterable[str] = ()) -> dict[str, str]:
    """The query of a request, without what may be `repeated`; any other parameter given twice is refused.

    `workspace` is not among them: every route takes it, and who asks is found out by it before.
    """
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in repeated or name == "workspace":
            continue
        if name in given:
            raise parameter_problem(name, "given_twice", f"{shorten(name)} is given twice.", "Keep one.")
        given[name] = value
    return given


def only(*known: str, repeated: tuple[str, ...] = ()) -> Any:
    """A dependency that refuses every query parameter but these."""

    # async, as is all that waits for nothing: each other dependency goes through a thread
    async def check(request: Request) -> dict[str, str]:
        given = given_parameters(request, repeated)
        for name in given:
            if name not in known:
                raise unknown_parameter(name, [*known, *repeated])
        return given

    return Depends(check)
