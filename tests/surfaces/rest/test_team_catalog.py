"""Own rows of the catalog over REST: imports with a report, single rows with If-Match, exports, roles."""

from __future__ import annotations

import csv
import io

import pytest
from openpyxl import load_workbook

from app.saved.access import ROLES, Role
from tests.people import ActingClient, People
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

CATALOG = "/api/v1/catalog"
CSV = {"content-type": "text/csv"}
PRICES = (
    "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "our_dgx,dgx_h100,DGX H100 as quoted,USD/system,quote,250000,Quote 4711,2026-11,vendor\n"
)
BAD = PRICES + "bad,dgx_h10,Bad,USD/systm,quote,-1,,2026-13,guess\n"
CHIP = f"{CATALOG}/accelerators/nvidia_h100_sxm"
TDP = {
    "lines": [
        {"values": {"tdp_w": 650}, "source": {"citation": "Ours", "as_of": "2026-11", "kind": "measured"}}
    ]
}
SCENARIO = {
    "schema_version": 1,
    "name": "Four servers",
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 1e11,
        "sequence_length": 8192,
        "global_batch_sequences": 512,
        "precision": "bf16",
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 4},
}
_made = iter(range(1, 1000))


@pytest.fixture
def team(people: People) -> dict[Role, ActingClient]:
    """A new team with someone of every role, each as a client that asks for it."""
    key = f"catalog-{next(_made)}"
    people.team(key, {f"{role} of {key}": role for role in ROLES})
    found = {}
    for role in ROLES:
        client = people.client(f"{role} of {key}")
        client.headers["x-workspace-of-test"] = key
        found[role] = _in(client, key)
    return found


def _in(client: ActingClient, key: str) -> ActingClient:
    """The client with its workspace in every address."""
    ask = client.request

    def request(method, path, **options):
        return ask(method, f"{path}{'&' if '?' in path else '?'}workspace={key}", **options)

    client.request = request  # type: ignore[method-assign]
    return client


def test_dry_run_reports_every_line(team):
    answer = team["editor"].post(f"{CATALOG}/imports?kind=prices", content=BAD, headers=CSV)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    as_bytes = {"content-type": "application/octet-stream"}
    assert (
        team["editor"].post(f"{CATALOG}/imports?kind=prices", content=BAD, headers=as_bytes).json() == found
    )
    assert (found["dry_run"], found["applied"]) == (True, False)
    assert found["counts"] == {"added": 1, "changed": 0, "same": 0, "refused": 1}
    good, bad = found["lines"]
    assert (good["line"], good["outcome"], good["key"]) == (2, "added", "our_dgx")
    assert {change["field"]: change["after"] for change in good["changes"]}["value"] == "250000"
    assert {fault["column"] for fault in bad["faults"]} >= {"unit", "typical"}
    assert all(fault["message"] for fault in bad["faults"])
    assert team["editor"].get(f"{CATALOG}/prices/our_dgx").status_code == 404


def test_all_or_nothing_unless_it_is_asked_to_skip(team):
    owner = team["owner"]
    refused = owner.post(f"{CATALOG}/imports?kind=prices&dry_run=false", content=BAD, headers=CSV)
    problem = assert_problem(refused, 422, "invalid-catalog-row")
    assert {error["line"] for error in problem["errors"]} == {3}
    assert owner.get(f"{CATALOG}/prices/our_dgx").status_code == 404
    path = f"{CATALOG}/imports?kind=prices&dry_run=false&skip_refused=true"
    assert owner.post(path, content=BAD, headers=CSV).json()["applied"]
    row = owner.get(f"{CATALOG}/prices/our_dgx").json()
    assert row["origin"] == "workspace"
    assert "owner of catalog" in row["own"]
    assert not owner.post(path, content=PRICES, headers=CSV).json()["applied"]  # it says so already


def test_a_team_computes_with_its_price_and_nobody_else_does(team, people):
    before = team["viewer"].post("/api/v1/evaluations", json=SCENARIO).json()
    team["editor"].post(f"{CATALOG}/imports?kind=prices&dry_run=false", content=PRICES, headers=CSV)
    after = team["viewer"].post("/api/v1/evaluations", json=SCENARIO).json()
    assert after["cost"]["capex_usd"] < before["cost"]["capex_usd"]
    explained = team["viewer"].post(
        "/api/v1/explanations", json={"scenario": SCENARIO, "quantity": "cost.capex_usd"}
    )
    if explained.status_code == 200:
        assert "Quote 4711" in explained.text
    other = people.client("someone else")
    assert other.post("/api/v1/evaluations", json=SCENARIO).json() == before
    assert other.get(f"{CATALOG}/prices/our_dgx").status_code == 404
    assert "our_dgx" not in other.get(f"{CATALOG}/export?kind=prices").text


def test_a_new_row_takes_no_header_that_is_no_tag(team):
    answer = team["editor"].put(f"{CHIP}_new", json=TDP, headers={"if-match": "HFFSd`#5K"})
    assert answer.status_code == 400
    assert "If-Match is not a list of entity tags" in answer.text


def test_one_row_with_if_match(team):
    editor = team["editor"]
    assert_problem(editor.put(CHIP, json=TDP), 428, "precondition-required")
    builtin = editor.get(CHIP)
    made = editor.put(CHIP, json=TDP, headers={"if-match": builtin.headers["etag"]})
    assert made.status_code == 200, made.text
    row = made.json()
    assert row["stated"] == ["tdp_w"]
    assert (row["facts"]["tdp_w"]["value"], row["facts"]["tdp_w"]["origin"]) == (650, "workspace")
    assert row["builtin"]["tdp_w"]["value"] == 700
    assert row["facts"]["idle_w"]["origin"] == "builtin"
    assert editor.get(CHIP).headers["etag"] == made.headers["etag"]
    assert_problem(
        editor.put(CHIP, json=TDP, headers={"if-match": builtin.headers["etag"]}), 412, "changed-meanwhile"
    )
    assert_problem(editor.delete(CHIP, headers={"if-match": '"x"'}), 412, "changed-meanwhile")
    assert editor.delete(CHIP, headers={"if-match": made.headers["etag"]}).status_code == 204
    assert editor.get(CHIP).headers["etag"] == builtin.headers["etag"]
    assert_problem(editor.delete(CHIP, headers={"if-match": "*"}), 404, "not-found")


def test_a_new_row_needs_no_precondition(team):
    path = f"{CATALOG}/accelerators/acme_one"
    values = {"name": "One", "vendor": "Acme", "generation": "other", "tdp_w": 500}
    body = {"lines": [{**TDP["lines"][0], "values": values}]}
    assert team["editor"].put(path, json=body).json()["name"] == "One"
    assert_problem(team["editor"].put(path, json=body), 428, "precondition-required")
    listed = team["viewer"].get(f"{CATALOG}/accelerators?q=acme").json()["items"]
    assert [(row["key"], row["origin"]) for row in listed] == [("acme_one", "workspace")]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "lines"),
        ({"lines": [{**TDP["lines"][0], "values": {"tdp_watts": 1}}]}, "tdp_watts"),
        ({"lines": [{**TDP["lines"][0], "values": {"tdp_w": "much"}}]}, "tdp_w"),
        ({"lines": [{"values": {"tdp_w": 1}, "source": {"citation": ""}}]}, "source"),
    ],
)
def test_a_bad_row(team, body, path):
    problem = assert_problem(
        team["owner"].put(CHIP, json=body, headers={"if-match": "*"}), 422, "invalid-catalog-row"
    )
    assert problem["errors"][0]["path"] == path


@pytest.mark.parametrize("role", ROLES)
def test_editors_write_and_members_read(team, role):
    client, may = team[role], role in ("editor", "owner")
    asked = [
        client.post(f"{CATALOG}/imports?kind=prices&dry_run=false", content=PRICES, headers=CSV),
        client.put(CHIP, json=TDP, headers={"if-match": "*"}),
        client.delete(CHIP, headers={"if-match": "*"}),
    ]
    for answer in asked:
        if may:
            assert answer.status_code in (200, 204), answer.text
        else:
            assert_problem(answer, 403, "forbidden")
    for path in ("/export?kind=prices&own=true", "/review", "/prices"):
        assert client.get(f"{CATALOG}{path}").status_code == 200


def test_whoever_is_not_of_the_team_sees_nothing_of_it(team, people):
    key = team["owner"].headers["x-workspace-of-test"]
    team["owner"].post(f"{CATALOG}/imports?kind=prices&dry_run=false", content=PRICES, headers=CSV)
    stranger = people.client("a stranger")
    for path in ("/prices/our_dgx", "/export?kind=prices&own=true", "/review"):
        answer = stranger.get(f"{CATALOG}{path}{'&' if '?' in path else '?'}workspace={key}")
        assert "Quote 4711" not in answer.text
    assert people.client().get(f"{CATALOG}/export?kind=prices&format=csv&own=true").status_code == 401


def test_exports_hold_no_formula(team):
    text = PRICES.replace("DGX H100 as quoted", "=HYPERLINK(1)")
    team["owner"].post(f"{CATALOG}/imports?kind=prices&dry_run=false", content=text, headers=CSV)
    answer = team["viewer"].get(f"{CATALOG}/export?kind=prices&format=csv&own=true")
    assert answer.headers["content-disposition"].startswith('attachment; filename="own-prices.csv"')
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert row["item"] == "'=HYPERLINK(1)"
    book = team["viewer"].get(f"{CATALOG}/export?format=xlsx&own=true")
    sheet = load_workbook(io.BytesIO(book.content))["prices"]
    cell = next(cell for cell in sheet[2] if cell.value == "=HYPERLINK(1)")
    assert cell.data_type == "s"
    again = team["owner"].post(
        f"{CATALOG}/imports", content=book.content, headers={"content-type": book.headers["content-type"]}
    )
    assert again.json()["counts"] == {"added": 0, "changed": 0, "same": 1, "refused": 0}


def test_other_bodies_are_refused(team):
    owner = team["owner"]
    assert_problem(owner.post(f"{CATALOG}/imports", content=b"{}", headers={"content-type": "application/json"}), 415,
                   "unsupported-media-type")  # fmt: skip
    assert_problem(
        owner.post(f"{CATALOG}/imports?kind=nope", content=PRICES, headers=CSV), 400, "invalid-parameter"
    )
    assert_problem(
        owner.post(f"{CATALOG}/imports?dry_run=maybe", content=PRICES, headers=CSV), 400, "invalid-parameter"
    )
    assert_problem(owner.post(f"{CATALOG}/imports", content=b"", headers=CSV), 422, "invalid-catalog-row")


def test_published_accuracy_depends_on_no_team(team):
    before = {
        path: team["owner"].get(path).json()
        for path in ("/api/v1/gallery/gb200_nvl72", "/api/v1/claims", "/api/v1/trends")
    }
    team["owner"].put(CHIP, json={"lines": [{**TDP["lines"][0], "values": {"bf16_dense_tflops": 500, "tdp_w": 100}}]},
                      headers={"if-match": "*"})  # fmt: skip
    assert team["owner"].get(CHIP).json()["stated"] == ["bf16_flop_per_s", "tdp_w"]
    assert {path: team["owner"].get(path).json() for path in before} == before
