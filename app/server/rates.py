"""Rate limit per caller: a bucket of tokens each, filled at a steady rate."""

from __future__ import annotations

import functools
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.refusals import Answering, Refusal, refuse

FREE = ("/static/", "/healthz", "/readyz")  # cheap, and many for one page
MOST_CALLERS = 10_000
IPV6_HOME = 64  # bits that one subscriber gets; the others are theirs to vary


class Taken(NamedTuple):
    """`left` are whole requests, `full_s` the seconds until the bucket is full, `wait_s` until one more may come."""

    allowed: bool
    left: int
    full_s: float
    wait_s: float


class TokenBuckets:
    """Of one process. A caller that is not known has a full bucket, so full ones need not be kept."""

    def __init__(self, per_minute: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self.burst = burst
        self._rate = per_minute / 60
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> Taken:
        """One token of a caller, where there is one."""
        now = self._clock()
        tokens, since = self._buckets.pop(caller, (float(self.burst), now))
        tokens = min(self.burst, tokens + (now - since) * self._rate)
        allowed = tokens >= 1
        tokens -= 1 if allowed else 0
        self._buckets[caller] = (tokens, now)
        while len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)  # the caller that has been quiet for longest
        return self._taken(allowed, tokens)

    def owed_s(self, caller: str) -> float:
        """Seconds until a caller has paid for what was spent beyond its tokens; 0 for most."""
        tokens, since = self._buckets.get(caller, (float(self.burst), self._clock()))
        return max(0.0, -tokens / self._rate - (self._clock() - since))

    def spend(self, caller: str, more: float) -> Taken:
        """Take more tokens for a request that was allowed and is worth several; what is missing is owed."""
        now = self._clock()
        tokens, since = self._buckets.pop(caller, (float(self.burst), now))
        tokens = min(self.burst, tokens + (now - since) * self._rate) - more
        self._buckets[caller] = (tokens, now)
        return self._taken(True, tokens)

    def _taken(self, allowed: bool, tokens: float) -> Taken:
        return Taken(
            allowed,
            max(0, int(tokens)),
            (self.burst - tokens) / self._rate,
            max(0, 1 - tokens) / self._rate,
        )

    def __len__(self) -> int:
        return len(self._buckets)


class RateLimit:
    """Inside of what finds out who asks. The limit is told with every answer, in the fields of the IETF draft [1].

    [1] RateLimit header fields for HTTP, https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
    """

    def __init__(self, app: ASGIApp, buckets: TokenBuckets, answering: Answering) -> None:
        self.app = app
        self.buckets = buckets
        self.answering = answering

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(FREE):
            await self.app(scope, receive, send)
            return
        caller = caller_of(scope)
        taken = self.buckets.take(caller)
        policy = f'"caller";q={self.buckets.per_minute};w=60'

        def spend(more: int) -> None:
            nonlocal taken
            taken = self.buckets.spend(caller, more)

        scope.setdefault("state", {})["spend"] = spend  # for routes with requests worth several

        async def send_with_limit(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                state = f'"caller";r={taken.left};t={math.ceil(taken.full_s)}'
                headers["ratelimit-policy"], headers["ratelimit"] = policy, state
            await send(message)

        if taken.allowed:
            await self.app(scope, receive, send_with_limit)
            return
        wait_s = max(1, math.ceil(taken.wait_s))
        refusal = Refusal(
            reason="too-many-requests",
            status=429,
            detail=f"More than {self.buckets.per_minute:,} requests a minute came from you. Wait {wait_s} s.",
            headers={"retry-after": str(wait_s)},
        )
        await refuse(self.answering, refusal, scope, receive, send_with_limit)


def caller_of(scope: Scope) -> str:
    """The account that asks, else the address."""
    account = getattr(scope.get("state", {}).get("actor"), "account_id", None)
    return network_of(scope) if account is None else f"account {account}"


def network_of(scope: Scope) -> str:
    """The address that asks. That of a proxy has been replaced where the proxy is trusted."""
    return _network(scope["client"][0] if scope.get("client") else "")


@functools.lru_cache(MOST_CALLERS)
def _network(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return f"address {host}"
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or ipaddress.ip_network((int(address), IPV6_HOME), strict=False)[0]
    return f"address {address}"
