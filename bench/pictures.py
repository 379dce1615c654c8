"""How large the picture of a large fabric is, and how soon it is made and drawn."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import orjson

from app.catalog.ready import ready_catalog
from app.charts import Figure, figure_json
from app.charts.topology import topology_figure
from app.engine.fabric.topologies import TOPOLOGIES
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.state import encode_state
from bench.fabric import ENDPOINTS, PLACE, SUPERNODES
from bench.timing import Measurement, measured, timed
from tests.running_server import running_server

ROUNDS = 5
DRAW = """
async () => {
  const plot = document.querySelector('figure.chart script.chart-plot').textContent;
  const { data, layout } = JSON.parse(plot.replaceAll(/var\\(--[\\w-]+\\)/g, '#888888')).plot;
  const place = document.createElement('div');
  document.body.append(place);
  const start = performance.now();
  await window.Plotly.newPlot(place, data, layout);
  const taken = performance.now() - start;
  window.Plotly.purge(place);
  place.remove();
  return taken;
}
"""


def picture_measurements(data_dir: Path) -> Iterator[Measurement]:
    """Of the topology whose picture is the largest."""
    pods = {name: large_pod(name) for name in TOPOLOGIES}
    sizes = {name: compressed_kilobytes(topology_figure(pod.as_json)) for name, pod in pods.items()}
    largest = max(sizes, key=lambda name: sizes[name])
    title = f"picture of {ENDPOINTS:,} endpoints"
    yield measured(f"{title}, compressed", [sizes[largest]], unit="kB", aim=300)
    evaluation = pods[largest].as_json
    yield timed(title, lambda: topology_figure(evaluation), runs=11, unit="ms", aim=100)
    yield from _drawn(data_dir, largest, title)


def large_pod(topology: str) -> EvaluatedScenario:
    """The worked example with eight times its nodes, joined otherwise."""
    return evaluate_scenario(build_scenario(values_of(topology)), ready_catalog())


def values_of(topology: str) -> dict[str, object]:
    values = example(PLACE).read().as_dict()
    values["pod"]["supernodes"] = SUPERNODES
    values["pod"]["fabric"] = {"topology": topology}
    return values


def compressed_kilobytes(figure: Figure) -> float:
    """The figure as it is sent, all that opens from it included."""
    return len(gzip.compress(orjson.dumps(figure_json(figure), option=orjson.OPT_SERIALIZE_NUMPY))) / 1e3


def _drawn(data_dir: Path, topology: str, title: str) -> Iterator[Measurement]:
    """In Chromium, where there is one; bench/studio.py says so where there is none."""
    try:
        from playwright.sync_api import sync_playwright

        from tests.browser import find_browser, launch
    except ImportError:
        return
    executable = find_browser()
    if executable is None:
        return
    with running_server(data_dir) as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        page = browser.new_page(base_url=server.base_url, viewport={"width": 1280, "height": 900})
        page.goto(f"/fabric/{PLACE}/topology?s={encode_state(values_of(topology))}")
        page.wait_for_selector("figure.chart .plot[data-drawn]")
        yield measured(f"{title}, drawn", [page.evaluate(DRAW) for _ in range(ROUNDS)], unit="ms", aim=1000)
        browser.close()
