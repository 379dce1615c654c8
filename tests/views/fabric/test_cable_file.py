"""Point-to-point files that people hand in: found by their headings, and refused in words."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import openpyxl
import pytest

from app.scenarios.errors import ScenarioError
from app.views.fabric.cable_file import CableFile, read_cable_file
from app.views.fabric.cables import cable_file_content

HEADING = ["A-Node Name", "A-Port", "Z-Node Name", "Z-Port"]
ROW = ["node-0001", "1", "leaf-01-1", "1/1"]


def of_csv(*lines: str) -> CableFile:
    return read_cable_file("\n".join(lines).encode())


def of_sheets(**sheets: list[list[Any]]) -> CableFile:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return read_cable_file(content.getvalue())


def only_row(file: CableFile) -> tuple[str, str]:
    assert file.rows == 1
    return file.cables.a[0].decode(), file.cables.z[0].decode()


@pytest.mark.parametrize(
    "text",
    [
        "A-Node Name,A-Port,Z-Node Name,Z-Port\nnode-0001,1,leaf-01-1,1/1",
        "Z-Port;Z-Node Name;A-Port;A-Node Name\r\nswp1s0;LEAF-01-1;rail1;Node-0001",  # the order does not matter
        "\n\nA-NODE\tA-PORT\tZ-NODE\tZ-PORT\nnode-0001\tmlx5_0\tleaf-01-1\tsw1p1",  # sheet of links of version 1.7
        "Rack,U,Name,HCA/Port,Rack,U,Name,Port\n316,22,node-0001,1,R113,22,leaf-01-1,1/1",  # sheet for InfiniBand
    ],
)
def test_headings_of_each_layout_are_known(text: str):
    file = of_csv(*text.split("\n"))
    assert only_row(file) == ("node-0001\t1", "leaf-01-1\t1/1")
    assert file.unknown_columns == ()


def test_part_and_length_are_read_where_they_are_there():
    file = of_csv("A-Node Name,A-Port,Z-Node Name,Z-Port,Length (m),Part", "a,1,b,2,3.5,'=SR4", "a,2,b,3,,")
    assert file.cables.part.tolist() == [b"=SR4", b""]
    assert file.cables.length_m[0] == 3.5
    assert file.cables.length_m[1] != file.cables.length_m[1]
    assert file.line == (2, 3)


def test_what_is_not_known_is_named():
    file = of_csv("Colour,A-Node Name,A-Port,Z-Node Name,Z-Port,A-Rack,Tier,Owner", "red,a,1,b,2,R1,leaf,me")
    assert file.unknown_columns == ("Colour", "Owner")


def test_sheets_with_cables_are_read_and_the_others_named():
    file = of_sheets(
        Nodes=[["Node", "Rack"], ["a", "R1"]], compute=[HEADING, ROW], storage=[HEADING, ["x", 1, "y", 2.0]]
    )
    assert file.rows == 2
    assert file.sheet == ("compute", "storage")
    assert file.cables.z.tolist() == [b"leaf-01-1\t1/1", b"y\t2"]
    assert file.skipped_sheets == ("Nodes",)


def faults(call) -> list[tuple[Any, ...]]:
    with pytest.raises(ScenarioError) as error:
        call()
    assert all(fault.hint for fault in error.value.errors)
    return [(fault.line, fault.path, fault.rule, fault.value) for fault in error.value.errors]


def test_every_bad_row_is_told_with_its_cell():
    found = faults(
        lambda: of_csv(",".join([*HEADING, "Length (m)"]), "a,1,b,2,x", ",1,b,2,", "a,1,b,,-1", "a,1,b,3,1")
    )
    assert found == [
        (2, "Length (m)", "number", "x"),
        (3, "A-Node Name", "required", None),
        (4, "Z-Port", "required", None),
        (4, "Length (m)", "number", "-1"),
    ]


def test_a_port_that_became_a_date_is_told_as_such():
    found = faults(lambda: of_sheets(one=[HEADING, ["a", "1", "b", date(2026, 2, 1)]]))
    assert found == [(2, "one: Z-Port", "date", "2026-02-01 00:00:00")]


@pytest.mark.parametrize("port", ["01-Feb", "1-Feb", "Feb-02", "Jan-99"])
def test_a_port_that_became_a_date_in_csv_is_told_as_such(port: str):
    found = faults(lambda: of_csv(",".join(HEADING), f"node-0001,1,leaf-01-1,{port}"))
    assert found == [(2, "Z-Port", "date", port)]


def test_faults_end_after_some():
    assert len(faults(lambda: of_csv(",".join(HEADING), *["a,,b,1"] * 100))) == 20


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"A-Node Name,A-Port,Z-Node Name\na,1,b", "no column Z-Port"),
        (
            b"A-Node Name,A-Node,A-Port,Z-Node Name,Z-Port\na,a,1,b,1",
            "'A-Node Name' and 'A-Node' say the same",
        ),
        (b"PK\x03\x04 no workbook", "cannot be read as one"),
        ("A-Node Name,A-Port,Z-Node Name,Z-Port\nMünchen".encode("latin-1"), "not UTF-8"),
        (b'A-Node Name,A-Port,Z-Node Name,Z-Port\n"a', "CSV cannot be read"),
        (b"A-Node Name,A-Port,Z-Node Name,Z-Port\na\x01b,1,c,2", "not a valid name of a device"),
    ],
)
def test_files_that_cannot_be_used_are_refused_in_words(content: bytes, said: str):
    with pytest.raises(ScenarioError, match=said):
        read_cable_file(content)


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path):
    with pytest.raises(ScenarioError, match=r"cannot be read: No such file"):
        cable_file_content(tmp_path / "none.csv")
