"""Serves every chart on a page of its own: python -m tests.e2e.charts.serve PORT [EVALUATION.json ...]."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, JSONResponse, Response

from app import paths
from app.charts import FIGURES, figure_json
from app.surfaces.pages import health
from app.surfaces.pages.charts import chart_html
from app.surfaces.pages.security import SecurityHeaders
from app.surfaces.pages.static_files import StaticFiles, static_router
from app.surfaces.pages.templating import Templates
from tests.surfaces.pages.states import StateDesigns

PAGE = """
{% extends "base.html" %}
{% block title %}Charts{% endblock %}
{% block head %}
<script type="module" src="/start.js"></script>
{% endblock %}
{% block main %}
<div class="page" data-plotly="{{ static_url('vendor/plotly/plotly-strict.min.js') }}">
  <h1>Charts of a design</h1>
  <h2 class="visually-hidden">Charts</h2>
  <div class="grid" id="charts">{{ charts | safe }}</div>
</div>
{% endblock %}
"""
START = """
import * as charts from "%s";
Object.assign(window, charts);
charts.drawAll();
"""
WIDE = frozenset({"step_time", "topology", "power_flow", "goodput"})


def main() -> None:
    made: dict[str, Any] = {key: make() for key, make in StateDesigns.made.items()}
    for name in sys.argv[2:]:
        made[Path(name).stem] = json.loads(Path(name).read_text(encoding="utf-8"))
    uvicorn.run(create_app(made), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


def create_app(made: dict[str, Any]) -> FastAPI:
    app = FastAPI(openapi_url=None)
    static_files = StaticFiles(paths.static())
    templates = Templates(str(paths.templates()), static_files)
    page = templates.environment.from_string(PAGE)
    app.include_router(health.router)
    app.include_router(static_router(static_files))
    app.add_middleware(SecurityHeaders)

    def charts(state: str) -> str:
        return "".join(
            f'<div class="{"whole" if name in WIDE else "half"}">'
            f"{chart_html(templates, draw(made[state]), before=f'/designs/{state}/explain/')}</div>"
            for name, draw in FIGURES.items()
        )

    @app.get("/start.js")
    def start() -> Response:
        return Response(START % static_files.url("js/charts.js"), media_type="text/javascript")

    @app.get("/charts/{state}")
    def whole(state: str) -> HTMLResponse:
        return HTMLResponse(page.render(charts=charts(state)))

    @app.get("/charts/{state}/part")
    def part(state: str) -> HTMLResponse:
        return HTMLResponse(charts(state))

    @app.get("/charts/{state}/{name}")
    def figure(state: str, name: str) -> JSONResponse:
        return JSONResponse(figure_json(FIGURES[name](made[state])))

    return app


if __name__ == "__main__":
    main()
