"""The whole application: what its requests are called, how it refuses, and how it says that it ends."""

from __future__ import annotations

import json
import logging

import pytest

from app.main import create_app
from app.server.logs import JsonFormatter
from app.settings import Settings
from tests.asgi import asgi_client_of


@pytest.fixture
def told(caplog):
    caplog.set_level(logging.DEBUG, logger="app.requests")

    def lines() -> list[dict]:
        formatter = JsonFormatter()
        return [
            json.loads(formatter.format(record)) for record in caplog.records if record.name == "app.requests"
        ]

    return lines


def test_every_route_of_the_api_is_called_as_it_is_written(reading_client, told):
    """No prefix of a router holds a name: else what stands there would get into logs and counts."""
    paths = list(reading_client.get("/openapi.json").json()["paths"])
    assert len(paths) > 50
    for path in paths:
        reading_client.request("BREW", path.replace("{", "of-").replace("}", "-not-written"))
    assert [line["route"] for line in told() if line["method"] == "BREW"] == paths


@pytest.mark.parametrize(
    ("path", "called"),
    [
        ("/designs/edge_node", "/designs/{key}"),
        ("/designs/edge_node/explain/performance.mfu", "/designs/{key}/explain/{path}"),
        ("/catalog/accelerators/none", "/catalog/{kind}/{key}"),
        ("/none/hunter2", "unmatched"),
        ("/api/none/hunter2", "unmatched"),
    ],
)
def test_pages_are_called_after_their_routes(reading_client, told, path, called):
    reading_client.get(path)
    assert [line["route"] for line in told()] == [called]


def test_a_failure_is_logged_under_its_route_and_id(asgi_client, monkeypatch, caplog):
    monkeypatch.setattr("app.surfaces.pages.pages.explain_page", lambda *_: 1 / 0)
    answer = asgi_client.get(
        "/designs/edge_node/explain/performance.mfu", headers={"accept": "text/html", "x-request-id": "r-1"}
    )
    assert answer.status_code == 500
    assert "<code>r-1</code>" in answer.text
    assert "GET /designs/{key}/explain/{path} failed" in caplog.text
    assert "edge_node" not in "".join(record.getMessage() for record in caplog.records)


def test_a_server_that_is_about_to_end_is_not_ready_and_still_answers(own_settings, seeded_data_dir):
    app = create_app(Settings(data_dir=own_settings))
    with asgi_client_of(app) as client:
        assert client.get("/readyz").status_code == 200
        app.state.ending.has_begun = True
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["detail"]) == (503, "The server is about to end.")
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/v1/catalog/accelerators?limit=1").status_code == 200
