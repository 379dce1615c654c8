"""Charts of a fabric: sizes, what failures leave, bills, loads, networks of a node, and ladders of bandwidth."""

from __future__ import annotations

from typing import Any

import pytest

from app.charts.fabric.by_size import POWER, PRICE, Curve, Ring, by_size_figure
from app.charts.fabric.left import Bundle, Place, left_figure
from app.charts.fabric.materials import RoleSum, power_figure, price_figure, role_sums
from app.charts.fabric.tier_load import Load, tier_load_figure
from app.charts.figure import Figure
from app.charts.networks import Connection, networks_figure
from tests.charts.support import layout, traces

SIZES = (16.0, 512.0, 16_384.0)
OWN = Curve(title="Fat tree", here=True, values=(16e3, 1e6, 8e7), low=(8e3, 5e5, 6e7), high=(2e4, 2e6, 9e7))
OTHER = Curve(title="Dragonfly", here=False, values=(32e3, 2e6, None))


def drawn(figure):
    assert figure.plot is not None
    return figure.plot


def test_lines_are_shares_of_one_accelerator_and_end_where_a_topology_does() -> None:
    ring = Ring(accelerators=100, value=1e5, words="From 100 accelerators Dragonfly, before Fat tree")
    figure = by_size_figure(PRICE, SIZES, [OTHER, OWN], [ring], here=512)
    plot = drawn(figure)
    low, high, other, own, rings = plot["data"]
    assert own["y"] == [1000.0, 1e6 / 512, 8e7 / 16_384]
    assert other["y"] == [2000.0, 2e6 / 512, None]
    assert (own["line"]["color"], other["line"]["color"]) == ("var(--c1)", "var(--c2)")
    assert (high["fill"], low["y"][0], high["y"][0]) == ("tonexty", 500.0, 1250.0)
    assert (rings["x"], rings["y"]) == ([100], [1000.0])
    assert plot["layout"]["xaxis"]["type"] == "log"
    assert plot["layout"]["xaxis"]["title"]["text"] == "Accelerators"
    assert plot["layout"]["yaxis"]["title"]["text"] == "USD per accelerator"
    assert plot["layout"]["shapes"][0]["x0"] == 512
    assert figure.rows[2].cells[1] == "not joined"


def test_the_takeaway_is_of_this_pod() -> None:
    cheaper = Curve(title="Dragonfly", here=False, values=(8e3, 2e5, None))
    says = by_size_figure(POWER, SIZES, [OWN, cheaper], [], here=512).takeaway
    assert says.startswith("At 512 accelerators Dragonfly draws least: ")
    assert "of this design" in says
    own = by_size_figure(POWER, SIZES, [OWN, OTHER], [], here=512).takeaway
    assert own.startswith("At 512 accelerators Fat tree draws least, ")
    beyond = by_size_figure(POWER, SIZES, [OWN, OTHER], [], here=777).takeaway
    assert beyond.startswith("At 16,384 accelerators")


def test_nothing_is_drawn_where_nothing_is_known() -> None:
    nothing = Curve(title="Fat tree", here=True, values=(None, None, None))
    figure = by_size_figure(PRICE, SIZES, [nothing], [], here=512)
    assert figure.plot is None
    assert figure.takeaway.endswith("unknown.")


HOSTS = [Place("host", "node-0001", 4, 0, 1.0), Place("host", "node-0005", 4, 1, 0.7)]
LEAVES = [Place("leaf", "leaf-01", 1, 0, 0.9), Place("leaf", "leaf-02", 1, 1, 0.0)]


def left_drawn(places, **words):
    figure = left_figure(places, **words)
    return figure


def marks(figure: Figure) -> list[dict[str, Any]]:
    return [trace for trace in traces(figure) if trace["mode"] == "markers"]


def test_each_place_has_the_look_of_what_is_left_of_it():
    figure = left_drawn([*HOSTS, *LEAVES], hosts=8, cut_off=1)
    whole, part, none, choices = marks(figure)
    assert (whole["y"], part["y"], none["y"]) == ([1], [1, 0], [0])
    assert len({trace["marker"]["symbol"] for trace in (whole, part, none)}) == 3  # not by colour alone
    assert len(choices["x"]) == len(figure.details) == 4
    assert figure.takeaway == "1 of 8 hosts are cut off."
    assert [row.cells[0] for row in figure.rows] == ["leaf-02", "node-0005", "leaf-01"]  # the worst first


def test_kinds_are_above_each_other_and_places_side_by_side():
    figure = left_drawn([*HOSTS, *LEAVES], hosts=8, cut_off=0)
    assert figure.plot is not None
    assert figure.plot["layout"]["yaxis"]["ticktext"] == ["Leaf switches", "Hosts"]
    assert sorted(x for trace in marks(figure)[:3] for x in trace["x"]) == [0.25, 0.25, 0.75, 0.75]


def test_routes_are_told_apart_by_colour_and_dash_and_counted_in_the_details():
    bundles = [Bundle(0, 2, 4, 4), Bundle(1, 2, 4, 3), Bundle(0, 3, 4, 0)]
    figure = left_figure([*HOSTS, *LEAVES], bundles, hosts=8, cut_off=0)
    lines = [trace for trace in traces(figure) if trace["mode"] == "lines"]
    assert len({(line["line"]["color"], line["line"].get("dash")) for line in lines}) == 3
    assert dict(figure.details[0].facts)["Links to leaf switches"] == "4 of 8"
    assert dict(figure.details[2].facts)["Links to hosts"] == "7 of 8"


def test_a_part_can_be_made_to_fail_by_its_field_of_the_form():
    unit = Place("host", "node-0001", 32, 0, 1.0, 2, ("node-0001",), "node-0001:1")
    leaves = Place("leaf", "leaf-1", 3, 0, 1.0, None, ("leaf-1", "leaf-2", "leaf-3"), "leaf-1:9")
    many = Place("spine", "spine-1", 40, 0, 1.0, None, ("spine-1", "spine-2"), "")
    one = Place("core", "core-1", 1, 0, 1.0, None, ("core-1",), "")
    figure = left_figure([unit, leaves, many, one], hosts=32, cut_off=0)
    said = [[(act.label, act.field, act.value) for act in detail.acts] for detail in figure.details]
    assert said == [
        [("Fail unit 2", "hosts", "unit-2"), ("Fail node-0001", "hosts", "node-0001"),
         ("Fail link node-0001:1", "links", "node-0001:1")],
        [("Fail these 3", "switches", "leaf-1, leaf-2, leaf-3"), ("Fail leaf-1", "switches", "leaf-1"),
         ("Fail link leaf-1:9", "links", "leaf-1:9")],
        [("Fail spine-1", "switches", "spine-1")],
        [("Fail this", "switches", "core-1")],
    ]  # fmt: skip


def test_a_link_can_be_selected_and_says_what_its_traffic_moves_to():
    bundles = [
        Bundle(0, 2, 4, 4, "node-0001:1"),
        Bundle(1, 2, 4, 3, "node-0005:1"),
        Bundle(0, 3, 4, 0),  # nothing of it is left to fail
        Bundle(2, 4, 2, 2, "leaf-01:9", "leaf-01/spine-1"),
    ]
    places = [*HOSTS, *LEAVES, Place("spine", "spine-1", 1, 0, 1.0)]
    figure = left_figure(places, bundles, hosts=8, cut_off=0)
    choices = marks(figure)[-1]
    assert len(choices["x"]) == len(figure.details) == len(places) + 3
    assert [said[2] for said in choices["customdata"]] == list(range(len(figure.details)))
    first, _, uplink = figure.details[len(places) :]
    assert first.facts == (
        ("Links left", "4 of 4"),
        ("Other routes of node-0001 and on", "0 of 4 to other leaf switches"),
        ("Other routes of leaf-01", "3 of 4 to other hosts"),
    )
    assert [(act.label, act.value) for act in first.acts] == [("Fail link node-0001:1", "node-0001:1")]
    assert [(act.label, act.field, act.value) for act in uplink.acts] == [
        ("Fail all 2 links", "links", "leaf-01/spine-1"), ("Fail link leaf-01:9", "links", "leaf-01:9"),
    ]  # fmt: skip
    assert choices["customdata"][-1][:2] == ["leaf-01 to spine-1", "2 of 2 links work"]
    # each is on its line, and no two of one pair of rows share a place
    x, y = choices["x"][len(places) :], choices["y"][len(places) :]
    assert len({*zip(x, y, strict=True)}) == 3
    assert all(0 < one - int(one) < 1 for one in y)


def test_links_of_too_many_pairs_are_not_selected_one_by_one():
    many = [Bundle(0, 1, 1, 1, f"node-{number}:1") for number in range(500)]
    figure = left_figure(HOSTS, many, hosts=8, cut_off=0)
    assert len(figure.details) == 2


def test_a_whole_fabric_says_so():
    assert left_drawn(HOSTS[:1], hosts=4, cut_off=0).takeaway.startswith("Nothing has failed")


SWITCHES = RoleSum("switch", "Switches", 3e5, 4e5, 5e5, 9_000)
MODULES = RoleSum("module", "Optical modules", 5e5, 6e5, 9e5, 8_000)
PANELS = RoleSum("patch_panel", "Patch panels", None, None, None, 0)


def test_bars_are_typical_prices_with_their_ranges() -> None:
    figure = price_figure([SWITCHES, MODULES])
    (bars,) = traces(figure)
    assert bars["x"] == [4e5, 6e5]
    assert bars["error_x"]["array"] == [1e5, 3e5]
    assert bars["error_x"]["arrayminus"] == [1e5, 1e5]
    assert figure.takeaway.startswith("Optical modules are 60")
    assert len(figure.rows) == 2


def test_a_role_without_a_price_stands_in_the_table_alone() -> None:
    figure = price_figure([SWITCHES, PANELS])
    assert traces(figure)[0]["y"] == ["Switches"]
    assert figure.rows[1].cells == ("Patch panels", "not published", "not published")
    assert figure.takeaway.endswith("of what is priced.")


def test_power_leaves_out_what_draws_none() -> None:
    figure = power_figure([SWITCHES, MODULES, PANELS])
    assert traces(figure)[0]["x"] == [9_000, 8_000]
    assert figure.takeaway.startswith("Switches draw 53")


@pytest.mark.parametrize("figure", [price_figure([PANELS]), power_figure([PANELS])])
def test_without_a_known_figure_nothing_is_drawn(figure) -> None:
    assert figure.plot is None
    assert "published" in figure.takeaway


def test_roles_add_up_over_networks_and_unknown_spreads() -> None:
    def line(role: str, price: float | None, power: float) -> dict[str, object]:
        return {"role": role, "power_w": power, "price_usd": dict.fromkeys(("low", "typical", "high"), price)}

    answer = {"lines": [line("switch", 1.0, 2.0), line("switch", 2.0, 3.0), line("nic", None, 0.0)]}
    switches, nics = role_sums(answer, {"switch": "Switches", "nic": "NICs", "dpu": "DPUs"})
    assert (switches.typical_usd, switches.power_w) == (3.0, 5.0)
    assert nics.typical_usd is None


WORDS = {"name": "load", "eyebrow": "Load", "caption": "By tier.", "takeaway": "Spines are full."}


def test_bars_are_means_and_marks_the_busiest_links():
    figure = tier_load_figure([Load("leaf", 0.25, 0.5), Load("spine", 0.5, 1.0)], **WORDS)
    bars, marks = traces(figure)
    assert (bars["x"], marks["x"]) == ([25.0, 50.0], [50.0, 100.0])
    assert layout(figure)["yaxis"]["categoryarray"] == ["Leaf", "Spine"]
    assert [row.cells[0] for row in figure.rows] == ["Leaf", "Spine"]


def test_one_unknown_tier_is_left_open_and_all_of_them_make_no_plot():
    figure = tier_load_figure([Load("scale_up", None, None), Load("leaf", 0.0, 0.0)], **WORDS)
    assert traces(figure)[0]["x"] == [None, 0.0]
    assert figure.rows[0].cells == ("Scale-up", "unknown", "unknown")
    assert tier_load_figure([Load("scale_up", None, None)], **WORDS).plot is None


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
