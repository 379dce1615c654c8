"""The single-line diagram: paths, marks of a lost block, and what is unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.charts.facility.single_line import single_line_figure
from app.charts.facility.single_line_boxes import PATHS, Feeds
from app.charts.figure import Figure
from app.engine.facility.electrical.redundancy import SCHEMES
from tests.charts.support import layout
from tests.engine.facility.electrical.cases import chain_of, loads_of, lost, sized


def drawn(scheme: str = "2N", lost_kind: str = "", unknown: bool = False, **words: str) -> Figure:
    chain = chain_of(scheme, **words)
    loads, racks = loads_of(chain, supernodes=40)
    if unknown:
        loads.carried_w["ups"] = np.array([np.nan])
    sizing = sized(chain, loads, racks)
    feeds = Feeds(racks, loads.it_w[0], loads.cooling_and_house_w[0])
    return single_line_figure(chain, sizing, lost(chain, sizing, loads), feeds, lost_kind)


def boxes(layout: dict[str, Any], **line: Any) -> list[dict[str, Any]]:
    found = [shape for shape in layout["shapes"] if shape["type"] == "rect"]
    return [shape for shape in found if all(shape["line"][name] == value for name, value in line.items())]


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_every_scheme_has_its_paths(scheme: str) -> None:
    figure = drawn(scheme)
    paths = len(PATHS[scheme])
    # six kinds on every path; generators, cooling, pumps, cooling load beside; racks under all
    assert len(boxes(layout(figure))) == 6 * paths + 4 + 1
    assert len(figure.rows) == 11
    assert (figure.minimum_width > 0) == (paths > 2)


def test_the_lost_block_and_the_one_that_takes_over_are_marked() -> None:
    figure = drawn("2N", "ups")
    drawing = layout(figure)
    assert len(boxes(drawing, dash="dash")) == 1
    assert len(boxes(drawing, color="var(--accent)")) == 1
    assert any(note["text"] == "1 of 4 lost" for note in drawing["annotations"])
    assert figure.takeaway.startswith("With one UPS lost the rest carries on at ")


def test_on_one_bus_the_rest_of_the_path_takes_over() -> None:
    drawing = layout(drawn("N+1", "switchboard"))
    assert any(note["text"].startswith("1 of 4 lost, rest ") for note in drawing["annotations"])


@pytest.mark.parametrize("kind", ["generator", "cooling_transformer", "rack_feed", "shelf", "utility_feed"])
def test_blocks_beside_the_paths_can_be_lost(kind: str) -> None:
    assert len(boxes(layout(drawn("block_redundant", kind)), dash="dash")) == 1


def test_what_cannot_be_served_is_said() -> None:
    assert "of IT cannot be served" in drawn("N", "switchboard").takeaway


def test_a_reserve_stands_idle() -> None:
    notes = layout(drawn("block_redundant"))["annotations"]
    assert sum(note["text"] == "idle" for note in notes) == 6


@pytest.mark.parametrize("words", [{"distribution": "dc_800"}, {"ups": "rack_batteries"}])
def test_chains_without_a_transformer_or_a_ups(words: dict[str, str]) -> None:
    assert len(boxes(layout(drawn("2N", **words)))) == 5 * 2 + 4 + 1


def test_an_unknown_load_is_not_drawn() -> None:
    figure = drawn(unknown=True)
    assert figure.plot is None
    assert "unknown" in figure.takeaway
