"""The picture of every topology: true counts, few elements, and parts that open down to a node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.charts.figure import Detail, Figure
from app.charts.lattice import near_square
from app.charts.topology import topology_figure
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.leaves import plain_values
from app.engine.specs import SuperNode
from tests.charts.support import notes, traces
from tests.charts.test_topology import choices
from tests.engine.fabric.pods import dgx_h100, evaluate, nvl72, pod
from tests.support import number
from tests.surfaces.pages.states import whole

MOST_DRAWN = 3000


def picture(topology: str, supernodes: int, server: SuperNode | None = None, **plan: Any) -> Figure:
    server = server or dgx_h100()
    evaluation = whole()
    with np.errstate(all="ignore"):
        fabric = evaluate(pod(supernodes, topology=topology, scalable_unit_supernodes=np.nan, **plan), server)
    evaluation["fabric"] = plain_values(fabric, "fabric")
    evaluation["inputs"]["pod"]["supernodes"] = supernodes
    evaluation["inputs"]["supernode"] |= {
        "nodes": int(server.nodes[0]), "accelerators": int(server.accelerators[0]),
        "scale_out_nics": int(server.scale_out_nics[0]),
    }  # fmt: skip
    return topology_figure(evaluation)


def drawn(plot: dict[str, Any] | None) -> int:
    assert plot is not None
    layout = plot["layout"]
    points = sum(len(trace["x"]) for trace in plot["data"])
    return points + len(layout.get("shapes", [])) + len(layout.get("annotations", []))


def opened(details: tuple[Detail, ...]) -> list[Detail]:
    return [inner for detail in details for inner in (detail, *opened(detail.details))]


@pytest.mark.parametrize("supernodes", [4, 100, 16_384])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_every_topology_is_drawn_with_few_elements_and_opens_down_to_a_node(
    topology: str, supernodes: int
) -> None:
    figure = picture(topology, supernodes)
    assert figure.name == "topology"
    assert drawn(figure.plot) <= MOST_DRAWN
    assert figure.rows[-1].cells[0] == "Total"
    assert all(0 <= detail < len(figure.details) for _, _, detail in choices(figure.plot))
    inside = opened(figure.details)
    assert all(drawn(detail.plot) <= MOST_DRAWN for detail in inside if detail.plot)
    assert any(dict(detail.facts).get("NICs") == "8 × 400G" for detail in inside)  # a node


@pytest.mark.parametrize(
    ("topology", "supernodes", "plan", "squares", "first", "says"),
    [
        ("torus_2d", 32, {}, 32, "Node 1", "A 2D torus of 4 × 8: no two nodes are more than 6 links apart."),
        ("torus_2d", 2048, {}, 512, "Block 1, 1", "A 2D torus of 32 × 64: no two nodes are more than 48 links apart."),
        ("torus_3d", 27, {}, 27, "Node 1", "A 3D torus of 3 × 3 × 3: no two nodes are more than 3 links apart."),
        ("torus_3d", 128, {"circuit_switches": True}, 2, "Cube 1", "A 3D torus of 4 × 4 × 8: no two nodes are more than 8"),
        ("full_mesh", 9, {}, 9, "Node 1", "A full mesh of 9: at most 1 link from node to node."),
        ("nd_full_mesh", 25, {}, 25, "Node 1", "An nD full mesh of 5 × 5: at most 2 links from node to node."),
        ("hyperx", 16, {}, 4, "Switch 1", "A HyperX of 4: at most 3 links from node to node."),
        ("hammingmesh", 64, {}, 16, "Board 1", "A HammingMesh of 2 × 2 × 4 × 4: no two nodes are more than 4 links"),
        ("dragonfly", 2048, {}, 32, "Group 1", "A dragonfly of 32 groups, each joined to every other: at most 5 links"),
        ("rail_only", 2048, {}, 64, "Unit 1", "any of 64 units reaches the same rail of any other"),
        ("fat_tree", 2048, {}, 128, "Units from 1", "A non-blocking folded Clos: any of 512 units"),
    ],
)  # fmt: skip
def test_what_a_picture_says(
    topology: str, supernodes: int, plan: dict[str, Any], squares: int, first: str, says: str
) -> None:
    figure = picture(topology, supernodes, **plan)
    found = choices(figure.plot)
    assert len(found) == squares
    assert found[0][0] == first
    assert says in figure.takeaway


def test_empty_places_are_drawn_as_such() -> None:
    figure = picture("torus_2d", 30, shape=(number(4), number(8)))
    empty = next(trace for trace in traces(figure) if trace.get("marker", {}).get("symbol") == "square-open")
    assert len(empty["x"]) == 2
    assert len(choices(figure.plot)) == 30


def test_a_block_opens_to_its_nodes_and_a_cube_to_its_layers() -> None:
    block = picture("torus_2d", 2048).details[0]
    assert [title for title, _, _ in choices(block.plot)][:3] == [
        "Node at 1, 1",
        "Node at 1, 2",
        "Node at 2, 1",
    ]
    cube = picture("torus_3d", 128, circuit_switches=True).details[0]
    assert len(choices(cube.plot)) == 64
    assert notes(cube) == [f"Layer {layer}" for layer in (1, 2, 3, 4)]


def test_the_place_of_a_rack_of_trays_is_a_tray() -> None:
    figure = picture("torus_2d", 2, nvl72())
    assert len(choices(figure.plot)) == 36
    assert dict(figure.details[0].facts)["NICs"] == "4 × 400G"


@pytest.mark.parametrize(("count", "shape"), [(81, (9, 9)), (144, (12, 12)), (7, (1, 7)), (72, (6, 12))])
def test_layers_stand_in_anear_square(count: int, shape: tuple[int, int]) -> None:
    assert near_square(count) == shape
