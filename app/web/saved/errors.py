"""What can go wrong with saved work, as pages and answers say it."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request, Response

from app.scenarios.access import ForbiddenError, HiddenError
from app.scenarios.saved.errors import NotSavedError, StorageError
from app.web.errors import error_response

logger = logging.getLogger(__name__)


def add_saved_handlers(app: FastAPI) -> None:
    """What is not there or may not be seen is 404; a database that cannot do it says what to do."""

    async def missing(request: Request, error: Exception) -> Response:
        return error_response(request, 404, str(error))

    async def forbidden(request: Request, error: Exception) -> Response:
        if isinstance(error, HiddenError):
            return error_response(request, 404)
        return error_response(request, 403, str(error))

    async def cannot(request: Request, error: Exception) -> Response:
        assert isinstance(error, StorageError)
        logger.error("%s %s: %s", request.method, request.url.path, error.message)
        return error_response(request, 503, error.message)

    app.add_exception_handler(NotSavedError, missing)
    app.add_exception_handler(ForbiddenError, forbidden)
    app.add_exception_handler(StorageError, cannot)
