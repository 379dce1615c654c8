"""Errors of saved work on pages."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request, Response

from app.db.address import read_address
from app.saved.access import ForbiddenError, HiddenError
from app.saved.errors import NotSavedError
from app.saved.faults import DATABASE_ERRORS, storage_fault
from app.server.text import typed_fields
from app.settings import Settings
from app.surfaces.pages.errors import error_response

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
        settings: Settings = request.app.state.settings
        fault = storage_fault(error, read_address(settings.database_url))
        if fault is None:
            raise error
        logger.error("%s %s: %s", request.method, request.url.path, fault.message)
        status = 507 if fault.reason == "full" else 503
        headers = {"retry-after": "2"} if fault.passes else {}
        return error_response(request, status, fault.message, headers, typed_fields(request.scope))

    app.add_exception_handler(NotSavedError, missing)
    app.add_exception_handler(ForbiddenError, forbidden)
    for kind in DATABASE_ERRORS:
        app.add_exception_handler(kind, cannot)
