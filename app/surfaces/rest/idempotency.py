"""Idempotency-Key: a request that makes something can be sent again, and still makes one thing only."""

from __future__ import annotations

import hashlib
import re

from fastapi import Request

from app.surfaces.rest.documented import header_parameter
from app.surfaces.rest.parameters import parameter_problem

KEY = re.compile(r"[\x21-\x7e]{1,200}")
IDEMPOTENCY_KEY = header_parameter(
    "Idempotency-Key",
    "Any text of the caller's own, such as a UUID. The same request with the same key is answered as it was "
    "the first time, for 24 hours, and makes nothing more.",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
)
REPLAYED = {
    "Idempotency-Replayed": {
        "description": "true, where the answer is that of an earlier request with this key.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}


def idempotency_key(request: Request) -> str | None:
    """The key of a request, if it has one.

    Raises
    ------
    ProblemError : it is empty, too long, or has other characters than printable ASCII
    """
    key = request.headers.get("idempotency-key")
    if key is not None and not KEY.fullmatch(key):
        raise parameter_problem(
            "Idempotency-Key",
            "key",
            "Idempotency-Key is not 1 to 200 printable ASCII characters without spaces.",
            "A UUID will do.",
        )
    return key


def request_hash(request: Request, content: bytes) -> str:
    """What makes two requests the same: method, address, type and body."""
    kind = request.headers.get("content-type", "")
    head = f"{request.method}\0{request.url.path}\0{request.url.query}\0{kind}\0"
    return hashlib.sha256(head.encode("utf-8", "surrogatepass") + content).hexdigest()
