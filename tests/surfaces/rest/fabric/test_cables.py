"""Cables over HTTP: files that stream, and a file of someone's against the design."""

from __future__ import annotations

import io

import openpyxl
import pytest

from tests.surfaces.rest.conftest import assert_problem

CABLES = "/api/v1/fabric/cables"
DIFF = f"{CABLES}/diff"
POD = "gpt_3_175b_on_128_dgx_a100"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ONE = "A-Node Name,A-Port,Z-Node Name,Z-Port,Length (m),Colour\r\nnode-0001,1,leaf-01-1,9,1,red\r\n"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def schedule(asgi_client) -> bytes:
    return asgi_client.get(CABLES, params={"scenario": POD}).content


def diff(client, content: bytes | str, kind: str = "text/csv", **params: str):
    headers = {"content-type": kind, "accept": params.pop("accept", "*/*")}
    return client.post(DIFF, params={"scenario": POD, **params}, content=content, headers=headers)


@pytest.mark.parametrize(
    ("format", "kind", "ending", "begins"),
    [
        ("csv", "text/csv; charset=utf-8", ".cables.csv", b"A-Rack,A-U,A-Node Name,"),
        ("xlsx", XLSX, ".cables.xlsx", b"PK\x03\x04"),
        (
            "topo",
            "text/plain; charset=utf-8",
            ".topo",
            b"# compute network\n\nHCA_8 node-0001\n    U1/P1 -4x-50G-> MQM8700 ",
        ),
        ("dot", "text/vnd.graphviz; charset=utf-8", ".dot", b"graph cables {\n"),
    ],
)
def test_each_format_is_a_download(asgi_client, format, kind, ending, begins):
    answer = asgi_client.get(CABLES, params={"scenario": POD, "format": format})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert f'{ending}"' in answer.headers["content-disposition"]
    assert answer.content.startswith(begins)


def test_the_scenario_of_a_body_is_written(asgi_client, schedule):
    scenario = asgi_client.get(f"/api/v1/examples/{POD}").json()
    answer = asgi_client.post(CABLES, json={"scenario": scenario})
    assert answer.status_code == 200
    assert answer.content == schedule
    assert schedule.count(b"\r\n") == 1 + 3264


def test_a_saved_scenario_is_written_by_its_id(asgi_client):
    scenario = asgi_client.get("/api/v1/examples/edge_node").json()
    saved = asgi_client.post("/api/v1/scenarios", json=scenario).json()
    answer = asgi_client.get(CABLES, params={"scenario": saved["id"]})
    assert answer.status_code == 200
    assert answer.content.count(b"\r\n") == 1  # one SuperNode has no cables


def test_an_export_has_no_differences(asgi_client, schedule):
    answer = diff(asgi_client, schedule)
    assert answer.status_code == 200
    assert answer.json()["same"] is True
    assert answer.json()["matched"] == 3264
    book = asgi_client.get(CABLES, params={"scenario": POD, "format": "xlsx"}).content
    for kind in (XLSX, "application/octet-stream"):
        assert diff(asgi_client, book, kind).json()["same"] is True


def test_differences_are_told_with_line_and_both_sides(asgi_client):
    found = diff(asgi_client, ONE).json()
    assert found["counts"] == {
        "missing": 3263, "unexpected": 0, "wrong_port": 1, "swapped": 0, "wrong_part": 0, "wrong_length": 0,
        "duplicate_port": 0,
    }  # fmt: skip
    assert found["unknown_columns"] == ["Colour"]
    wrong = next(one for one in found["differences"] if one["kind"] == "wrong_port")
    assert (wrong["line"], wrong["network"]) == (2, "compute")
    assert (wrong["designed"], wrong["listed"]) == (
        "node-0001 1 to leaf-01-1 1",
        "node-0001 1 to leaf-01-1 9",
    )


def test_differences_come_as_csv_where_that_is_asked_for(asgi_client):
    answer = diff(asgi_client, ONE, accept="text/csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.startswith("kind,sheet,line,other_line,network,designed,listed\r\n")
    assert answer.text.count("\r\n") == 1 + 3264


def test_a_scenario_and_its_file_go_in_one_body(asgi_client):
    scenario = asgi_client.get("/api/v1/examples/edge_node").json()
    answer = asgi_client.post(DIFF, json={"scenario": scenario, "cables": ONE})
    assert answer.json()["counts"]["unexpected"] == 1
    asked_twice = asgi_client.post(
        DIFF, params={"network": "compute"}, json={"scenario": scenario, "cables": ONE}
    )
    assert_problem(asked_twice, 422, "beyond-schema")


def test_bad_rows_are_named_with_line_column_value_and_way_out(asgi_client):
    content = assert_problem(diff(asgi_client, ONE.replace(",1,red", ",long,red")), 422, "invalid-input")
    (fault,) = content["errors"]
    assert fault["line"] == 2
    assert fault["path"] == "Length (m)"
    assert "'long' is not a length" in fault["message"]
    assert fault["hint"].startswith("Write a number")


def test_a_workbook_that_is_none_is_refused(asgi_client):
    book = openpyxl.Workbook()
    book.active.append(["Node", "Rack"])
    content = io.BytesIO()
    book.save(content)
    refused = assert_problem(diff(asgi_client, content.getvalue(), XLSX), 422, "invalid-input")
    assert "no column A-Node Name" in refused["detail"]
    assert_problem(diff(asgi_client, b"PK\x03\x04", XLSX), 422, "invalid-input")


@pytest.mark.parametrize(
    ("params", "status", "said"),
    [
        ({}, 400, "scenario is missing"),
        ({"scenario": POD, "format": "pdf"}, 400, "Formats: csv, xlsx, topo, dot"),
        ({"scenario": POD, "network": "wan"}, 422, "One of: compute"),
        ({"scenario": POD, "colour": "red"}, 400, "not a known parameter"),
        ({"scenario": "nobody"}, 404, ""),
    ],
)
def test_parameters_that_cannot_be_used(asgi_client, params, status, said):
    assert said in assert_problem(asgi_client.get(CABLES, params=params), status)["detail"]


def test_options_of_a_body_that_cannot_be_used(asgi_client):
    scenario = asgi_client.get("/api/v1/examples/edge_node").json()
    assert_problem(asgi_client.post(CABLES, json={"scenario": scenario, "format": "pdf"}), 422)
    assert_problem(asgi_client.post(CABLES, json={"format": "csv"}), 422)
    unnamed = asgi_client.post(DIFF, content=b"x", headers={"content-type": "text/csv"})
    assert "scenario is missing" in assert_problem(unnamed, 422, "beyond-schema")["detail"]
    refused = asgi_client.post(DIFF, content=b"x", headers={"content-type": "text/html"})
    assert_problem(refused, 415)
    assert "send text/csv, " in refused.json()["detail"]
