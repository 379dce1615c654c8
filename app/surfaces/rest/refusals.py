"""What is refused before it reaches a route, as problem details."""

from __future__ import annotations

from fastapi import Request, Response

from app.server.refusals import Refusal
from app.surfaces.rest.handlers import json_pointer
from app.surfaces.rest.problem_types import (
    BODY_TOO_LARGE,
    BODY_TOO_SLOW,
    GAVE_UP,
    TOO_BUSY,
    TOO_MANY_REQUESTS,
    TOO_MUCH_COMPUTING,
    UNREADABLE_TEXT,
    UNSUPPORTED_MEDIA_TYPE,
)
from app.surfaces.rest.problems import ProblemError, problem_response

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
