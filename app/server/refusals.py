"""Requests that are refused before they reach a route, and what is said then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from starlette.types import ASGIApp, Receive, Scope, Send

from app.server.metrics import REFUSED

Reason = Literal[
    "body-too-large",
    "body-too-slow",
    "gave-up",
    "too-busy",
    "too-many-requests",
    "too-much-computing",
    "unreadable-text",
    "unsupported-media-type",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """`reason` is what programs read at the end of the problem's type.

    `parameter` of the address or `path` in the body is what is wrong, where it is one field, and `kept` what was typed
    into a form, to be sent again.
    """

    reason: Reason
    status: int
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)
    parameter: str = ""
    path: str = ""
    kept: tuple[tuple[str, str], ...] = ()


Answering = Callable[[Scope, Refusal], ASGIApp]
"""Puts a refusal into the words of the caller: a page for people, problem details for programs."""


async def refuse(answering: Answering, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a refusal, and count it."""
    REFUSED.labels(refusal.reason).inc()
    await answering(scope, refusal)(scope, receive, send)
