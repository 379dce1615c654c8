"""From what routes raise to problem details."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy import URL
from starlette.exceptions import HTTPException

from app.catalog.lookup import CatalogLookupError
from app.saved.errors import StorageError, StorageReason
from app.saved.faults import DATABASE_ERRORS, storage_fault
from app.saved.team_catalog.errors import RefusedLinesError
from app.scenarios.errors import InputError, ScenarioError
from app.server.refusals import Refusal
from app.server.routes import allowed_methods
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import (
    BEYOND_SCHEMA,
    BODY_TOO_LARGE,
    BODY_TOO_SLOW,
    DATABASE_BUSY,
    GAVE_UP,
    INVALID_CATALOG_ROW,
    INVALID_PARAMETER,
    INVALID_SCENARIO,
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    NOT_READY,
    READ_ONLY,
    STORAGE_FULL,
    TOO_BUSY,
    TOO_MANY_REQUESTS,
    TOO_MUCH_COMPUTING,
    UNREADABLE_TEXT,
    UNSUPPORTED_MEDIA_TYPE,
    ProblemType,
)
from app.surfaces.rest.problems import ProblemError, problem_response

logger = logging.getLogger(__name__)

OF_STORAGE: dict[StorageReason, ProblemType] = {
    "busy": DATABASE_BUSY,
    "read_only": READ_ONLY,
    "full": STORAGE_FULL,
    "damaged": NOT_READY,
    "newer": NOT_READY,
    "unreachable": NOT_READY,
    "lost": NOT_READY,
}
OF_STATUS = {404: NOT_FOUND, 405: METHOD_NOT_ALLOWED}


def add_handlers(api: FastAPI, limits: Limits, database_url: URL) -> None:
    """One handler for each kind of error that is expected; the guard has the rest."""

    async def problem(request: Request, error: Exception) -> Response:
        assert isinstance(error, ProblemError)
        return problem_response(request, error)

    async def scenario(request: Request, error: Exception) -> Response:
        assert isinstance(error, ScenarioError)
        return problem_response(request, scenario_problem(error, limits))

    async def lines(request: Request, error: Exception) -> Response:
        assert isinstance(error, RefusedLinesError)
        return problem_response(request, scenario_problem(error, limits, INVALID_CATALOG_ROW))

    async def lookup(request: Request, error: Exception) -> Response:
        return problem_response(
            request, ProblemError(NOT_FOUND, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        )

    async def database(request: Request, error: Exception) -> Response:
        fault = storage_fault(error, database_url)
        if fault is None:
            raise error
        logger.error("%s %s: %s", request.method, request.url.path, fault.message)
        return problem_response(request, storage_problem(fault, limits))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind = OF_STATUS.get(error.status_code, NOT_FOUND)
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(allowed_methods(api, request.scope))
        return problem_response(request, ProblemError(kind, f"{kind.title}.", headers=headers))

    async def parameters(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [
            {"parameter": str(fault["loc"][-1]), "code": fault["type"], "message": f"{fault['msg']}."}
            for fault in error.errors()
        ]
        return problem_response(request, ProblemError(INVALID_PARAMETER, faults[0]["message"], errors=faults))

    api.add_exception_handler(ProblemError, problem)
    api.add_exception_handler(ScenarioError, scenario)
    api.add_exception_handler(RefusedLinesError, lines)
    api.add_exception_handler(CatalogLookupError, lookup)
    for kind in DATABASE_ERRORS:
        api.add_exception_handler(kind, database)
    api.add_exception_handler(HTTPException, http)
    api.add_exception_handler(RequestValidationError, parameters)


def storage_problem(error: StorageError, limits: Limits) -> ProblemError:
    """The problem for a failed database operation; Retry-After is set where a later attempt can succeed."""
    headers = {"retry-after": str(limits.retry_after_s)} if error.passes else {}
    return ProblemError(OF_STORAGE[error.reason], error.message, headers=headers)


def scenario_problem(
    error: ScenarioError, limits: Limits, kind: ProblemType = INVALID_SCENARIO, above: str = ""
) -> ProblemError:
    """The faults of a scenario, one entry each; `above` is where the scenario stands in the body.

    Where the schema states none of the rules that are broken, the problem says so by its type.
    """
    shown = error.errors[: limits.most_errors]
    first, more = shown[0], len(error.errors) - 1
    detail = str(first) if not more else f"{first} And {more:,} more."
    if kind.status == BEYOND_SCHEMA.status and not any(fault.stated for fault in error.errors):
        kind = BEYOND_SCHEMA
    return ProblemError(kind, detail, errors=[fault_entry(fault, above) for fault in shown])


def fault_entry(fault: InputError, above: str = "") -> dict[str, Any]:
    """One fault, with its place as a JSON pointer and as people write it."""
    entry: dict[str, Any] = {
        "pointer": f"#{above}{json_pointer(fault.path)}",
        "path": fault.path,
        "code": fault.rule,
        "message": fault.message,
        "hint": fault.hint,
    }
    if fault.line is not None:
        entry["line"] = fault.line
    if fault.column is not None:
        entry["column"] = fault.column
    return entry


def json_pointer(path: str) -> str:
    """RFC 6901, from a path as people write it.

    >>> json_pointer("published[0].value"), json_pointer("")
    ('/published/0/value', '')
    """
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in _steps(path))


def _steps(path: str) -> Iterator[str]:
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        yield name or index


OF_REASON = {  # they share their words
    kind.slug: kind
    for kind in (
        BODY_TOO_LARGE,
        BODY_TOO_SLOW,
        GAVE_UP,
        TOO_BUSY,
        TOO_MANY_REQUESTS,
        TOO_MUCH_COMPUTING,
        UNREADABLE_TEXT,
        UNSUPPORTED_MEDIA_TYPE,
    )
}


def refusal_response(request: Request, refusal: Refusal) -> Response:
    """A refusal as an answer of the API."""
    kind = OF_REASON[refusal.reason]
    errors = (
        [{**place, "code": "plain_text", "message": refusal.detail}] if (place := _place(refusal)) else []
    )
    return problem_response(
        request, ProblemError(kind, refusal.detail, headers=refusal.headers, errors=errors)
    )


def _place(refusal: Refusal) -> dict[str, str]:
    if refusal.parameter:
        return {"parameter": refusal.parameter}
    return {"pointer": f"#{json_pointer(refusal.path)}", "path": refusal.path} if refusal.path else {}
