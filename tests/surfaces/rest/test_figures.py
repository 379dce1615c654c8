"""Charts as Plotly figures, with words and data."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from app.charts import FIGURES, STUDY_FIGURES
from app.views.colours import THEMES, colours, in_colours
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", [*FIGURES, *STUDY_FIGURES])
def test_every_figure_is_one_that_plotly_takes(asgi_client, scenario, name, theme):
    answer = asgi_client.post(f"/api/v1/figures/{name}?theme={theme}", json=scenario)
    assert answer.status_code == 200
    content = answer.json()
    assert content["name"] == name
    assert content["takeaway"]
    assert content["caption"]
    assert "var(--" not in answer.text
    go.Figure(content["plot"])
    widths = {len(row["cells"]) for row in content["table"]["rows"]}
    assert widths <= {len(content["table"]["columns"])}


def test_themes_differ(asgi_client, scenario):
    light, dark = (asgi_client.post(f"/api/v1/figures/tco?theme={theme}", json=scenario) for theme in THEMES)
    assert light.json()["plot"] != dark.json()["plot"]
    assert light.headers["etag"] != dark.headers["etag"]


def test_every_token_has_a_colour():
    for theme in THEMES:
        assert len(colours(theme)) > 30
        assert all(value.startswith(("#", "rgb")) for value in colours(theme).values())
    assert in_colours({"a": ["var(--c1)", 3, None]}, "dark") == {"a": [colours("dark")["c1"], 3, None]}


def test_a_figure_without_data_has_words_and_no_plot(asgi_client):
    document = asgi_client.get("/api/v1/examples/dense_128b_on_tpu_v5p").json()
    content = asgi_client.post("/api/v1/figures/tco", json=document).json()
    assert content["plot"] is None
    assert content["takeaway"]


def test_an_unknown_figure_or_theme_names_the_nearest(asgi_client, scenario):
    content = assert_problem(asgi_client.post("/api/v1/figures/step_tim", json=scenario), 404)
    assert "step_time" in content["detail"]
    content = assert_problem(asgi_client.post("/api/v1/figures/tco?theme=drak", json=scenario), 400)
    assert content["errors"][0]["parameter"] == "theme"
    content = assert_problem(asgi_client.post("/api/v1/figures/tco?them=dark", json=scenario), 400)
    assert "theme" in content["detail"]
