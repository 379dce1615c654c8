"""The picture of a node in its networks."""

from __future__ import annotations

from typing import Any

import pytest

from app.charts.networks import Connection, networks_figure
from tests.charts.support import layout

COMPUTE = Connection("Compute fabric", True, 8, 400, 48)
STORAGE = Connection("Storage network", True, 2, 400, 14)
SHARED = Connection("Storage network", True, 2, 200, 0, through="In-band network")
IN_BAND = Connection("In-band network", True, 2, 200, 8)
MISSING = Connection("Out-of-band network", False, 0, 0, 0)


def parts(connections: list[Connection]) -> dict[str, Any]:
    return layout(networks_figure(connections))


def lines(drawing: dict[str, Any]) -> list[dict[str, Any]]:
    return [shape for shape in drawing["shapes"] if shape["type"] == "line"]


def test_every_port_is_a_line() -> None:
    assert len(lines(parts([COMPUTE, STORAGE, MISSING]))) == 8 + 2


def test_many_ports_are_drawn_as_eight() -> None:
    assert len(lines(parts([COMPUTE._replace(ports=72)]))) == 8


def test_a_shared_network_is_dashed_and_leads_to_the_one_that_carries_it() -> None:
    drawing = parts([COMPUTE, SHARED, IN_BAND])
    dashed = [line for line in lines(drawing) if line["line"]["dash"] == "dash"]
    assert len(dashed) == 2
    assert all(line["y1"] < line["y0"] for line in dashed)
    boxes = [shape for shape in drawing["shapes"] if shape["type"] == "rect"]
    assert len(boxes) == 1 + 2
    assert any("by the in-band network" in note["text"] for note in drawing["annotations"])


def test_the_takeaway_counts_ports_once() -> None:
    assert networks_figure([COMPUTE, SHARED, IN_BAND]).takeaway.startswith(
        "A node has 10 ports in 2 networks"
    )
    assert networks_figure([COMPUTE]).takeaway.startswith("A node has 8 ports in 1 network,")
    assert networks_figure([MISSING]).takeaway == "One SuperNode alone is in no network of a pod."


@pytest.mark.parametrize("unknown", [COMPUTE._replace(ports=None), COMPUTE._replace(gbit_s=None)])
def test_what_is_unknown_is_said(unknown: Connection) -> None:
    figure = networks_figure([unknown, IN_BAND])
    assert "unknown" in figure.takeaway
    assert "unknown" in figure.rows[0].cells
    parts([unknown._replace(switches=None), IN_BAND])
