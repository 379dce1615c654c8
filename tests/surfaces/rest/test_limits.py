"""Time, room and threads: what takes too long is given up, and the event loop always answers."""

from __future__ import annotations

import asyncio
import threading
import time

import httpx
import pytest

from app.main import create_app
from app.settings import get_settings
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import Services, Workers
from tests.surfaces.rest.conftest import EVALUATIONS, assert_problem


@pytest.fixture
def slow_app(asgi_client, monkeypatch):
    """An application whose evaluations wait, with little time, one thread and room for two."""
    released = threading.Event()
    app = create_app(get_settings())
    api = next(route.app for route in app.routes if getattr(route, "path", "") == "/api")
    limits = Limits(time_limit_s=0.2, workers=1, most_under_way=2)
    services = Services(get_settings(), limits)
    monkeypatch.setattr(services, "evaluated", lambda document: released.wait(20))
    api.state.services = services
    yield app
    released.set()


@pytest.mark.slow
def test_what_takes_too_long_is_given_up_and_the_server_answers_meanwhile(slow_app, scenario):
    async def story():
        transport = httpx.ASGITransport(app=slow_app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            tasks = [asyncio.create_task(client.post(EVALUATIONS, json=scenario)) for _ in range(3)]
            await asyncio.sleep(0.05)
            start = time.perf_counter()
            health = await client.get("/healthz")
            catalog = await client.get("/api/v1/catalog/accelerators?limit=1")
            waited_s = time.perf_counter() - start
            return health, catalog, waited_s, await asyncio.gather(*tasks)

    health, catalog, waited_s, answers = asyncio.run(story())
    assert health.status_code == 200
    assert catalog.status_code == 200
    assert waited_s < 15  # the work itself would take 20
    for answer in answers:
        assert_problem(answer, 503)
        assert int(answer.headers["retry-after"]) >= 1
    slugs = sorted(answer.json()["type"].rpartition("#")[2] for answer in answers)
    assert slugs == ["too-busy", "took-too-long", "took-too-long"]


def test_room_comes_back_when_work_ends():
    workers = Workers(Limits(workers=1, most_under_way=1, time_limit_s=5))

    async def twice():
        return [await workers.run(lambda number: number + 1, number) for number in (1, 2)]

    assert asyncio.run(twice()) == [2, 3]


def test_a_failure_of_the_work_is_its_own():
    workers = Workers(Limits())

    def fail():
        raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(workers.run(fail))
    with pytest.raises(ProblemError):
        asyncio.run(Workers(Limits(most_under_way=0)).run(fail))


def test_an_unexpected_error_is_a_problem_without_its_secrets(asgi_client, scenario, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(Services, "evaluated", fail)
    answer = asgi_client.post(EVALUATIONS, json=scenario, headers={"x-request-id": "abc"})
    content = assert_problem(answer, 500, "internal-error")
    assert "secret" not in answer.text
    assert content["request_id"] == "abc"
    assert "abc" in caplog.text
    assert "/secret/path" in caplog.text
