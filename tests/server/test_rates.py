"""Token buckets: a steady rate, a burst after a pause, one bucket a caller."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.server import rates
from app.server.rates import TokenBuckets, caller_of
from app.settings import Settings
from tests.asgi import asgi_client_of
from tests.server.conftest import small_app


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def no_time_passes(monkeypatch):
    """However slow the machine, no token comes back."""
    monkeypatch.setattr("app.server.stack.TokenBuckets", partial(TokenBuckets, clock=Clock()))


def test_a_burst_then_a_steady_rate():
    clock = Clock()
    buckets = TokenBuckets(60, 3, clock)
    assert [buckets.take("a").allowed for _ in range(4)] == [True, True, True, False]
    assert buckets.take("a") == (False, 0, 3.0, 1.0)
    clock.now = 1
    assert buckets.take("a") == (True, 0, 3.0, 1.0)
    clock.now = 100
    assert buckets.take("a") == (True, 2, 1.0, 0.0)


def test_callers_do_not_pay_for_one_another():
    buckets = TokenBuckets(60, 1, Clock())
    assert [buckets.take(caller).allowed for caller in "aabb"] == [True, False, True, False]


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(rates, "MOST_CALLERS", 10)
    buckets = TokenBuckets(60, 1, Clock())
    for caller in range(1000):
        buckets.take(str(caller))
    assert len(buckets) == 10
    assert not buckets.take("999").allowed


@given(st.lists(st.floats(0, 5), min_size=1, max_size=60), st.integers(1, 600), st.integers(1, 20))
def test_nobody_gets_more_than_burst_and_rate(pauses, per_minute, burst):
    clock = Clock()
    buckets = TokenBuckets(per_minute, burst, clock)
    allowed = 0
    for pause in pauses:
        clock.now += pause
        taken = buckets.take("a")
        allowed += taken.allowed
        assert 0 <= taken.left <= burst
        assert taken.allowed or taken.wait_s > 0
    assert allowed <= burst + clock.now * per_minute / 60 + 1e-6


@pytest.mark.parametrize(
    ("client", "called"),
    [
        (("10.0.0.1", 1), "address 10.0.0.1"),
        (("2001:db8:1:2:3:4:5:6", 1), "address 2001:db8:1:2::"),
        (("2001:db8:1:2:ffff::", 1), "address 2001:db8:1:2::"),
        (("::ffff:10.0.0.1", 1), "address 10.0.0.1"),
        (("testclient", 1), "address testclient"),
        (None, "address "),
    ],
)
def test_a_caller_is_an_address_and_of_a_long_one_what_is_given_to_one_subscriber(client, called):
    assert caller_of({"client": client}) == called


def test_too_many_requests_are_refused_and_every_answer_says_how_many_are_left(no_time_passes):
    app = small_app(Settings(rate_per_minute=60, rate_burst=3))
    with asgi_client_of(app) as client:
        answers = [client.get("/things/a") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[0].headers["ratelimit-policy"] == '"caller";q=60;w=60'
        assert answers[0].headers["ratelimit"] == '"caller";r=2;t=1'
        assert answers[3].headers["ratelimit"].startswith('"caller";r=0;t=')
        assert int(answers[3].headers["retry-after"]) == 1
        assert answers[3].json()["reason"] == "too-many-requests"
        assert answers[3].headers["x-request-id"]
        assert client.get("/static/x/y.css").status_code == 404  # not limited
        assert client.get("/things/a", headers={"x-name": "somebody"}).status_code == 200


def test_an_address_that_the_caller_claims_gives_no_new_bucket(no_time_passes):
    with asgi_client_of(small_app(Settings(rate_per_minute=60, rate_burst=2))) as client:
        claimed = [
            {"x-forwarded-for": f"10.0.0.{number}", "forwarded": f"for={number}"} for number in range(4)
        ]
        statuses = [client.get("/things/a", headers=headers).status_code for headers in claimed]
    assert statuses == [200, 200, 429, 429]


def test_without_a_limit_nothing_is_said_of_one(small):
    assert "ratelimit" not in small.get("/things/a").headers
