"""Errors no one expected: answered once, and the connection goes on."""

from __future__ import annotations

import http.client
import logging
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.responses import StreamingResponse

from app.main import create_app
from app.surfaces.pages.security import HEADERS
from tests.running_server import free_port


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A real server of pages that fail: what becomes of a connection is its doing."""
    app = create_app()
    add_failing_pages(app)
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


def add_failing_pages(app: FastAPI) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise RuntimeError("in the middle")

    def fails() -> None:
        raise RuntimeError("at once")

    app.add_api_route("/fails", fails)
    app.add_api_route("/breaks-off", lambda: StreamingResponse(parts()))
    app.router.routes.sort(key=lambda route: getattr(route, "path", "") not in ("/fails", "/breaks-off"))


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_the_next_request_on_the_connection_is_answered(
    address: str, accept: str, caplog: pytest.LogCaptureFixture
) -> None:
    connection = http.client.HTTPConnection(address, timeout=30)
    for _ in range(3):
        connection.request("GET", "/fails", headers={"accept": accept})
        answer = connection.getresponse()
        content = answer.read().decode()
        assert answer.status == 500
        assert HEADERS.items() <= dict(answer.getheaders()).items()
        assert "at once" not in content
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == [
        "GET /fails failed"
    ] * 3


def test_an_answer_that_breaks_off_does_not_look_whole(address: str) -> None:
    connection = http.client.HTTPConnection(address, timeout=30)
    connection.request("GET", "/breaks-off")
    with pytest.raises(http.client.IncompleteRead):
        connection.getresponse().read()
    connection.close()
