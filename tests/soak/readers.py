"""Many readers of event streams in one event loop: what each was told, in order."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field


@dataclass
class Reader:
    """One open stream; `versions` are those that it was told of, the first by hello."""

    versions: list[int] = field(default_factory=list)
    is_broken: bool = False


async def read_stream(port: int, path: str, reader: Reader) -> None:
    """Read a stream until it is cancelled, or ends."""
    source, sink = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    try:
        sink.write(f"GET {path}/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
        await sink.drain()
        while line := await source.readline():
            if line.startswith(b"data: "):
                told = json.loads(line[6:])
                if "version" in told:
                    reader.versions.append(told["version"])
        reader.is_broken = True
    finally:
        sink.close()
