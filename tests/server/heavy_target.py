"""What tests run in a worker: a small application, some of whose pages never end."""

from __future__ import annotations

import asyncio
import os
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from starlette.types import Receive, Scope, Send

from app.server.heavy import serve_requests

WHOLE = b"\xff" * 3_000_000


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    body = (await receive())["body"]
    status, content = 200, f"{scope['method']} {len(body)} by {os.getpid()}".encode()
    match scope["path"].rpartition("/")[2]:
        case "endless":
            time.sleep(600)
        case "crash":
            os._exit(9)
        case "broken":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"half", "more_body": True})
            os._exit(9)
        case "large":
            content = WHOLE
        case "memory":
            try:
                np.ones(10**10)
            except MemoryError:
                status, content = 503, b"too much"
        case "spend":
            scope["state"]["spend"](7)
        case "slow":
            time.sleep(0.3)
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"x-id", scope["state"]["request_id"].encode())],
        }
    )
    await send({"type": "http.response.body", "body": content})


def serve(pipe: Connection, given: Any) -> None:
    assert given == "given"
    asyncio.run(serve_requests(app, pipe))
