"""Heads of requests that come too slowly, on real connections."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from app.server import connections
from app.server.connections import PatientProtocol
from tests.running_server import free_port

pytestmark = pytest.mark.slow

REQUEST = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"


async def answers(scope, receive, send):
    assert scope["type"] == "http"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "HEAD_S", 1.0)
        found = free_port()
        config = uvicorn.Config(
            answers, host="127.0.0.1", port=found, http=PatientProtocol, log_config=None, lifespan="off"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield found
        server.should_exit = True
        thread.join()


def read_all(connection: socket.socket) -> bytes:
    """Until the server closes the connection."""
    content = b""
    while part := connection.recv(1000):
        content += part
    return content


def read_answer(connection: socket.socket) -> bytes:
    content = b""
    while not content.endswith(b"ok"):
        part = connection.recv(1000)
        assert part, "the connection was closed"
        content += part
    return content


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def test_a_connection_without_a_request_is_closed(port):
    with connected(port) as connection:
        assert read_all(connection) == b""


def test_a_head_that_comes_letter_by_letter_is_cut_off(port):
    with connected(port) as connection:
        sent = 0
        try:
            for letter in REQUEST * 4:
                connection.sendall(bytes([letter]))
                sent += 1
                time.sleep(0.1)
        except OSError:
            pass
        assert sent < len(REQUEST)


def test_requests_in_time_are_answered_one_after_the_other(port):
    with connected(port) as connection:
        for _ in range(2):
            connection.sendall(REQUEST[:10])
            time.sleep(0.15)
            connection.sendall(REQUEST[10:])
            assert read_answer(connection).endswith(b"ok")
            time.sleep(1.1)  # longer than a head may take: between requests is other time


def test_the_head_of_a_later_request_must_come_in_time_too(port):
    with connected(port) as connection:
        connection.sendall(REQUEST)
        assert read_answer(connection).endswith(b"ok")
        connection.sendall(REQUEST[:10])
        assert read_all(connection) == b""
