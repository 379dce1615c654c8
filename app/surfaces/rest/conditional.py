"""ETag and If-None-Match (RFC 9110): what has not changed is not sent again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from fastapi import Request, Response

from app import __version__
from app.surfaces.rest.bodies import JSON
from app.surfaces.rest.problems import json_bytes, json_response


def etag(*parts: str) -> str:
    """A strong tag of what an answer depends on; the engine's version always belongs to it."""
    content = "\0".join([__version__, *parts]).encode("utf-8", "surrogatepass")
    return f'"{hashlib.sha256(content).hexdigest()[:20]}"'


def content_etag(content: Any) -> str:
    """A strong tag of plain values, for what is cheaper to make than to keep a record of."""
    return etag(hashlib.sha256(json_bytes(content)).hexdigest())


def conditional(
    request: Request,
    tag: str,
    content: Callable[[], tuple[Any, dict[str, str]]],
    media_type: str = "application/json",
    *,
    cache_control: str = "no-cache",
) -> Response:
    """304 where the caller has this answer already, else the content with its further headers."""
    headers = {"etag": tag, "cache-control": cache_control}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    found, more = content()
    return json_response(found, {**headers, **more}, media_type)


def is_known(request: Request, tag: str) -> bool:
    """Return whether the caller says in If-None-Match that they have the answer of this tag."""
    asked = request.headers.get("if-none-match", "")
    tags = [one.strip().removeprefix("W/") for one in asked.split(",")]
    return tag in tags or "*" in tags


def prefers_yaml(accept: str) -> bool:
    """Return whether an Accept header asks for YAML. Only an explicit wish does: */* is for what is the default."""
    return "yaml" in accept and JSON not in accept
