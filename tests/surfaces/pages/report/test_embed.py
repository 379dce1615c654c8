"""One chart for a frame of another page: framed by allowed hosts only, read-only, without scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.charts import FIGURES
from app.main import create_app
from app.settings import Settings
from tests.asgi import AsgiClient, asgi_client_of

pytestmark = pytest.mark.slow


def policy(answer) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in answer.headers["content-security-policy"].split(";"))
    return {name: value for name, _, value in parts}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_chart_is_shown_alone(reading_client: AsgiClient, name: str, theme: str) -> None:
    answer = reading_client.get(f"/designs/edge_node/embed/{name}?theme={theme}")
    assert answer.status_code == 200
    assert answer.text.count("<svg") == 1
    for absent in ("<script", "<form", "<nav", "var(--"):
        assert absent not in answer.text
    assert policy(answer)["default-src"] == "'none'"


def test_only_allowed_hosts_frame_it_and_nothing_else_is_framed(
    own_settings: Path, seeded_data_dir: Path
) -> None:
    settings = Settings(data_dir=own_settings, frame_hosts="https://wiki.example.org, https://*.example.com")
    with asgi_client_of(create_app(settings)) as client:
        chart = client.get("/designs/edge_node/embed/tco")
        assert policy(chart)["frame-ancestors"] == "'self' https://wiki.example.org https://*.example.com"
        assert "x-frame-options" not in chart.headers, "which would forbid what the policy allows"
        for page in (
            "/",
            "/designs/edge_node",
            "/designs/edge_node/report",
            "/designs/edge_node/pack/steps",
            "/studies/",
            "/fleet/",
            "/catalog",
            "/import",
            "/api/v1/examples",
            "/docs",
            "/healthz",
            "/designs/edge_node/export",
            "/no/such/page",
        ):
            answer = client.get(page)
            assert policy(answer)["frame-ancestors"] == "'none'", page
            assert answer.headers["x-frame-options"] == "DENY", page


def test_without_a_setting_only_this_server_frames_it(reading_client: AsgiClient) -> None:
    assert policy(reading_client.get("/designs/edge_node/embed/tco"))["frame-ancestors"] == "'self'"


@pytest.mark.parametrize(
    "hosts",
    ["*", "wiki", "https://a.org/path", "https://a.org; script-src *", "javascript:x", "https://a.org b"],
)
def test_what_is_no_origin_is_refused(hosts: str) -> None:
    with pytest.raises(ValueError, match="is no origin"):
        Settings(frame_hosts=hosts)


def test_a_chart_that_there_is_not_names_the_nearest(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/designs/edge_node/embed/tcoo")
    assert answer.status_code == 404
    assert "tco" in answer.text
