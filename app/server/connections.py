"""Connections whose requests come in time: a head that is sent letter by letter holds no connection for long."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 15.0  # for the whole head of a request, from the opening of the connection or its first byte
KEPT_S = (
    65  # between requests; a little longer than proxies keep theirs, so that they never meet a closed one
)


class PatientProtocol(H11Protocol):
    """The server's own limits start with the first answer: before that, a connection could wait for ever."""

    _head_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_is_there()
        elif self._head_due is None and not self.transport.is_closing():
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_there()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._head_due = self.loop.call_later(HEAD_S, self.timeout_keep_alive_handler)

    def _head_is_there(self) -> None:
        if self._head_due is not None:
            self._head_due.cancel()
            self._head_due = None
