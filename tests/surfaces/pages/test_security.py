"""Headers that keep an answer to its own host, on every kind of answer, and what may be kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.main import create_app
from app.settings import Settings
from app.surfaces.pages.security import HEADERS, HTTPS_ONLY
from tests.asgi import AsgiClient, asgi_client_of
from tests.people import People

PAGE = {"accept": "text/html"}
KINDS = [
    ("GET", "/", {"headers": PAGE}, 200),
    ("GET", "/nowhere", {"headers": PAGE}, 404),
    ("GET", "/nowhere", {"headers": {"accept": "application/json"}}, 404),
    ("DELETE", "/", {}, 405),
    ("GET", "/", {"headers": {"host": "evil.example"}}, 421),
    ("GET", "/healthz", {}, 200),
    ("GET", "/readyz", {}, 200),
    ("GET", "/metrics", {}, 200),
    ("GET", "/docs", {}, 200),
    ("GET", "/openapi.json", {}, 200),
    ("GET", "/static/0/css/none.css", {}, 404),
    ("GET", "/api/v1/catalog/accelerators?limit=1", {}, 200),
    ("GET", "/api/v1/nowhere", {}, 404),
    ("POST", "/api/v1/evaluations", {"content": b"{"}, 415),
    ("POST", "/api/v1/evaluations", {"json": {}}, 422),
    ("POST", "/api/v1/evaluations", {"json": {}, "headers": {"content-encoding": "gzip"}}, 415),
    ("POST", "/api/v1/evaluations", {"json": "x" * 1_000_001}, 413),
    ("POST", "/import", {"content": b"x" * 8_000_001}, 413),
    ("POST", "/import", {"data": {"text": "name: a"}, "headers": {"origin": "https://evil.example"}}, 403),
    ("POST", "/import", {"data": {"text": "a: 1"}, "headers": {"content-encoding": "br"} | PAGE}, 415),
]


@pytest.mark.parametrize(("method", "path", "options", "status"), KINDS)
def test_every_kind_of_answer_has_them(
    reading_client: AsgiClient, method: str, path: str, options: dict[str, object], status: int
) -> None:
    answer = reading_client.request(method, path, **options)
    assert answer.status_code == status, answer.text[:300]
    assert HEADERS.items() <= dict(answer.headers).items()
    assert answer.headers["x-request-id"]
    assert "strict-transport-security" not in answer.headers
    assert "server" not in answer.headers


def test_what_is_not_changed_has_them_too(reading_client: AsgiClient) -> None:
    tag = reading_client.get("/openapi.json").headers["etag"]
    answer = reading_client.get("/openapi.json", headers={"if-none-match": tag})
    assert answer.status_code == 304
    assert HEADERS.items() <= dict(answer.headers).items()


@pytest.fixture
def troubled(own_settings: Path, seeded_data_dir: Path) -> Iterator[AsgiClient]:
    """A server that gives up soon, allows two requests, and has routes that fail."""
    app = create_app(Settings(data_dir=own_settings, request_seconds=1.0, rate_per_minute=1, rate_burst=2))

    async def waits() -> None:
        await asyncio.sleep(30)

    def fails() -> None:
        raise RuntimeError("in the dark")

    for path, endpoint in (("/waits", waits), ("/api/waits", waits), ("/fails", fails)):
        app.add_api_route(path, endpoint)
        app.router.routes.insert(0, app.router.routes.pop())
    with asgi_client_of(app) as client:
        yield client


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.parametrize(("path", "status"), [("/fails", 500), ("/waits", 504), ("/api/waits", 504)])
def test_failures_and_refusals_have_them(troubled: AsgiClient, accept: str, path: str, status: int) -> None:
    answers = [
        troubled.get(address, headers={"accept": accept}) for address in (path, "/healthz", path, path)
    ]
    assert [answer.status_code for answer in answers] == [status, 200, status, 429]
    for answer in (answers[0], answers[-1]):
        assert HEADERS.items() <= dict(answer.headers).items()
        assert answer.headers["x-request-id"] in answer.text
        assert "in the dark" not in answer.text
        page = accept == "text/html" and not path.startswith("/api/")
        kind = "text/html" if page else "application/problem+json"
        assert answer.headers["content-type"].split(";")[0] == kind
    assert int(answers[-1].headers["retry-after"]) >= 1


@pytest.mark.parametrize("url", ["https://podwright.example.org", "http://podwright.example.org", ""])
def test_browsers_are_told_to_come_by_https_where_people_do(own_settings: Path, url: str) -> None:
    with asgi_client_of(create_app(Settings(data_dir=own_settings, public_url=url))) as client:
        for path in ("/healthz", "/nowhere", "/api/v1/nowhere", "/static/0/none.css"):
            found = client.get(path).headers.get("strict-transport-security")
            assert found == (HTTPS_ONLY["strict-transport-security"] if url.startswith("https") else None)


def test_nothing_is_kept_of_what_somebody_sees_who_has_signed_in(people: People) -> None:
    ada = people.client("Ada Lovelace")
    for path, status in (("/", 200), ("/saved/scenario/none/history", 404)):
        page = ada.get(path, headers=PAGE)
        assert (page.status_code, page.headers["cache-control"]) == (status, "no-store"), path
    for path in ("/api/v1/scenarios", "/api/v1/scenarios/none"):
        assert ada.get(path).headers["cache-control"] in ("private, no-cache", "no-cache", "no-store"), path


def test_what_is_the_same_for_all_may_be_kept(people: People) -> None:
    page = people.client("Ada Lovelace").get("/", headers=PAGE).text
    address = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
    assert address.startswith("/static/")
    for client in (people.client("Ada Lovelace"), people.client()):
        assert client.get(address).headers["cache-control"].startswith("public, max-age=")
    assert "cache-control" not in people.client().get("/docs", headers=PAGE).headers
