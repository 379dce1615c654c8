"""Charts of scaling laws: ones that Plotly takes, dashed beyond the fitted range, every law distinguished."""

from __future__ import annotations

from typing import Any

import pytest

from app.charts.figure import Figure
from app.charts.scaling.isoflop import isoflop_figure
from app.charts.scaling.law_curves import loss_compute_figure, tokens_per_parameter_figure
from app.scenarios.load import build_document
from app.views.projecting.curves import curves
from app.views.projecting.options import ProjectionOptions
from app.views.projecting.project import project
from tests.charts.support import layout, traces

CASES: dict[str, dict[str, Any]] = {
    "optimum": {"flops": 5.76e23},
    "over-trained": {"parameters": 8e9, "tokens": 15e12},
    "inside": {"flops": 1e20},
    "kaplan": {"law": "kaplan", "flops": 1e22},
    "frontier": {"law": "llama_3", "flops": 1e22},
    "routed": {"law": "moe_routed", "experts": 64, "parameters": 1e9},
    "every option": {"law": "data_constrained", "unique_tokens": 1e11, "parameters": 1e10, "tokens": 1e12},
    "beyond the chart": {"flops": 1e32},
}
DRAW = {"loss": loss_compute_figure, "isoflop": isoflop_figure, "ratio": tokens_per_parameter_figure}


def figure(draw: str, case: str) -> Figure:
    options = build_document(ProjectionOptions, CASES[case])
    answer = project(options)
    return DRAW[draw](curves(options, answer), answer)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("draw", DRAW)
def test_plotly_takes_every_chart(draw: str, case: str) -> None:
    found = figure(draw, case)
    assert found.takeaway.endswith(".")
    assert found.caption.endswith(".")
    if found.plot is None:
        assert (draw, case) in {("isoflop", "frontier"), ("isoflop", "routed")}
        return
    axes = [layout(found)[name]["title"]["text"] for name in ("xaxis", "yaxis")]
    assert all(axes)


def lines(found: Figure, name: str) -> dict[str, dict[str, Any]]:
    """The traces of a law: where it was fitted and beyond."""
    return {trace["meta"]: trace for trace in traces(found) if trace.get("name") == name}


@pytest.mark.parametrize("draw", ["loss", "ratio"])
def test_beyond_the_fitted_range_curves_are_dashed(draw: str) -> None:
    found = figure(draw, "optimum")
    own = lines(found, "Chinchilla, refit by Epoch AI")
    inside, beyond = own["inside"], own["beyond"]
    assert inside["line"]["dash"] == "solid"
    assert beyond["line"]["dash"] not in ("solid", "")
    solid = [x for x, y in zip(inside["x"], inside["y"], strict=True) if y is not None]
    assert solid[0] >= 6e18
    assert solid[-1] <= 3e21
    dashed = {x for x, y in zip(beyond["x"], beyond["y"], strict=True) if y is not None}
    assert {solid[0], solid[-1]} <= dashed  # the two meet
    assert not set(solid[1:-1]) & dashed
    assert len(dashed | set(solid)) == len(inside["x"])
    assert "dashed beyond: there it is an extrapolation" in found.caption
    assert any("*" in cell for row in found.rows for cell in row.cells)


def test_the_valley_of_a_model_inside_the_range_is_solid_in_the_middle() -> None:
    own = lines(figure("isoflop", "inside"), "Loss")
    assert set(own) == {"inside", "beyond"}
    assert set(lines(figure("isoflop", "over-trained"), "Loss")) == {"beyond"}


@pytest.mark.parametrize("draw", ["loss", "ratio"])
def test_each_law_has_a_colour_and_a_marker_of_its_own(draw: str) -> None:
    found = figure(draw, "optimum")
    marks = [trace["marker"] for trace in traces(found)[:-1] if trace["mode"] == "markers"]
    assert len(marks) == len(found.legend) == len(found.rows)
    assert len({(mark["symbol"], mark["color"]) for mark in marks}) == len(marks)
    assert found.legend[0].slot == "c1"


def test_a_law_keeps_its_colour_in_both_charts() -> None:
    slots = {
        draw: {row.cells[0]: row.slot for row in figure(draw, "optimum").rows} for draw in ("loss", "ratio")
    }
    assert slots["loss"].items() <= slots["ratio"].items()


def test_the_valley_marks_the_best_and_the_chosen_size_and_bands_the_best() -> None:
    found = figure("isoflop", "over-trained")
    rings = [trace for trace in traces(found) if trace["mode"] == "markers"]
    assert [trace["x"][0] for trace in rings][1] == 8e9
    (band,) = layout(found)["shapes"]
    assert band["x0"] < rings[0]["x"][0] < band["x1"]
    assert "80 % probability" in found.caption
    assert "10.1 times smaller than the best size" in found.takeaway
    assert [mark.label for mark in found.legend] == [
        "Best size",
        "This model",
        "80 % interval of the best size",
    ]


def test_what_is_not_known_is_said() -> None:
    assert "no interval" in figure("isoflop", "kaplan").caption
    assert "measured apart" in figure("isoflop", "kaplan").caption
    assert "experts" in figure("loss", "optimum").caption
    assert "not what loss it buys" in figure("loss", "frontier").takeaway
    assert "inside its fitted range" in figure("loss", "inside").takeaway
