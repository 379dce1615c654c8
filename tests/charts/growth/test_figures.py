"""Charts of growth are ones that Plotly takes, say what they show, and survive what is unknown."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.charts.figure import Figure
from app.charts.growth.gap import gap_figure
from app.charts.growth.indexed import STYLES, indexed_figure
from app.charts.growth.projection import projection_figure
from app.views.growth.answer import trend_answer, trends_answer
from app.views.growth.gap import gap_answer
from app.views.growth.series import SERIES
from tests.charts.support import layout, traces

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def catalog(seeded_data_dir: Path) -> Catalog:
    return ready_catalog()


def assert_drawn(figure: Figure) -> None:
    assert figure.plot is not None
    assert figure.takeaway.endswith(".")


def test_demand_beside_devices(catalog: Catalog) -> None:
    figure = indexed_figure(trends_answer(catalog)["items"], {"Moore": 2**0.5})
    assert_drawn(figure)
    assert len(figure.rows) == len(STYLES) + 1
    assert "×16" in [row.cells for row in figure.rows][-1]
    lines = [trace for trace in traces(figure) if trace.get("name")]
    assert {trace["line"]["dash"] for trace in lines} > {"solid", "dash", "dot"}
    bands = [trace for trace in traces(figure) if trace.get("fill")]
    assert len(bands) == len(STYLES)


def test_without_a_fit_nothing_is_drawn(catalog: Catalog) -> None:
    items = copy.deepcopy(trends_answer(catalog)["items"])
    for one in items:
        one["fit"] = None
    assert indexed_figure(items, {"Moore": 2**0.5}).plot is None


@pytest.mark.parametrize("key", SERIES)
def test_every_trend_is_drawn(catalog: Catalog, key: str) -> None:
    assert_drawn(projection_figure(trend_answer(catalog, key)))


def test_a_projection_says_what_it_comes_to_and_what_binds(catalog: Catalog) -> None:
    below = projection_figure(trend_answer(catalog, "frontier_compute"))
    assert "in 2030" in below.takeaway
    assert "below the limit of power" in below.takeaway
    assert len(layout(below)["shapes"]) == 3
    bound = projection_figure(trend_answer(catalog, "cluster_power"))
    assert re.search(r"binds in 202\d\.\d, at 9\.00\u202fGW\.$", bound.takeaway)
    free = projection_figure(trend_answer(catalog, "memory_bandwidth"))
    assert "No limit is published" in free.caption
    assert layout(free)["shapes"] == []


def test_beyond_the_figures_the_line_is_dashed(catalog: Catalog) -> None:
    trend = trend_answer(catalog, "frontier_compute")
    solid, dashed = traces(projection_figure(trend))[-2:]
    assert (solid["line"]["dash"], dashed["line"]["dash"]) == ("solid", "dash")
    assert solid["x"][-1] == dashed["x"][0] >= trend["last_year"]
    assert dashed["x"][-1] == 2030


def test_too_few_figures_are_said(catalog: Catalog) -> None:
    trend = {**trend_answer(catalog, "tdp"), "projection": None, "fit": None, "unknown": "3 are too few."}
    figure = projection_figure(trend)
    assert figure.plot is None
    assert figure.takeaway == "3 are too few."


def gap(catalog: Catalog, *names: str) -> dict[str, Any]:
    return gap_answer(catalog, *names)


def test_the_gap(catalog: Catalog) -> None:
    figure = gap_figure(gap(catalog))
    assert_drawn(figure)
    assert figure.takeaway == (
        "In 7 years arithmetic grew ×18 to ×72 by precision, the node bus ×6, RDMA ×4 to ×8."
    )


def test_a_gap_leaves_out_what_is_unknown(catalog: Catalog) -> None:
    figure = gap_figure(gap(catalog, "nvidia_v100_sxm2_32", "nvidia_a100_sxm_80"))
    assert_drawn(figure)
    assert "FP8" not in [row.cells[0] for row in figure.rows]
    bare = copy.deepcopy(gap(catalog))
    for one in (*bare["compute"], *bare["links"]):
        one["factor"] = None
    assert gap_figure(bare).plot is None
