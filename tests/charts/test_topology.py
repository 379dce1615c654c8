"""From the pod down to a node: units of their real size, and what is inside them."""

from __future__ import annotations

from typing import Any

import pytest

from app.charts import FIGURES
from app.charts.fat_tree import unit_sizes
from app.charts.figure import Detail
from app.charts.inside import link_gbit_s, supernode_detail
from tests.charts.support import assert_drawable, layout, notes, traces
from tests.surfaces.pages.states import whole


def choices(plot: dict[str, Any] | None) -> list[list[Any]]:
    assert plot is not None
    found: list[list[Any]] = next(
        trace["customdata"] for trace in plot["data"] if trace.get("meta") == "choosable"
    )
    return found


def partly_filled() -> dict[str, Any]:
    evaluation = whole()
    evaluation["fabric"] |= {"scalable_units": 7, "unit_supernodes": 20}
    evaluation["inputs"]["pod"]["supernodes"] = 128
    return evaluation


@pytest.mark.parametrize("supernodes", [1, 5, 31, 32, 33, 2048])
def test_units_hold_every_supernode(supernodes: int) -> None:
    units = -(-supernodes // 32)
    sizes = unit_sizes(supernodes, units, 32)
    assert sum(sizes) == supernodes
    assert len(sizes) == units
    assert all(size == 32 for size in sizes[:-1])


def test_last_unit_is_partly_filled() -> None:
    figure = FIGURES["topology"](partly_filled())
    units = choices(figure.plot)
    assert [words for _, words, _ in units][-2:] == ["20 SuperNodes, 160 GPUs", "8 SuperNodes, 64 GPUs"]
    assert units[-1][2] != units[0][2]
    assert len(choices(figure.details[units[-1][2]].plot)) == 8
    assert "the last of 8" in figure.caption


def test_links_carry_their_rate() -> None:
    figure = FIGURES["topology"](whole())
    texts = notes(figure)
    assert texts.count("16,384 × 400G") == 3


def test_every_unit_reaches_the_few_leaves_that_there_are() -> None:
    evaluation = partly_filled()
    evaluation["fabric"]["topology"] = "fat_tree"
    evaluation["fabric"]["tiers"] = [evaluation["fabric"]["tiers"][0] | {"switches": 2.0, "links": 56.0}]
    figure = FIGURES["topology"](evaluation)
    curves = [shape for shape in layout(figure)["shapes"] if shape["type"] == "path"]
    assert len(curves) == 7 * 2


def test_rate_is_that_of_a_link_not_of_a_nic() -> None:
    evaluation = whole()
    evaluation["inputs"]["supernode"]["scale_out_nic_bandwidth_bytes_per_s"] = 100e9
    assert link_gbit_s(evaluation) == 400
    evaluation["fabric"]["planes"] = 4
    assert link_gbit_s(evaluation) == 200
    evaluation["inputs"]["pod"]["switch_port_bandwidth_bytes_per_s"] = None
    assert link_gbit_s(evaluation) is None


def test_unit_opens_down_to_a_server() -> None:
    unit = FIGURES["topology"](whole()).details[0]
    assert choices(unit.plot)[0][:2] == ["SuperNode 1", "8 GPUs, 8 rails"]
    (server,) = unit.details
    assert not server.details
    assert dict(server.facts)["NICs"] == "8 × 400G"
    assert server.note == "4 SuperNodes share a rack."
    accelerators, nics = traces(server)
    assert len(accelerators["x"]) == len(nics["x"]) == 8


@pytest.mark.parametrize(
    ("accelerators", "nodes", "racks", "nics"),
    [(72, 18, 1, 72), (384, 48, 16, 384), (64, 4, 2, 64), (8, 2, None, 0)],
)
def test_rack_sized_supernode_opens_to_its_nodes(
    accelerators: int, nodes: int, racks: int | None, nics: int
) -> None:
    evaluation = whole()
    evaluation["inputs"]["supernode"] |= {
        "accelerators": accelerators, "nodes": nodes, "racks": racks, "scale_out_nics": nics,
    }  # fmt: skip
    supernode = supernode_detail(evaluation, "GPUs")
    assert len(choices(supernode.plot)) == nodes
    (node,) = supernode.details
    assert len(traces(node)[0]["x"]) == accelerators // nodes
    for plot in (supernode.plot, node.plot):
        assert plot is not None
        assert_drawable(plot)


def test_racks_stand_apart() -> None:
    evaluation = whole()
    evaluation["inputs"]["supernode"] |= {
        "accelerators": 384,
        "nodes": 48,
        "racks": 16,
        "scale_out_nics": 384,
    }
    plot = supernode_detail(evaluation, "NPUs").plot
    assert plot is not None
    boxes = [(s["x0"], s["y0"], s["x1"], s["y1"]) for s in plot["layout"]["shapes"]]
    assert len(boxes) == 16
    apart = [
        a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
    ]
    assert all(apart)


def test_choices_lead_somewhere_at_every_level() -> None:
    def check(plot: dict[str, Any] | None, details: tuple[Detail, ...]) -> None:
        traces = [] if plot is None else [t for t in plot["data"] if t.get("meta") == "choosable"]
        assert bool(details) == bool(traces)
        for trace in traces:
            assert all(kind < len(details) for _, _, kind in trace["customdata"])
        for detail in details:
            check(detail.plot, detail.details)

    figure = FIGURES["topology"](partly_filled())
    check(figure.plot, figure.details)
