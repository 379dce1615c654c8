"""Problem details (RFC 9457): every error of the API in one shape."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from fastapi import Request, Response

PROBLEM_JSON = "application/problem+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemType:
    """A kind of problem; its address is `/docs/problems#<slug>`."""

    slug: str
    status: int
    title: str
    meaning: str
    way_out: str

    @property
    def uri(self) -> str:
        return f"/docs/problems#{self.slug}"


MALFORMED_BODY = ProblemType(
    slug="malformed-body",
    status=400,
    title="The body cannot be read",
    meaning="The body is not JSON or YAML text, is empty, names a key twice, or is nested too deeply.",
    way_out="errors gives the line and column of the fault.",
)
INVALID_PARAMETER = ProblemType(
    slug="invalid-parameter",
    status=400,
    title="A query parameter cannot be used",
    meaning="The address has a parameter, field, operator or value that is not known here.",
    way_out="errors names the parameter, and the nearest known one.",
)
NOT_FOUND = ProblemType(
    slug="not-found",
    status=404,
    title="There is nothing at this address",
    meaning="No such route, kind of part, part, figure or example.",
    way_out="detail names the nearest.",
)
METHOD_NOT_ALLOWED = ProblemType(
    slug="method-not-allowed",
    status=405,
    title="This address cannot be used that way",
    meaning="The address exists, but not for this method.",
    way_out="The Allow header names the methods.",
)
BODY_TOO_LARGE = ProblemType(
    slug="body-too-large",
    status=413,
    title="The body is too large",
    meaning="A body may have 1,000,000 bytes, however it is sent.",
    way_out="A scenario has a few thousand; send it without what does not belong to it.",
)
UNSUPPORTED_MEDIA_TYPE = ProblemType(
    slug="unsupported-media-type",
    status=415,
    title="The body is of a type that is not read",
    meaning="Bodies are application/json or application/yaml, in UTF-8 and not compressed.",
    way_out="Set the Content-Type header.",
)
INVALID_SCENARIO = ProblemType(
    slug="invalid-scenario",
    status=422,
    title="The scenario cannot be used",
    meaning="The body was read, but a field is unknown, missing, out of range or names nothing in the catalog.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INTERNAL_ERROR = ProblemType(
    slug="internal-error",
    status=500,
    title="Something went wrong on our side",
    meaning="A defect of Podwright. Nothing was changed.",
    way_out="The server log says why, under the request_id of the answer.",
)
TOO_BUSY = ProblemType(
    slug="too-busy",
    status=503,
    title="The server is busy",
    meaning="More evaluations are under way than the server takes at once.",
    way_out="Try again after the seconds that the Retry-After header gives.",
)
TOOK_TOO_LONG = ProblemType(
    slug="took-too-long",
    status=503,
    title="The evaluation took too long",
    meaning="It was given up at the time limit, as the server is busy or the scenario is unusually large.",
    way_out="Try again after the seconds that the Retry-After header gives, or with a smaller scenario.",
)
NOT_READY = ProblemType(
    slug="not-ready",
    status=503,
    title="The server is not ready",
    meaning="The database or its catalog cannot be read.",
    way_out="podwright seed fills an empty database; the server log says what is wrong with another.",
)

PROBLEM_TYPES = (
    MALFORMED_BODY,
    INVALID_PARAMETER,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    BODY_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    INVALID_SCENARIO,
    INTERNAL_ERROR,
    TOO_BUSY,
    TOOK_TOO_LONG,
    NOT_READY,
)


class ProblemError(Exception):
    """A problem on its way to the caller. `errors` holds one entry a fault."""

    def __init__(
        self,
        kind: ProblemType,
        detail: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = dict(headers or {})


def problem_content(
    kind: ProblemType,
    detail: str,
    *,
    instance: str,
    request_id: str,
    errors: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The members of a problem."""
    content: dict[str, Any] = {
        "type": kind.uri,
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "instance": instance,
        "request_id": request_id,
    }
    return {**content, "errors": list(errors)} if errors else content


def problem_response(request: Request, problem: ProblemError) -> Response:
    """A problem as an answer."""
    content = problem_content(
        problem.kind,
        problem.detail,
        instance=request.url.path,
        request_id=getattr(request.state, "request_id", ""),
        errors=problem.errors,
    )
    return Response(
        json_bytes(content), problem.kind.status, headers=problem.headers, media_type=PROBLEM_JSON
    )


def json_bytes(content: Any) -> bytes:
    """JSON text; quickly, except for what a caller sent that no fast writer takes."""
    try:
        return orjson.dumps(content)
    except TypeError:  # a lone surrogate in a text
        return json.dumps(content, allow_nan=False).encode()


def json_response(
    content: Any, headers: Mapping[str, str] | None = None, media_type: str = "application/json"
) -> Response:
    """An ordinary answer."""
    return Response(json_bytes(content), headers=dict(headers or {}), media_type=media_type)
