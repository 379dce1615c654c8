"""Headers that keep a page to its own host, on every answer."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
FRAMES = "x-frame-options"
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    FRAMES: "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
HTTPS_ONLY = {"strict-transport-security": "max-age=31536000"}


def is_signed_in(scope: Scope) -> bool:
    """Return whether an answer is made for an account, or for anyone with a link."""
    actor = scope.get("state", {}).get("actor")
    return actor is not None and not (actor.is_local or actor.is_nobody)


class SecurityHeaders:
    """Adds the headers to each answer that has not set its own.

    What someone sees who has signed in is for them: no page of it is kept by the browser or a proxy, where
    the next at the same machine could go back to it, and nothing else is kept without being asked for again.
    """

    def __init__(self, app: ASGIApp, *, https_only: bool = False) -> None:
        self.app = app
        self.headers = HEADERS | (HTTPS_ONLY if https_only else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                says_who_frames = "frame-ancestors" in headers.get("content-security-policy", "")
                for name, value in self.headers.items():
                    if not (name == FRAMES and says_who_frames):  # which the older header cannot say
                        headers.setdefault(name, value)
                if is_signed_in(scope):
                    page = headers.get("content-type", "").startswith("text/html")
                    headers.setdefault("cache-control", "no-store" if page else "private, no-cache")
            await send(message)

        await self.app(scope, receive, send_with_headers)
