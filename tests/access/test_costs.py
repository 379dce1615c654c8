"""Bodies made to cost much: each is refused, or answered, with a message that says what to do. None is worth waiting
for: an attack that computes for longer than a request may fails as a 504.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.scenarios.examples import example
from tests.people import ActingClient, people_over

CSV, JSON, YAML, LINES = "text/csv", "application/json", "application/yaml", "application/x-ndjson"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
IMPORTS = "/api/v1/catalog/imports"
EVALUATE = "/api/v1/evaluations"
SCENARIO = example("edge_node").read().as_dict()


class Attack(NamedTuple):
    """What is sent, and what must come back: one of the states, with the words."""

    name: str
    path: str
    kind: str
    body: Callable[[], bytes | str]
    states: tuple[int, ...]
    says: str = ""
    query: str = ""


def workbook(sheet: str) -> bytes:
    """A workbook whose only sheet is this XML."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
        'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        '<sheets><sheet name="prices" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


def with_scenario(**changes: Any) -> str:
    return json.dumps({**SCENARIO, **changes})


def rows(count: int, cells: str) -> str:
    return "part_key,part_kind,price,currency,unit,source\n" + "".join(
        cells.format(number=number) for number in range(count)
    )


DEEP = 20_000
ATTACKS = [
    Attack("137,000 columns", IMPORTS, CSV, lambda: "c," * 137_000, (422,), "200 are the most"),
    Attack("137,000 named columns", IMPORTS, CSV, lambda: ",".join(f"c{n}" for n in range(137_000)), (422,), "200 are"),
    Attack("201 columns", IMPORTS, CSV, lambda: ",".join(f"c{n}" for n in range(201)), (422,), "200 are the most"),
    Attack("200 unknown columns", IMPORTS, CSV, lambda: ",".join(f"c{n}" for n in range(200)), (200, 422), "kind"),
    Attack("a column of 900,000 letters", IMPORTS, CSV, lambda: "x" * 900_000, (422,), "field larger"),
    Attack("a column of 100,000 letters", IMPORTS, CSV, lambda: "x" * 100_000 + "\na\n", (200, 422)),
    Attack("5,001 lines", IMPORTS, CSV, lambda: rows(5_001, "a,b,1,USD,USD,s\n"), (422,), "5,000 lines"),
    Attack("5,000 keys like none", IMPORTS, CSV, lambda: rows(5_000, "nvidia_h{number},accelerators,1,USD,,s\n"), (200, 422)),
    Attack("5,000 lines of one key", IMPORTS, CSV, lambda: rows(5_000, "nvidia_h100_sxm,accelerators,1,USD,,s\n"), (200, 422)),
    Attack("900,000 line ends", IMPORTS, CSV, lambda: "\n" * 900_000 + "a", (200, 422)),
    Attack("an open quote", IMPORTS, CSV, lambda: 'a,b\n"' + "x\n" * 400_000, (422,), "CSV cannot be read"),
    Attack("quotes only", IMPORTS, CSV, lambda: '"' * 900_001, (422,)),
    Attack("delimiters of all kinds", IMPORTS, CSV, lambda: ",;\t" * 300_000, (422,), "200 are the most"),
    Attack("a workbook of one wide row", IMPORTS, XLSX, lambda: workbook("<row>" + "".join(f"<c><v>{n * 7919}</v></c>" for n in range(20_000)) + "</row>"), (422,), "columns"),
    Attack("a workbook with a far cell", IMPORTS, XLSX, lambda: workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), (422,)),
    Attack("a workbook of blank cells", IMPORTS, XLSX, lambda: workbook('<row r="1"><c r="XFD1"/></row>' * 20_000), (422,)),
    Attack("a packed workbook", IMPORTS, XLSX, lambda: workbook(" " * 25_000_000), (422,)),
    Attack("a workbook of entities", IMPORTS, XLSX, lambda: workbook("<row><c><v>&lol;</v></c></row>"), (422,)),
    Attack("a body of 2 MB", IMPORTS, CSV, lambda: "a,b\n" + "x,y\n" * 500_000, (413, 422)),
    Attack("JSON 20,000 deep", EVALUATE, JSON, lambda: "[" * DEEP + "]" * DEEP, (400,), "deeper than 64"),
    Attack("JSON objects 20,000 deep", EVALUATE, JSON, lambda: '{"a":' * DEEP + "1" + "}" * DEEP, (400,), "deeper than 64"),
    Attack("JSON of 20,001 values", EVALUATE, JSON, lambda: json.dumps(list(range(20_001))), (400,), "20,000 values"),
    Attack("JSON of 9,000 keys", EVALUATE, JSON, lambda: json.dumps({f"key_{n}": 1 for n in range(9_000)}), (422,)),
    Attack("a key of 900,000 letters", EVALUATE, JSON, lambda: json.dumps({"x" * 900_000: 1}), (422,)),
    Attack("a number of 900,000 digits", EVALUATE, JSON, lambda: '{"name": ' + "9" * 900_000 + "}", (422,)),
    Attack("backslashes", EVALUATE, JSON, lambda: '{"name": "' + "\\\\" * 400_000 + '"}', (422,)),
    Attack("an open string of backslashes", EVALUATE, JSON, lambda: '{"name": "' + "\\" * 900_001, (400,)),
    Attack("a name of 900,000 letters", EVALUATE, JSON, lambda: with_scenario(name="x" * 900_000), (422,)),
    Attack("9,000 own rows that do not fit", EVALUATE, JSON, lambda: with_scenario(assumptions={f"a.b{n}": 1 for n in range(9_000)}), (422,)),
    Attack("YAML aliases that multiply", EVALUATE, YAML, lambda: "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)), (400,), "20,000 values"),
    Attack("YAML 5,000 deep", EVALUATE, YAML, lambda: "[" * 5_000, (400,)),
    Attack("YAML indents", EVALUATE, YAML, lambda: "".join(f"{' ' * n}a:\n" for n in range(1_000)), (400,)),
    Attack("a YAML tag of 900,000 letters", EVALUATE, YAML, lambda: "a: !" + "x" * 900_000, (400,), "1,000 characters"),
    Attack("YAML anchors", EVALUATE, YAML, lambda: "".join(f"k{n}: &a{n} 1\n" for n in range(30_000)), (400,), "values"),
    Attack("a YAML number", EVALUATE, YAML, lambda: "name: " + "1" * 800_000, (400, 422)),
    Attack("YAML colons", EVALUATE, YAML, lambda: ":" * 800_000, (400, 422)),
    Attack("YAML dates", EVALUATE, YAML, lambda: "name: " + "2001-01-01 " * 70_000, (400, 422)),
    Attack("a thousand scenarios and one", "/api/v1/evaluations:batch", JSON, lambda: json.dumps({"scenarios": [{}] * 1_001}), (422,)),
    Attack("a batch of faults", "/api/v1/evaluations:batch", JSON, lambda: json.dumps({"scenarios": [{"a": 1}] * 1_000}), (200,)),
    Attack("a sweep of 10^12 designs", "/api/v1/sweeps", JSON, lambda: json.dumps({"scenario": SCENARIO, "axes": [
        {"field": "pod.supernodes", "from": 1, "to": 1_000_000, "count": 1_000_000}] * 2}), (422,)),
    Attack("a search of 200,001 letters", "/", "", lambda: "", (200, 400, 414, 422), query="?q=" + "x" * 20_000),
    Attack("a search of wildcards", "/", "", lambda: "", (200,), query="?q=" + "%25_" * 2_000),
    Attack("a filter of brackets", "/catalog/accelerators", "", lambda: "", (200, 422), query="?q=" + "(a%2B)%2B" * 1_000),
    Attack("1,000 parameters", "/catalog/accelerators", "", lambda: "", (200, 422), query="?" + "&".join(f"p{n}=1" for n in range(1_000))),
    Attack("a state that is packed", "/designs/edge_node", "", lambda: "", (200, 422), query="?s=" + "A" * 20_000),
    Attack("a term like none", "/terms", "", lambda: "", (200,), query="?q=" + "ab " * 5_000),
    Attack("a claim like none", "/claims/" + "x" * 8_000, "", lambda: "", (404,)),
    Attack("a catalog key like none", "/api/v1/catalog/accelerators/" + "h" * 8_000, "", lambda: "", (404,)),
    Attack("a model of 900,000 letters", "/api/v1/model-descriptions", JSON, lambda: json.dumps({"model": {"attention": "x" * 900_000}}), (422,)),
    Attack("a description with 9,000 keys", "/api/v1/model-descriptions", JSON, lambda: json.dumps({"model": {f"k{n}": 1 for n in range(9_000)}}), (422,)),
]  # fmt: skip


@pytest.fixture(scope="module")
def alice(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ActingClient]:
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("costs")) as people:
        people.team("costs", {"alice": "owner"})
        yield people.client("alice")


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_what_costs_much_is_refused(alice: ActingClient, attack: Attack) -> None:
    body = attack.body()
    if attack.kind:
        answer = alice.post(
            f"{attack.path}?workspace=costs", content=body, headers={"content-type": attack.kind}
        )
    else:
        answer = alice.get(attack.path + attack.query, headers={"accept": "text/html, application/json"})
    assert answer.status_code in attack.states, answer.text[:500]
    assert attack.says in answer.text
    assert len(answer.content) < 1_000_000
