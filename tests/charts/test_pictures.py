"""Pictures of the pod: units of their real size, true counts of every topology, the floor and its racks."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest

from app.charts import FIGURES
from app.charts.fat_tree import unit_sizes
from app.charts.figure import Detail, Figure, figure_json
from app.charts.floor_plan import MEASURES, MOST_RACKS, DrawnFloor, floor_plan_figure
from app.charts.inside import link_gbit_s, supernode_detail
from app.charts.lattice import near_square
from app.charts.rack_elevation import rack_elevation_figure, rack_facts
from app.charts.topology import topology_figure
from app.engine.fabric.floor.contents import alike, contents
from app.engine.fabric.floor.elevation import full_racks
from app.engine.fabric.floor.floor import RACK_KINDS
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.leaves import plain_values
from app.engine.specs import SuperNode
from tests.charts.support import assert_drawable, layout, notes, plain, traces
from tests.engine.fabric.floor.cases import DGX_H100, SIZES, laid_out, of, two_tiers
from tests.engine.fabric.floor.rules import floor_rules
from tests.engine.fabric.pods import dgx_h100, evaluate, nvl72, pod
from tests.support import number
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


def floor_plan_drawn(*unit_hosts: int, spines: int = 4) -> DrawnFloor:
    graph, supernodes = two_tiers(unit_hosts, leaves=8, spines=spines), [of(DGX_H100, sum(unit_hosts))]
    floor = laid_out(graph, floor_rules(), *supernodes)
    found = contents({"compute": graph}, floor, supernodes, {"compute": SIZES}, {})
    make_up, examples = alike(found, floor.racks.count)
    names = [f"R{rack}" for rack in range(floor.racks.count)]
    return DrawnFloor(
        floor=floor,
        names=names,
        make_up=make_up,
        examples=full_racks(
            floor, found, examples, names, [f"d{device}" for device in range(found.rack.size)]
        ),
        rack_width_m=0.75,
        rack_depth_m=1.2,
    )


def checked(figure: Figure) -> dict[str, Any]:
    """The plot, that Plotly takes."""
    assert figure.plot is not None
    return figure.plot


@pytest.fixture(scope="module")
def small() -> DrawnFloor:
    return floor_plan_drawn(32, 32, 30)


def heat(plot: dict[str, Any]) -> dict[str, Any]:
    return next(trace for trace in plot["data"] if trace["type"] == "heatmap")


def test_a_rack_is_a_cell_and_opens_into_what_it_holds(small: DrawnFloor) -> None:
    figure = floor_plan_figure(small, "power")
    plot = checked(figure)
    cells = [value for line in heat(plot)["z"] for value in line if value is not None]
    assert len(cells) == len(choices(plot)) == small.floor.racks.count == 28
    assert max(cells) == heat(plot)["zmax"] == 40_800
    title, subtitle, detail = choices(plot)[0]
    assert (title, plain(subtitle)) == ("Rack R0", "SuperNodes, 40.8 kW, 683 kg")
    assert dict(figure.details[detail].facts)["Height used"] == "32 of 48 U"
    assert {name for name, _, _ in choices(plot)} == {f"Rack R{rack}" for rack in range(28)}


def test_racks_that_hold_the_same_are_drawn_once(small: DrawnFloor) -> None:
    held = {rack.shelves and tuple(shelf.what for shelf in rack.shelves) for rack in small.examples}
    assert held == {("DGX H100",) * 4, ("DGX H100",) * 2, ("QM9700",) * 8, ("QM9700",) * 4}


def test_switches_have_marks_beside_their_colour(small: DrawnFloor) -> None:
    figure = floor_plan_figure(small, "power")
    marks = next(
        trace for trace in checked(figure)["data"] if trace.get("marker", {}).get("symbol") == "diamond"
    )
    assert len(marks["x"]) == int(np.sum(small.floor.racks.kind == RACK_KINDS.index("network")))
    assert [mark.label for mark in figure.legend] == ["SuperNodes", "Switches", "Cold aisle"]


@pytest.mark.parametrize("measure", list(MEASURES))
def test_each_measure_has_its_scale_and_its_table(small: DrawnFloor, measure: str) -> None:
    figure = floor_plan_figure(small, measure)
    plot = checked(figure)
    assert heat(plot)["colorbar"]["ticktext"][-1].endswith(MEASURES[measure][2])
    assert [row.cells[1] for row in figure.rows] == ["24", "4"]
    if measure == "weight":
        assert "Weight of 4 racks is not published" in figure.caption
        assert figure.rows[1].cells[2] == "not published"


def test_unknown_power_draws_nothing(small: DrawnFloor) -> None:
    unknown = floor_plan_drawn(4)
    unknown.floor.racks.power_w[:] = np.nan
    figure = floor_plan_figure(unknown, "power")
    assert figure.plot is None
    assert figure.details == ()


@pytest.mark.slow
def test_many_racks_are_drawn_by_row_and_stay_small() -> None:
    many = floor_plan_drawn(*[32] * 512, spines=4)
    assert many.floor.racks.count > 3 * MOST_RACKS
    figure = floor_plan_figure(many)
    plot = checked(figure)
    rows = choices(plot)
    assert len(rows) == np.unique(many.floor.racks.row).size < 500
    inside = figure.details[rows[0][2]]
    assert len(choices(inside.plot)) == 18
    assert dict(inside.details[choices(inside.plot)[0][2]].facts)["Height used"] == "32 of 48 U"
    assert len(gzip.compress(orjson.dumps(figure_json(figure)))) < 100_000


def test_an_elevation_has_a_box_and_a_line_for_each_device(small: DrawnFloor) -> None:
    rack = next(rack for rack in small.examples if len(rack.shelves) == 4 and rack.kind == "compute")
    figure = rack_elevation_figure(rack)
    plot = checked(figure)
    assert figure.takeaway.startswith(f"{rack.name} holds 4 DGX H100, 40.8")
    boxes = [shape for shape in plot["layout"]["shapes"] if shape["y1"] - shape["y0"] < 10]
    assert [round(box["y0"]) for box in boxes] == [1, 9, 17, 25]
    assert [row.cells[2] for row in figure.rows] == ["U25", "U17", "U9", "U1"]
    assert plot["layout"]["yaxis"]["ticktext"][0] == "U1"
    assert dict(rack_facts(rack))["Weight"].startswith("683")


def test_a_long_name_ends_inside_its_box(small: DrawnFloor) -> None:
    rack = next(one for one in small.examples if one.kind == "compute")
    plot = checked(rack_elevation_figure(replace(rack, shelves=(replace(rack.shelves[0], name="x" * 60),))))
    (label,) = plot["layout"]["annotations"]
    assert label["text"] == "x" * 27 + "…"
    assert "x" * 60 in plot["data"][0]["text"][0]
