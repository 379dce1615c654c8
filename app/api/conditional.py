"""ETag and If-None-Match (RFC 9110): what has not changed is not sent again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from fastapi import Request, Response

from app import __version__
from app.api.problems import json_response


def etag(*parts: str) -> str:
    """A strong tag of what an answer depends on; the engine's version always belongs to it."""
    content = "\0".join([__version__, *parts]).encode("utf-8", "surrogatepass")
    return f'"{hashlib.sha256(content).hexdigest()[:20]}"'


def conditional(
    request: Request,
    tag: str,
    content: Callable[[], tuple[Any, dict[str, str]]],
    media_type: str = "application/json",
) -> Response:
    """304 where the caller has this answer already, else the content with its further headers."""
    headers = {"etag": tag, "cache-control": "no-cache"}
    asked = request.headers.get("if-none-match", "")
    tags = [one.strip().removeprefix("W/") for one in asked.split(",")]
    if tag in tags or "*" in tags:
        return Response(status_code=304, headers=headers)
    found, more = content()
    return json_response(found, {**headers, **more}, media_type)
