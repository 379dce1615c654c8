"""Reading streams of events as a program does, and a server in this process that sends them."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI

from tests.running_server import free_port

PATIENCE_S = 30.0


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """The address of an application that is served by the real server, in a thread."""
    config = uvicorn.Config(app, port=free_port(), log_level="error", timeout_graceful_shutdown=5, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        eventually(lambda: server.started)
        yield f"http://127.0.0.1:{config.port}"
    finally:
        app.state.feed.close_all()  # as a signal would, which only the main thread hears
        server.should_exit = True
        thread.join(timeout=PATIENCE_S)
        assert not thread.is_alive(), "the server does not end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One event."""

    name: str
    data: Any
    id: int | None


@dataclass
class Reader:
    """Reads a stream in a thread of its own; `told` grows, and `is_over` says that the server has ended it."""

    told: list[Told] = field(default_factory=list)
    pings: int = 0
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    is_over: bool = False

    def names(self) -> list[str]:
        """What was told but for who is there, which may come at any time."""
        return [one.name for one in self.told if one.name != "presence"]

    def last(self, name: str) -> Any:
        """The data of the last event of a name; None where there was none."""
        return next((one.data for one in reversed(self.told) if one.name == name), None)


@contextmanager
def reading(url: str, headers: dict[str, str] | None = None) -> Iterator[Reader]:
    """A reader of a stream that has begun."""
    reader, parts = Reader(), urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE_S)
    connection.connect()
    line = connection.sock
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection.request("GET", path, headers={"accept-encoding": "gzip", **(headers or {})})

    def read() -> None:
        with suppress(OSError, http.client.HTTPException, ValueError):  # the reader has gone
            answer = connection.getresponse()
            reader.status, reader.headers = answer.status, dict(answer.getheaders())
            lines: list[str] = []
            while text := answer.readline().decode():
                if text.strip():
                    lines.append(text.rstrip("\n"))
                    continue
                _take(reader, lines)
                lines = []
            reader.is_over = True

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    try:
        eventually(lambda: reader.told or reader.is_over)
        yield reader
    finally:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=PATIENCE_S)
        connection.close()


def eventually(holds: Callable[[], Any], patience_s: float = PATIENCE_S) -> None:
    """Wait until something holds."""
    end = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < end, "it does not come to hold"
        time.sleep(0.02)


def _take(reader: Reader, lines: list[str]) -> None:
    fields = dict(line.split(": ", 1) for line in lines)
    if "event" in fields:
        id = int(fields["id"]) if "id" in fields else None
        reader.told.append(Told(name=fields["event"], data=json.loads(fields["data"]), id=id))
    else:
        reader.pings += 1
