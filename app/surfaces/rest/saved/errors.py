"""From what saved work raises to problem details."""

from __future__ import annotations

import dataclasses

from fastapi import FastAPI, Request, Response

from app.saved.access import ForbiddenError, HiddenError
from app.saved.errors import (
    BadCursorError,
    ChangedMeanwhileError,
    KeyInFlightError,
    KeyReusedError,
    MergeConflictError,
    NotSavedError,
    StorageError,
)
from app.surfaces.rest.handlers import storage_problem
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.paging import bad_cursor
from app.surfaces.rest.preconditions import changed_meanwhile
from app.surfaces.rest.problem_types import (
    FORBIDDEN,
    KEY_IN_FLIGHT,
    KEY_REUSED,
    MERGE_CONFLICT,
    NOT_FOUND,
)
from app.surfaces.rest.problems import ProblemError, problem_response

SAVED_ERRORS: tuple[type[Exception], ...] = (
    BadCursorError,
    ChangedMeanwhileError,
    ForbiddenError,
    KeyInFlightError,
    KeyReusedError,
    MergeConflictError,
    NotSavedError,
)


def add_saved_handlers(api: FastAPI, limits: Limits) -> None:
    """Turn errors of saved work into problems, wherever a route lets it through."""

    async def saved(request: Request, error: Exception) -> Response:
        return problem_response(request, saved_problem(error, limits))

    for kind in SAVED_ERRORS:
        api.add_exception_handler(kind, saved)


def saved_problem(error: Exception, limits: Limits) -> ProblemError:
    """The problem that an error of saved work is to the caller."""
    soon = {"retry-after": str(limits.retry_after_s)}
    match error:
        case ChangedMeanwhileError(current=current):
            return changed_meanwhile(current.etag, str(error))
        case MergeConflictError():
            return _conflicts(error)
        case BadCursorError():
            return bad_cursor()
        case KeyReusedError():
            return ProblemError(KEY_REUSED, str(error))
        case KeyInFlightError():
            return ProblemError(KEY_IN_FLIGHT, str(error), headers=soon)
        case StorageError():
            return storage_problem(error, limits)
        case NotSavedError():
            return ProblemError(NOT_FOUND, str(error))
        case ForbiddenError() if not isinstance(error, HiddenError):
            return ProblemError(FORBIDDEN, str(error))
    return ProblemError(NOT_FOUND, "There is nothing at this address.")  # what one may not see


def _conflicts(error: MergeConflictError) -> ProblemError:
    """Choices to make, and the requirements of a second try."""
    names = ("path", "label", "base", "mine", "theirs")
    members = {
        "revision": error.current.revision,
        "authors": list(error.authors),
        "conflicts": [{name: getattr(one, name) for name in names} for one in error.merge.conflicts],
        "from_mine": [dataclasses.asdict(change) for change in error.merge.from_mine],
        "from_theirs": [dataclasses.asdict(change) for change in error.merge.from_theirs],
    }
    return ProblemError(MERGE_CONFLICT, str(error), headers={"etag": error.current.etag}, members=members)
