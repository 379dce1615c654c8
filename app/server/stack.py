"""What stands around the application, from the inside out."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware

from app.server.bodies import Bodies, BodyLimits
from app.server.ending import Ending
from app.server.metrics_page import MetricsPage
from app.server.rates import RateLimit, TokenBuckets
from app.server.refusals import Answering
from app.server.request_id import RequestIds
from app.server.streams import EventStreams
from app.server.text import KeptText
from app.server.time_limit import TimeLimit
from app.server.watch import Watch
from app.settings import Settings


def surround(
    app: Starlette,
    settings: Settings,
    ending: Ending,
    answering: Answering,
    *,
    who_asks: Middleware,
    headers: Middleware,
) -> None:
    """Limits, headers, counts and ids. `who_asks` finds that out, and `headers` are put on refusals too."""
    per_minute, token = settings.most_requests_per_minute, settings.metrics_token.get_secret_value()
    from_inside = [
        Middleware(EventStreams, ending=ending),
        who_asks,
        Middleware(TimeLimit, limit_s=settings.request_seconds, answering=answering),
        Middleware(KeptText, answering=answering),
        Middleware(Bodies, limits=BodyLimits(), answering=answering),
        Middleware(MetricsPage, token=token, local=not settings.asks_to_sign_in),
        headers,
        Middleware(Watch),
        Middleware(RequestIds),
    ]
    if per_minute:
        buckets = TokenBuckets(per_minute, settings.rate_burst)
        from_inside.insert(1, Middleware(RateLimit, buckets=buckets, answering=answering))
    for one in from_inside:
        app.add_middleware(one.cls, *one.args, **one.kwargs)
