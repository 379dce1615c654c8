"""Importing: what a file is, where its faults stand, and files that only look like one."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from openpyxl import Workbook

from app.saved.imports import LIMITS, SHEET_OF_SCENARIO, import_file, import_scenario
from app.scenarios.errors import ScenarioError
from tests.scenarios.support import SMALLEST, document

YAML_TEXT = document().as_yaml()
JSON_TEXT = document().as_json()
EVALUATION = {"name": "x", "performance": {}, "feasible": True, "provenance": {}}


def refused(content: bytes, filename: str = "") -> str:
    with pytest.raises(ScenarioError) as caught:
        import_scenario(content, filename)
    assert len(caught.value.errors) == 1, str(caught.value)
    return str(caught.value)


def workbook(lines: list[str], sheet: str = SHEET_OF_SCENARIO) -> bytes:
    book, stream = Workbook(), io.BytesIO()
    page = book.active
    page.title = sheet
    for line in lines:
        page.append([line])
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["pod.yaml", "pod.YML", "pod.txt", ""])
def test_yaml_is_read_whatever_the_file_is_called(name):
    assert import_scenario(YAML_TEXT.encode(), name) == document()


@pytest.mark.parametrize("name", ["pod.json", "pod.JSON", "pod", ""])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_json_is_read_with_and_without_its_ending(name, mark):
    assert import_scenario(mark + JSON_TEXT.encode(), name) == document()


def test_yaml_may_begin_with_a_brace():
    text = """{supernode: {system: dgx_h100}, workload: {kind: training, model: llama_3_1_8b,
        tokens: 1e12, sequence_length: 8192, global_batch_sequences: 1024}}"""
    assert import_scenario(text.encode(), "pod.yaml") == document()


def test_an_evaluation_brings_its_scenario():
    content = json.dumps({**EVALUATION, "scenario": SMALLEST}).encode()
    assert import_scenario(content, "pod.evaluation.json") == document()


def test_an_evaluation_without_its_scenario_says_what_to_import():
    message = refused(json.dumps(EVALUATION).encode(), "pod.json")
    assert "an evaluation without the scenario" in message
    assert "import the scenario itself" in message


@pytest.mark.parametrize("name", ["pod.csv", ""])
def test_a_csv_says_what_to_import(name):
    assert "as YAML or JSON" in refused(b"path,label,value,unit,basis,source\r\n", name)


def test_a_fault_in_json_names_its_line():
    text = json.dumps(SMALLEST, indent=2).replace('"tokens": 1000000000000.0', '"tokens": 0')
    assert refused(text.encode(), "pod.json").startswith("workload.tokens (line 5): 0 must be above 0.")
    inside = json.dumps({**EVALUATION, "scenario": json.loads(text)}, indent=2)
    assert refused(inside.encode()).startswith("workload.tokens (line 10): 0 must be above 0.")


def test_a_fault_in_json_that_is_no_yaml_is_told_without_a_line():
    text = json.dumps(SMALLEST, indent="\t").replace('"tokens": 1000000000000.0', '"tokens": 0')
    assert "0 must be above 0." in refused(text.encode(), "pod.json")


def test_broken_text_names_line_and_column():
    assert refused(b'{\n  "name": "a",,\n}', "pod.json").startswith("line 2, column 15: ")
    assert refused(b"name: [\nworkload: {", "pod.yaml").startswith("line ")


@pytest.mark.parametrize(("content", "said"), [(b"", "is empty"), (b"\0\1", "binary"), (b"\xff\xfeA\0", "UTF-16"),
                                               (b"[]", "not a mapping"), (b"x" * 1_000_001, "larger than")])  # fmt: skip
@pytest.mark.parametrize("name", ["pod.yaml", "pod.json", ""])
def test_what_is_no_scenario_is_refused(content, said, name):
    if not (name == "pod.json" and content[:1] in (b"x",)):
        assert said in refused(content, name)


def test_a_workbook_brings_its_scenario_also_after_it_was_edited():
    assert import_scenario(workbook(YAML_TEXT.splitlines()), "pod.xlsx") == document()


def test_a_fault_in_a_workbook_names_the_row():
    lines = YAML_TEXT.replace("kind: training", "kind: cooking").splitlines()
    row = next(number for number, line in enumerate(lines, 1) if "cooking" in line)
    assert f"(line {row})" in refused(workbook(lines), "pod.xlsx")


def test_another_workbook_says_which_sheet_is_missing():
    message = refused(workbook(["a"], sheet="Budget"), "budget.xlsx")
    assert "has no sheet named 'Scenario'; it has 'Budget'" in message


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"PK\x03\x04" + b"\0" * 500, workbook(["a"])[:-40]])
def test_a_damaged_workbook_is_refused(content):
    assert "cannot be read as one" in refused(content, "pod.xlsx")


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"0" * (LIMITS.most_unpacked_bytes + 1))
    assert len(stream.getvalue()) < 100_000
    assert "unpacks to more than" in refused(stream.getvalue(), "pod.xlsx")


def test_a_file_is_read_as_its_ending_says(tmp_path):
    path = tmp_path / "pod.json"
    path.write_text(JSON_TEXT, encoding="utf-8")
    assert import_file(path) == document()
    with pytest.raises(ScenarioError, match="does not exist"):
        import_file(tmp_path / "none.yaml")
