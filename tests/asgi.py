"""Calling the application in this process, without a server, from ordinary test functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI


class AsgiClient:
    """`httpx.AsyncClient` for tests that are not asynchronous. Redirects are not followed."""

    def __init__(self, client: httpx.AsyncClient, portal: BlockingPortal) -> None:
        self._client = client
        self._portal = portal

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            return await self._client.request(method, path, **options)

        return self._portal.call(send)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        return self.request("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> httpx.Response:
        return self.request("PATCH", path, **options)

    def delete(self, path: str, **options: Any) -> httpx.Response:
        return self.request("DELETE", path, **options)


@contextmanager
def asgi_client_of(app: FastAPI) -> Iterator[AsgiClient]:
    """A client of `app`, started and shut down as a server would."""
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app, raise_app_exceptions=False), base_url="http://127.0.0.1"
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
        portal.wrap_async_context_manager(client),
    ):
        yield AsgiClient(client, portal)
