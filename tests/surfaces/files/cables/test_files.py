"""The files of the cable schedule: each says every link, none computes, and none is held as a whole."""

from __future__ import annotations

import csv
import dataclasses
import io
import tracemalloc
from collections.abc import Callable

import numpy as np
import openpyxl
import pytest

from app.engine.fabric.cabling.schedule import COLUMNS, NetworkCables
from app.engine.fabric.graph.graph import devices_of
from app.scenarios.errors import ScenarioError
from app.surfaces.files.cables.formats import (
    CABLE_FORMATS,
    HEADINGS,
    cable_format,
    cables_xlsx,
    written_cables,
)
from tests.engine.fabric.cabling.fabrics import cables, pairs, superpod
from tests.surfaces.files.cables.readers import read_dot, read_topo


def content(network: NetworkCables, name: str) -> bytes:
    return b"".join(written_cables([network], cable_format(name)))


def csv_rows(network: NetworkCables) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content(network, "csv").decode(), newline="")))


def test_csv_has_a_row_a_link_in_the_named_columns():
    graph = superpod(33)
    rows = csv_rows(cables(graph))
    assert len(rows) == graph.link_count
    assert tuple(rows[0]) == COLUMNS
    assert rows[1]["Part"] == "DAC 800G, 2 m"


def test_the_workbook_has_the_headings_of_the_cable_validation_tool():
    network = cables(pairs(3))
    book = openpyxl.load_workbook(io.BytesIO(content(network, "xlsx")))
    sheet = book["compute"]
    heading, first, *rest = sheet.iter_rows(values_only=True)
    assert heading == HEADINGS
    assert first == ("R01-01", 1, "node-0001", "Host", "1", "R02-02", 4, "leaf-01-1", "Switch", "1/1",
                     "MMA4Z00-NS 2xSR4", 1)  # fmt: skip
    assert len(rest) == 5
    assert sheet.freeze_panes == "A2"


def test_a_workbook_goes_on_in_another_sheet_where_one_is_full():
    book = openpyxl.load_workbook(io.BytesIO(b"".join(cables_xlsx([cables(pairs(5))], sheet_rows=5))))
    assert book.sheetnames == ["compute", "compute 2", "compute 3"]
    assert [sheet.max_row for sheet in book] == [5, 5, 3]
    rows = [row for sheet in book for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert len({(row[2], row[4]) for row in rows}) == 10


def test_a_workbook_of_no_network_says_so():
    book = openpyxl.load_workbook(io.BytesIO(b"".join(cables_xlsx([]))))
    assert book.sheetnames == ["no cables"]
    assert next(book.worksheets[0].iter_rows(values_only=True)) == HEADINGS


def test_a_topology_file_has_every_link_from_both_ends():
    graph = superpod(33)
    ends = read_topo(content(cables(graph), "topo").decode())
    assert len(ends) == 2 * graph.link_count
    here = {(end.system, end.port): (end.other_system, end.other_port) for end in ends}
    assert len(here) == len(ends)
    assert all(here[there] == one for one, there in here.items())
    types = {end.system: end.type for end in ends}
    assert all(types[end.other_system] == end.other_type for end in ends)
    assert types["node-0001"] == "HCA_8"
    assert types["leaf-01-1"] == "MQM9700"
    assert {end.link for end in ends} == {"4x-100G"}


def test_ports_of_a_topology_file_are_those_of_ibdiagnet():
    ends = read_topo(content(cables(pairs(3)), "topo").decode())
    assert [tuple(end[:3]) for end in ends[:2]] == [
        ("HCA_2", "node-0001", "U1/P1"),
        ("HCA_2", "node-0001", "U2/P1"),
    ]
    assert [end.port for end in ends if end.system == "leaf-01-1"] == ["P1", "P2", "P3"]
    two_ports = read_topo(content(cables(pairs(3), nic_ports=2), "topo").decode())
    assert [tuple(end[:3]) for end in two_ports[:2]] == [
        ("HCA_1", "node-0001", "U1/P1"),
        ("HCA_1", "node-0001", "U1/P2"),
    ]


def test_links_of_unknown_width_have_a_plain_arrow():
    ends = read_topo(content(cables(pairs(1), link_words=np.array([b""])), "topo").decode())
    assert {end.link for end in ends} == {""}


def test_an_ethernet_network_has_no_topology_file():
    with pytest.raises(ScenarioError, match=r"not InfiniBand.*xlsx or dot"):
        written_cables([cables(pairs(1), ethernet=True)], cable_format("topo"))


def test_the_graph_names_devices_once_and_ports_as_cumulus_does():
    first = cables(pairs(2), ethernet=True)
    second = dataclasses.replace(first, network="storage")
    text = b"".join(written_cables([first, second], cable_format("dot"))).decode()
    nodes, edges = read_dot(text)
    assert set(nodes) == {
        "node-0001",
        "node-0002",
        "leaf-01-1",
        "leaf-01-2",
        "storage-leaf-01-1",
        "storage-leaf-01-2",
    }
    assert nodes["leaf-01-1"] == {"role": "leaf", "rack": "R02-01", "u": "3"}
    assert edges[0] == (
        ("node-0001", "rail1", "leaf-01-1", "swp1s0"),
        {"network": "compute", "tier": "leaf", "part": "MMA4Z00-NS 2xSR4", "length_m": "1"},
    )
    assert len(edges) == 8
    assert edges[4][0] == ("node-0001", "storage-1", "storage-leaf-01-1", "swp1s0")


NASTY = [
    '=HYPERLINK("http://x.example","y")',
    "+1",
    "@SUM(A1)",
    "-2",
    'a "quoted", part',
    "a<b>&c",
    "back\\slash",
]


@pytest.mark.parametrize("part", NASTY)
def test_no_part_is_taken_for_a_formula_or_breaks_its_file(part: str):
    network = cables(
        pairs(1), parts=np.array([part.encode()]), part=np.zeros(2, int), cable_links=np.ones(1, int)
    )
    cell = csv_rows(network)[0]["Part"]
    assert cell.lstrip("'") == part
    assert not cell.startswith(("=", "+", "-", "@"))
    found = openpyxl.load_workbook(io.BytesIO(content(network, "xlsx"))).worksheets[0]["K2"]
    assert (found.value, found.data_type) == (part, "s")
    assert read_dot(content(network, "dot").decode())[1][0][1]["part"] == part


@pytest.mark.parametrize("format", CABLE_FORMATS, ids=lambda format: format.name)
def test_no_devices_make_a_whole_file(format):
    devices, _ = devices_of({"host": 0, "leaf": 0}, plane={}, group={}, rail={})
    nothing = pairs(0)
    empty = cables(dataclasses.replace(nothing, devices=devices))
    assert b"".join(written_cables([empty], format))
    assert b"".join(written_cables([], format)) or format.name == "topo"


@pytest.mark.parametrize("format", CABLE_FORMATS, ids=lambda format: format.name)
def test_the_same_cables_make_the_same_file(format):
    first, second = (b"".join(written_cables([cables(pairs(4))], format)) for _ in range(2))
    assert first == second


def test_an_unknown_format_is_refused_by_name():
    with pytest.raises(ScenarioError, match=r"'pdf' is not a format of cables.*csv, xlsx, topo, dot, netbox"):
        cable_format("pdf")


@pytest.mark.slow
@pytest.mark.parametrize("format", CABLE_FORMATS, ids=lambda format: format.name)
def test_writing_holds_no_more_for_four_times_the_links(format):
    """Beside the small tables of devices nothing grows; a topology file sorts the ends of links, as numbers, and NetBox
    has devices in a table of their own."""
    small, large = (cables(superpod(supernodes)) for supernodes in (1024, 4096))
    more = large.graph.link_count - small.graph.link_count
    assert more == 3 * small.graph.link_count
    held = [_peak_bytes(lambda network=network: _drain(network, format)) for network in (small, large)]
    numbers = 8 if format.name in ("topo", "netbox") else 2
    assert held[1] - held[0] < more * 8 * numbers
    assert held[1] < 10e6


def _drain(network: NetworkCables, format) -> None:
    fresh = dataclasses.replace(network)  # without the small tables of an earlier run
    for _ in written_cables([fresh], format):
        pass


def _peak_bytes(call: Callable[[], None]) -> int:
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
