"""Files over HTTP: every format, names of files, revisions, and problems in the usual shape."""

from __future__ import annotations

import io
import shutil

import pytest
from openpyxl import load_workbook

from app.main import create_app
from app.saved.imports import import_scenario
from app.settings import Settings
from app.surfaces.files.formats import FORMATS
from app.surfaces.pages.studio.state import decode_state
from tests.asgi import asgi_client_of
from tests.catalog.weather.files import as_bytes, epw_lines
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

POSTED = "/api/v1/exports"


@pytest.fixture(scope="module")
def saved(asgi_client):
    """A saved scenario with two revisions."""
    document = asgi_client.get("/api/v1/examples/edge_node").json() | {"name": "Münster: =1+1 / edge"}
    made = asgi_client.post("/api/v1/scenarios?note=first", json=document)
    assert made.status_code == 201, made.text
    document["economics"]["utilisation"] = 0.5
    address = f"/api/v1/scenarios/{made.json()['id']}"
    changed = asgi_client.put(address, json=document, headers={"if-match": made.headers["etag"]})
    assert changed.status_code == 200, changed.text
    return address


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: f"{one.name}-{one.what}")
def test_every_format_is_served_as_what_it_is(asgi_client, saved, scenario, one):
    for answer in (
        asgi_client.get(f"{saved}/export?format={one.name}&what={one.what}"),
        asgi_client.post(f"{POSTED}/{one.name}?what={one.what}", json=scenario),
    ):
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == one.media_type
        assert answer.headers["content-disposition"].startswith("attachment; ")
        assert answer.headers["etag"].startswith('"')
        if one.name != "csv":
            assert import_scenario(answer.content, f"file{one.suffix}").name


def test_the_file_is_called_as_the_scenario_is(asgi_client, saved):
    named = asgi_client.get(f"{saved}/export?format=xlsx").headers["content-disposition"]
    assert 'filename="Munster =1+1 edge.xlsx"' in named
    assert "filename*=UTF-8''M%C3%BCnster%20%3D1%2B1%20edge.xlsx" in named


def test_text_that_looks_like_a_formula_is_text(asgi_client, scenario):
    scenario["name"] = '=HYPERLINK("http://example.org")'
    book = load_workbook(io.BytesIO(asgi_client.post(f"{POSTED}/xlsx", json=scenario).content))
    assert book["Summary"]["A1"].value == scenario["name"]
    assert book["Summary"]["A1"].data_type == "s"
    table = asgi_client.post(f"{POSTED}/csv", json=scenario).text
    assert "name,Name of the scenario,\"'=HYPERLINK" in table


def test_a_revision_is_exported_as_it_was(asgi_client, saved):
    first, second, newest = (
        asgi_client.get(f"{saved}/export?format=json&what=evaluation{more}").json()
        for more in ("&revision=1", "&revision=2", "")
    )
    assert "utilisation" not in first["scenario"]["economics"]
    assert second["scenario"]["economics"]["utilisation"] == 0.5
    assert first["saved"] == first["saved"] | {"revision": 1, "note": "first"}
    assert second == newest
    assert first["cost"]["usd_per_run"] < second["cost"]["usd_per_run"]


@pytest.mark.slow
def test_one_revision_always_gives_the_same_bytes(asgi_client, saved):
    address = f"{saved}/export?format=xlsx&revision=1"
    one, other = asgi_client.get(address), asgi_client.get(address)
    assert one.content == other.content
    again = asgi_client.get(address, headers={"if-none-match": one.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == one.headers["etag"]


def test_an_export_posted_again_gives_the_same_figures(asgi_client, saved):
    today = asgi_client.get(f"{saved}/evaluation").json()
    text = asgi_client.get(f"{saved}/export?format=yaml").text
    again = asgi_client.post(
        "/api/v1/evaluations", content=text, headers={"content-type": "application/yaml"}
    )
    assert again.json() == today


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("format=pdf", "format"),
        ("what=all", "what"),
        ("revision=0", "revision"),
        ("revision=first", "revision"),
        ("colour=red", "colour"),
        ("format=csv&format=xlsx", "format"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(asgi_client, saved, query, parameter):
    content = assert_problem(asgi_client.get(f"{saved}/export?{query}"), 400, "invalid-parameter")
    assert content["errors"][0]["parameter"] == parameter


def test_a_format_that_the_scenario_does_not_have_is_beyond_the_schema(asgi_client, saved):
    answer = asgi_client.get(f"{saved}/export?format=csv&what=scenario")
    content = assert_problem(answer, 422, "beyond-schema")
    assert content["errors"][0]["parameter"] == "what"


def test_what_is_not_there_is_not_found(asgi_client, saved, scenario):
    assert "revision 9" in assert_problem(asgi_client.get(f"{saved}/export?revision=9"), 404)["detail"]
    assert_problem(asgi_client.get(f"/api/v1/scenarios/{'0' * 32}/export"), 404)
    assert "xlsx" in assert_problem(asgi_client.post(f"{POSTED}/xls", json=scenario), 404)["detail"]


def test_a_deleted_scenario_says_how_to_bring_it_back(asgi_client):
    document = asgi_client.get("/api/v1/examples/edge_node").json()
    made = asgi_client.post("/api/v1/scenarios", json=document)
    address = f"/api/v1/scenarios/{made.json()['id']}"
    asgi_client.delete(address, headers={"if-match": made.headers["etag"]})
    content = assert_problem(asgi_client.get(f"{address}/export"), 404)
    assert f"POST {address}/restore brings it back." in content["detail"]


def test_a_scenario_that_cannot_be_used_is_refused_in_any_format(asgi_client, scenario):
    scenario["workload"]["model"] = "llama_405b"
    content = assert_problem(asgi_client.post(f"{POSTED}/xlsx", json=scenario), 422, "invalid-scenario")
    assert content["errors"][0]["pointer"] == "#/workload/model"


MODEL = {
    "name": "Ours 8B", "organisation": "Acme", "family": "dense", "layers": 31, "hidden": 4096, "heads": 32,
    "kv_heads": 8, "feed_forward_hidden": 14336, "vocabulary": 128256,
}  # fmt: skip
PRICE = (
    "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "ours_dgx,dgx_h100,As quoted,USD/system,quote,284123.7,Quote 4711,2026-05-01,vendor\n"
)


@pytest.fixture(scope="module")
def rests_on_own(asgi_client):
    """The address of a saved scenario with an own model and an own price, and its evaluation."""
    said = {"citation": "Own model", "as_of": "2026-11", "kind": "assumption"}
    row = {"lines": [{"values": MODEL, "source": said}]}
    made = asgi_client.put("/api/v1/catalog/models/ours_8b", json=row, headers={"if-match": "*"})
    assert made.status_code in (200, 201), made.text
    where = "/api/v1/catalog/imports?kind=prices&dry_run=false"
    made = asgi_client.post(where, content=PRICE, headers={"content-type": "text/csv"})
    assert made.status_code == 200, made.text
    document = {
        "name": "Rests on own rows",
        "workload": {"kind": "training", "model": "ours_8b", "tokens": 1e12, "sequence_length": 8192,
                     "global_batch_sequences": 1024},
        "supernode": {"system": "dgx_h100"},
    }  # fmt: skip
    made = asgi_client.post("/api/v1/scenarios", json=document)
    assert made.status_code == 201, made.text
    address = f"/api/v1/scenarios/{made.json()['id']}"
    return address, without_provenance(asgi_client.get(f"{address}/evaluation").json())


def without_provenance(answer):
    return {name: answer[name] for name in ("performance", "power", "cooling", "cost", "carbon", "fabric")}


@pytest.fixture
def fresh(seeded_data_dir, tmp_path):
    """A client of an application with another database, without own rows."""
    folder = shutil.copytree(seeded_data_dir, tmp_path / "data")
    with asgi_client_of(create_app(Settings(data_dir=folder))) as client:
        yield client


@pytest.mark.parametrize("one", ["yaml", "json", "evaluation"])
def test_own_rows_arrive_in_a_fresh_database_with_the_same_figures(asgi_client, rests_on_own, fresh, one):
    address, then = rests_on_own
    what = "evaluation" if one == "evaluation" else "scenario"
    kind = "yaml" if one == "yaml" else "json"
    file = asgi_client.get(f"{address}/export?format={kind}&what={what}&own_prices=true")
    sent = {"content": file.content, "headers": {"content-type": f"application/{kind}"}}
    looked = fresh.post("/api/v1/imports?dry_run=true", **sent)
    assert (looked.status_code, looked.json()["scenario"]) == (200, None)
    answer = fresh.post("/api/v1/imports", **sent)
    assert answer.status_code == 200, answer.text
    assert looked.json()["own_rows"]["added"] == answer.json()["own_rows"]["added"] == [
        "models/ours_8b", "prices/ours_dgx",
    ]  # fmt: skip
    id = answer.json()["scenario"]["id"]
    assert without_provenance(fresh.get(f"/api/v1/scenarios/{id}/evaluation").json()) == then
    again = fresh.post("/api/v1/imports", **sent).json()
    assert again["own_rows"]["same"] == ["models/ours_8b", "prices/ours_dgx"]


def test_without_own_prices_the_answer_says_so(asgi_client, rests_on_own, fresh):
    address, then = rests_on_own
    file = asgi_client.get(f"{address}/export?format=json")
    assert "284123" not in file.text
    answer = fresh.post("/api/v1/imports", content=file.content, headers={"content-type": "application/json"})
    assert answer.json()["own_rows"]["left_out"] == ["price of dgx_h100"]
    assert "Own prices were left out: price of dgx_h100." in " ".join(answer.json()["messages"])
    found = fresh.get(f"/api/v1/scenarios/{answer.json()['scenario']['id']}/evaluation").json()
    assert without_provenance(found)["performance"] == then["performance"]
    assert found["cost"]["supernode_price_usd"] != then["cost"]["supernode_price_usd"]


def test_a_page_shows_the_rows_and_adds_them_when_confirmed(asgi_client, rests_on_own, fresh):
    address, then = rests_on_own
    page = f"/designs/{address.rsplit('/', 1)[1]}/export"
    assert "Include own prices" in asgi_client.get(page).text
    text = asgi_client.get(f"{page}/scenario/yaml?own_prices=yes").text
    shown = fresh.post("/import", data={"text": text})
    assert shown.status_code == 200
    assert "Own rows added: models/ours_8b, prices/ours_dgx." in shown.text
    assert fresh.get("/api/v1/catalog/models/ours_8b").status_code == 404
    opened = fresh.post("/import", data={"text": text, "seen": "yes", "add_rows": "yes"})
    assert opened.status_code == 303
    values = decode_state(opened.headers["location"].partition("?s=")[2])
    assert without_provenance(fresh.post("/api/v1/evaluations", json=values).json()) == then


def test_what_is_no_import_refuses_own_rows(asgi_client, rests_on_own):
    file = asgi_client.get(f"{rests_on_own[0]}/export?format=json")
    answer = asgi_client.post(
        "/api/v1/evaluations", content=file.content, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 422
    assert "which only an import reads" in answer.text


@pytest.mark.parametrize(
    ("query", "field"), [("conflicts=overwrite", "conflicts"), ("dry_run=maybe", "dry_run")]
)
def test_parameters_of_an_import_are_checked(asgi_client, scenario, query, field):
    (fault,) = assert_problem(asgi_client.post(f"/api/v1/imports?{query}", json=scenario), 400)["errors"]
    assert fault["parameter"] == field


EVERY_KIND = {
    "systems": "key,name,vendor,category,year,status,accelerator_key,accelerators,scale_up_domain_accelerators,nodes,"
    "max_power_kw,typical_power_kw,cooling,rack_units,weight_kg,scale_up_gb_s_bidir_per_accel,scale_out_nics,"
    "scale_out_nic_gbit_s,source,as_of,value_kind\n"
    "ours_node,Our node,Acme,server,2026,shipping,nvidia_h100_sxm,8,8,1,10.3,8.1,air,8,131.7,900,8,400,Measured,2026-11,measured\n",
    "sites": "key,city,country,climate_key,rankable,elevation_m,carbon_g_per_kwh,electricity_usd_per_kwh,source,as_of,value_kind\n"
    "ours_graz,Graz,AT,graz_2023,yes,353,158.3,0.1137,Contract,2026-11,vendor\n",
    "prices": "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "ours_price,ours_node,Node,USD/system,quote,284123.7,Quote 4711,2026-05-01,vendor\n",
}


def test_an_own_model_part_price_site_and_climate_give_identical_figures_elsewhere(
    asgi_client, rests_on_own, fresh
):
    """By REST and by the page: every figure of the whole evaluation is the same to the last bit."""
    made = asgi_client.put(
        "/api/v1/catalog/climate/graz_2023?source=Own%20station", content=as_bytes(epw_lines()),
        headers={"content-type": "application/octet-stream"},
    )  # fmt: skip
    assert made.status_code in (200, 201), made.text
    for kind, text in EVERY_KIND.items():
        where = f"/api/v1/catalog/imports?kind={kind}&dry_run=false"
        made = asgi_client.post(where, content=text, headers={"content-type": "text/csv"})
        assert made.status_code == 200, made.text
    document = {
        "name": "Every kind",
        "workload": {"kind": "training", "model": "ours_8b", "tokens": 1e12, "sequence_length": 8192,
                     "global_batch_sequences": 1024},
        "supernode": {"system": "ours_node"}, "facility": {"site": "ours_graz"},
    }  # fmt: skip
    address = f"/api/v1/scenarios/{asgi_client.post('/api/v1/scenarios', json=document).json()['id']}"
    then = asgi_client.get(f"{address}/evaluation").json()
    text = asgi_client.get(f"{address}/export?format=yaml&own_prices=true").text
    shown = fresh.post("/import", data={"text": text}).text
    rows = (
        "climate/graz_2023",
        "models/ours_8b",
        "prices/ours_price",
        "sites/ours_graz",
        "systems/ours_node",
    )
    assert all(row in shown for row in rows), "the preview names every row"
    sent = {"content": text, "headers": {"content-type": "application/yaml"}}
    looked = fresh.post("/api/v1/imports?dry_run=true", **sent).json()["own_rows"]["added"]
    assert {*rows} <= {*looked}
    id = fresh.post("/api/v1/imports", **sent).json()["scenario"]["id"]
    here = fresh.get(f"/api/v1/scenarios/{id}/evaluation").json()
    kept = [name for name in then if name not in ("provenance", "saved")]
    assert {name: here[name] for name in kept} == {name: then[name] for name in kept}
    opened = fresh.post("/import", data={"text": text, "seen": "yes", "add_rows": "yes"})
    values = decode_state(opened.headers["location"].partition("?s=")[2])
    assert without_provenance(fresh.post("/api/v1/evaluations", json=values).json()) == without_provenance(
        then
    )
