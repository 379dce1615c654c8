"""Who may read `/metrics`; for all others there is nothing there."""

from __future__ import annotations

import pytest

from app.settings import Settings
from tests.asgi import asgi_client_of
from tests.server.conftest import small_app

TOKEN = "t" * 20
SERVES_OTHERS = {"host": "0.0.0.0", "secret": "s" * 40, "rate_per_minute": 0}


def status(headers=None, **settings) -> int:
    with asgi_client_of(small_app(Settings(**settings))) as client:
        return client.get("/metrics", headers=headers or {}).status_code


def test_whoever_is_at_this_machine_may_read(small):
    answer = small.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert answer.headers["cache-control"] == "no-store"
    assert "podwright_info" in answer.text
    assert small.post("/metrics").status_code == 405


@pytest.mark.parametrize(
    "passed_on", ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"]
)
def test_whoever_comes_through_a_proxy_on_this_machine_may_not(passed_on):
    assert status({passed_on: "10.0.0.1"}) == 404


def test_a_page_that_was_given_our_address_to_talk_to_may_not():
    assert status({"host": "evil.example"}) == 404
    assert status({"host": "localhost:8000"}) == 200


@pytest.mark.parametrize("settings", [SERVES_OTHERS, {"sign_in": "required", "secret": "s" * 40}])
def test_where_others_are_served_a_token_is_needed(settings):
    settings = settings | {"rate_per_minute": 0}
    right = {"authorization": f"Bearer {TOKEN}"}
    assert status(**settings) == 404
    assert status(right, **settings) == 404
    assert status(metrics_token=TOKEN, **settings) == 404
    assert status({"authorization": f"Bearer {TOKEN}x"}, metrics_token=TOKEN, **settings) == 404
    assert status({"authorization": f"Basic {TOKEN}"}, metrics_token=TOKEN, **settings) == 404
    assert status({"authorization": "Bearer é".encode()}, metrics_token=TOKEN, **settings) == 404
    assert status(right, metrics_token=TOKEN, **settings) == 200
    assert status(right | {"x-forwarded-for": "10.0.0.1"}, metrics_token=TOKEN, **settings) == 200


def test_a_token_that_is_set_is_needed_on_this_machine_too():
    assert status(metrics_token=TOKEN) == 404
