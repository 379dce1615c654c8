"""Idempotency-Key: what is sent twice is made once, on every address that makes something."""

from __future__ import annotations

import threading
import time
import uuid

import pytest

from app.main import create_app
from app.saved.store import SavedWork
from app.settings import get_settings
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.services import Services
from tests.asgi import asgi_client_of
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import said

pytestmark = pytest.mark.slow

MAKERS = ["create", "duplicate"]


@pytest.fixture
def make(asgi_client, kept):
    """make("create", key) sends the same request each time, or one with changes."""

    def send(maker, key, *, query="", document=None):
        headers = {} if key is None else {"idempotency-key": key}
        if maker == "create":
            body = document or kept.sample.document
            return asgi_client.post(f"{kept.sample.address}{query}", json=body, headers=headers)
        return asgi_client.post(f"{kept.path}/duplicate{query}", headers=headers)

    return send


def count(client, kept) -> int:
    return len(said(client.get(f"{kept.sample.address}?limit=500"))["items"])


@pytest.mark.parametrize("maker", MAKERS)
def test_the_same_request_makes_one_thing(asgi_client, kept, make, maker):
    key, before = str(uuid.uuid4()), count(asgi_client, kept)
    first, second, third = (make(maker, key) for _ in range(3))
    assert said(first, 201) == said(second, 201) == said(third, 201)
    assert "idempotency-replayed" not in first.headers
    for again in (second, third):
        assert again.headers["idempotency-replayed"] == "true"
        for name in ("etag", "location", "content-type"):
            assert again.headers[name] == first.headers[name]
    assert count(asgi_client, kept) == before + 1


@pytest.mark.parametrize("maker", MAKERS)
def test_the_answer_stays_that_of_the_first_time(asgi_client, make, maker):
    key = str(uuid.uuid4())
    first = make(maker, key)
    path = first.headers["location"]
    assert asgi_client.patch(path, json={"name": "Other"}, headers={"if-match": "*"}).status_code == 200
    assert asgi_client.delete(path, headers={"if-match": "*"}).status_code == 204
    assert said(make(maker, key), 201) == first.json()


@pytest.mark.parametrize("maker", MAKERS)
def test_another_request_with_the_key_is_refused(asgi_client, kept, make, maker):
    key = str(uuid.uuid4())
    assert make(maker, key).status_code == 201
    before = count(asgi_client, kept)
    other = {"query": "?name=Other"} if maker == "duplicate" else {"query": "?note=Other"}
    assert_problem(make(maker, key, **other), 422, "key-reused")
    if maker == "create":
        assert_problem(make(maker, key, document=kept.sample.other), 422, "key-reused")
        assert_problem(make(maker, key, document=kept.sample.wrong), 422, "key-reused")
    assert_problem(make("create" if maker == "duplicate" else "duplicate", key), 422, "key-reused")
    assert count(asgi_client, kept) == before


@pytest.mark.parametrize("maker", MAKERS)
def test_without_a_key_every_request_makes_something(asgi_client, kept, make, maker):
    before = count(asgi_client, kept)
    assert make(maker, None).headers["location"] != make(maker, None).headers["location"]
    assert count(asgi_client, kept) == before + 2


def test_a_request_that_failed_leaves_its_key_free(make, kept):
    key = str(uuid.uuid4())
    assert_problem(make("create", key, document=kept.sample.wrong), 422, kept.sample.problem)
    assert make("create", key).status_code == 201


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "\x7f"])
def test_a_key_that_is_none_is_refused(make, maker, key):
    content = assert_problem(make(maker, key), 400, "invalid-parameter")
    assert content["errors"][0]["parameter"] == "Idempotency-Key"


@pytest.mark.parametrize("maker", MAKERS)
def test_a_key_that_is_being_worked_on_is_answered_at_once(asgi_client, kept, make, maker, monkeypatch):
    """The first request waits inside its save until the second has been answered."""
    started, released = threading.Event(), threading.Event()
    method = getattr(SavedWork, maker)

    def slowly(self, *arguments, **named):
        started.set()
        assert released.wait(20)
        return method(self, *arguments, **named)

    monkeypatch.setattr(SavedWork, maker, slowly)
    answers = []
    key = str(uuid.uuid4())
    first = threading.Thread(target=lambda: answers.append(make(maker, key)))
    first.start()
    try:
        assert started.wait(20)
        second = make(maker, key)
    finally:
        released.set()
        first.join()
    assert_problem(second, 409, "key-in-flight")
    assert int(second.headers["retry-after"]) >= 1
    assert answers[0].status_code == 201
    assert make(maker, key).headers["idempotency-replayed"] == "true"


def test_a_save_that_takes_too_long_can_be_sent_again(asgi_client, sample, monkeypatch):
    """No one waits for it any longer; it is saved all the same, and once."""
    released, create = threading.Event(), SavedWork.create

    def slowly(self, *arguments, **named):
        assert released.wait(20)
        return create(self, *arguments, **named)

    monkeypatch.setattr(SavedWork, "create", slowly)
    app = create_app(get_settings())
    api = next(route.app for route in app.routes if getattr(route, "path", "") == "/api")
    api.state.services = Services(get_settings(), Limits(time_limit_s=1.0, workers=2))
    headers = {"idempotency-key": str(uuid.uuid4())}
    with asgi_client_of(app) as client:
        given_up = client.post(sample.address, json=sample.document, headers=headers)
        assert "may still be saved" in assert_problem(given_up, 503, "took-too-long")["detail"]
        assert int(given_up.headers["retry-after"]) >= 1
        again = client.post(sample.address, json=sample.document, headers=headers)
        assert_problem(again, 409, "key-in-flight")
        released.set()
        for _ in range(200):
            answer = client.post(sample.address, json=sample.document, headers=headers)
            if answer.status_code == 201:
                break
            time.sleep(0.05)
    assert answer.headers["idempotency-replayed"] == "true"
