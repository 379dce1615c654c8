"""Designs that scenarios share: named in place of inline fields, wherever a scenario is taken."""

from __future__ import annotations

import shutil

import pytest

from app.main import create_app
from app.settings import Settings
from tests.asgi import asgi_client_of
from tests.surfaces.rest.conftest import EVALUATIONS, assert_problem
from tests.surfaces.rest.saved.conftest import NOBODY, SCENARIOS, edge_node, said, samples

pytestmark = pytest.mark.slow


def of_parts(pool=None, **changes):
    """A design of a SuperNode of parts: count, trays, technology, medium, planes and memory tiers."""
    custom = {
        "name": "144 on NVLink 5",
        "accelerator": "nvidia_gb200",
        "accelerators": 144,
        "nic_gbit_s": 800,
        "parts": {
            "accelerators_per_tray": 4,
            "processors_per_tray": 2,
            "processor": "cpu_grace",
            "host_memory_bytes_per_tray": 1e12,
            "nics_per_tray": 4,
        },
        "scale_up": {"fabric": "nvlink5_72", "oversubscription": 2, "medium": "co_packaged"},
    } | changes
    supernode = {"custom": custom, "override": {"accelerator": {"price_usd": 33_000}}}
    return {"name": "Parts", "supernode": supernode | ({"memory_pool": pool} if pool else {})}


def without_provenance(answer):
    return {name: answer[name] for name in ("performance", "power", "cooling", "cost", "carbon", "fabric")}


def test_a_design_of_parts_is_named_exported_and_arrives_elsewhere_with_the_same_figures(
    asgi_client, seeded_data_dir, tmp_path
):
    """All that makes a SuperNode is kept: in the design, in a scenario that names it, and in its file."""
    pool = {"technology": "cxl", "bytes_per_accelerator": 2e11, "latency_s": 3e-7}
    body = of_parts(pool)
    made = asgi_client.post("/api/v1/designs", json=body)
    design = said(made, 201)
    assert design["document"]["supernode"] == body["supernode"]
    assert (design["kind"], design["summary"]["accelerators"]) == ("supernode", 144)
    named = edge_node() | {
        "name": "Names a design of parts",
        "supernode": {"design": design["id"]},
        "pod": {"supernodes": 2},
        "parallelism": "auto",
    }
    saved = asgi_client.post(SCENARIOS, json=named)
    where = saved.headers["location"]
    then = said(asgi_client.get(f"{where}/evaluation"))
    assert without_provenance(then) == without_provenance(
        said(asgi_client.post(EVALUATIONS, json=named | {"supernode": body["supernode"]}))
    )
    override = named | {"supernode": {"design": design["id"], "override": {"accelerators": 72}}}
    beside = said(
        asgi_client.post("/api/v1/fabric/supernode-difference", json={"first": named, "second": override})
    )
    counts = {one["name"]: (one["first_count"], one["second_count"]) for one in beside["parts"]}
    assert counts["accelerators"] == counts["memory_pool"] == (144, 72)
    assert counts["trays"] == (36, 18)
    price = next(one for one in beside["figures"] if one["name"] == "price_usd")
    assert price["difference"] == pytest.approx(sum(one["price_usd"] for one in beside["parts"]))
    folder = shutil.copytree(seeded_data_dir, tmp_path / "data")
    with asgi_client_of(create_app(Settings(data_dir=folder))) as fresh:
        for kind in ("yaml", "json"):
            file = asgi_client.get(f"{where}/export?format={kind}&what=scenario")
            sent = {"content": file.content, "headers": {"content-type": f"application/{kind}"}}
            id = said(fresh.post("/api/v1/imports", **sent))["scenario"]["id"]
            found = said(fresh.get(f"{SCENARIOS}/{id}/evaluation"))
            assert without_provenance(found) == without_provenance(then)
            kept = said(fresh.get(f"{SCENARIOS}/{id}"))["document"]["supernode"]
            assert kept["memory_pool"] == pool
            assert kept["custom"]["parts"] == body["supernode"]["custom"]["parts"]


@pytest.fixture
def supernode(save):
    return save(samples()["supernode"])


@pytest.fixture
def pod(save):
    return save(samples()["pod"])


@pytest.fixture
def document(supernode, pod):
    """A scenario that names a design of either kind, and the same written out."""
    named = {
        **edge_node(),
        "supernode": {"design": supernode.content["id"]},
        "pod": {"design": pod.content["id"], "supernodes": 4},
        "parallelism": "auto",
    }
    written = {
        **named,
        "supernode": supernode.sample.document["supernode"],
        "pod": {**pod.sample.document["pod"], "supernodes": 4},
    }
    return named, written


def test_a_scenario_that_names_designs_is_evaluated_as_if_they_stood_there(asgi_client, document):
    named, written = document
    for path, members in (
        (EVALUATIONS, lambda scenario: scenario),
        ("/api/v1/figures/tco", lambda scenario: scenario),
        ("/api/v1/explanations", lambda scenario: {"scenario": scenario, "quantity": "cost.tco_usd"}),
    ):
        by_name, in_full = (asgi_client.post(path, json=members(scenario)) for scenario in (named, written))
        assert said(by_name) == said(in_full)
        assert by_name.headers["etag"] == in_full.headers["etag"]


def test_what_is_said_beside_a_design_overrides_it(asgi_client, document):
    named, _ = document
    override = {**named, "supernode": {**named["supernode"], "override": {"max_power_w": 5000}}}
    before, after = (said(asgi_client.post(EVALUATIONS, json=one)) for one in (named, override))
    assert after["power"]["utility_peak_w"] < before["power"]["utility_peak_w"]


def test_a_change_of_a_design_shows_today_and_not_in_what_was_saved(asgi_client, document, supernode):
    named, _ = document
    saved = asgi_client.post(SCENARIOS, json=named)
    path = saved.headers["location"]
    assert said(saved, 201)["document"]["supernode"] == named["supernode"]
    then = said(asgi_client.get(f"{path}/revisions/1/evaluation"))
    cooler = {
        **supernode.sample.document,
        "supernode": {"system": "dgx_h100", "override": {"max_power_w": 5000}},
    }
    asgi_client.put(supernode.path, json=cooler, headers={"if-match": supernode.etag})
    assert said(asgi_client.get(f"{path}/revisions/1/evaluation")) == then
    today = said(asgi_client.get(f"{path}/evaluation"))
    assert today["power"]["utility_peak_w"] < then["power"]["utility_peak_w"]
    moved = said(asgi_client.get(f"{path}/revisions/1/moved"))
    assert moved["engine"] == moved["from_today"] == []
    (design,) = moved["catalog"]
    assert (design["path"], design["before"], design["after"]) == ("supernode.design", 1, 2)
    compared = said(asgi_client.get(f"{path}/diff?from=1&to=now"))
    assert "power.utility_peak_w" in {change["path"] for change in compared["results"]}


def test_a_design_says_who_uses_it(asgi_client, document, supernode, pod):
    uses = f"{supernode.path}/uses"
    assert said(asgi_client.get(uses)) == {"items": []}
    saved = asgi_client.post(SCENARIOS, json=document[0])
    for design in (supernode, pod):
        (item,) = said(asgi_client.get(f"{design.path}/uses"))["items"]
        assert item["links"]["self"] == saved.headers["location"]
        assert "document" not in item
    asgi_client.put(saved.headers["location"], json=edge_node(), headers={"if-match": "*"})
    assert said(asgi_client.get(uses)) == {"items": []}
    assert_problem(asgi_client.get(f"/api/v1/designs/{NOBODY}/uses"), 404)


def test_a_design_that_is_not_there_is_a_fault_of_the_scenario(asgi_client, document, supernode):
    named, _ = document
    asgi_client.delete(supernode.path, headers={"if-match": supernode.etag})
    unknown = {**named, "supernode": {"design": NOBODY}}
    wrong_kind = {**named, "supernode": {"design": named["pod"]["design"]}}
    for scenario, said_of_it in (
        (named, "was deleted"),
        (unknown, NOBODY),
        (wrong_kind, "There is no saved"),
    ):
        for path in (EVALUATIONS, SCENARIOS, "/api/v1/figures/tco"):
            content = assert_problem(asgi_client.post(path, json=scenario), 422, "invalid-scenario")
            assert content["errors"][0]["pointer"] == "#/supernode/design"
            assert said_of_it in content["detail"]
        body = {"scenario": scenario, "quantity": "cost.tco_usd"}
        content = assert_problem(asgi_client.post("/api/v1/explanations", json=body), 422)
        assert content["errors"][0]["pointer"] == "#/scenario/supernode/design"


def test_a_saved_scenario_outlives_its_design(asgi_client, document, pod):
    path = asgi_client.post(SCENARIOS, json=document[0]).headers["location"]
    asgi_client.delete(pod.path, headers={"if-match": "*"})
    assert asgi_client.get(f"{path}/revisions/1/evaluation").status_code == 200
    assert said(asgi_client.get(f"{path}/revisions/1/moved"))["catalog"][0]["after"] is None
    assert "was deleted" in assert_problem(asgi_client.get(f"{path}/evaluation"), 422)["detail"]
    asgi_client.post(f"{pod.path}/restore")
    assert asgi_client.get(f"{path}/evaluation").status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": "X"}, "#"),
        ({"name": "X", "supernode": {"system": "dgx_h100"}, "pod": {}}, "#/pod"),
        ({"name": "X", "supernode": {"design": NOBODY}}, "#/supernode/design"),
        ({"name": "X", "pod": {"design": NOBODY}}, "#/pod/design"),
        ({"name": "X", "pod": {"fabric": {"switch": "qm970"}}}, "#/pod/fabric/switch"),
        (of_parts(accelerators=9000), "#/supernode/custom/accelerators"),
        (of_parts(scale_up={"fabric": "nvlink5_27"}), "#/supernode/custom/scale_up/fabric"),
        (
            of_parts(accelerators=1152, scale_up={"fabric": "nvlink5_72", "medium": "linear_copper"}),
            "#/supernode/custom/scale_up/medium",
        ),
        (
            of_parts(pool={"technology": "host_memory", "bytes_per_accelerator": 1e15}),
            "#/supernode/memory_pool/bytes_per_accelerator",
        ),
        ({"pod": {}}, "#/name"),
        ({"name": "X", "schema_version": 2, "pod": {}}, "#/schema_version"),
        ({"name": "X", "pod": {}, "workload": {}}, "#/workload"),
        ([], "#"),
    ],
)
def test_a_bad_design_is_refused_with_its_place(asgi_client, body, pointer):
    content = assert_problem(asgi_client.post("/api/v1/designs", json=body), 422, "invalid-design")
    assert content["errors"][0]["pointer"] == pointer


def test_a_design_stays_of_its_kind(asgi_client, supernode, pod):
    for one, other in ((supernode, pod), (pod, supernode)):
        answer = asgi_client.put(one.path, json=other.sample.document, headers={"if-match": one.etag})
        assert "Save it as a new one" in assert_problem(answer, 422, "invalid-design")["detail"]
        assert asgi_client.get(one.path).headers["etag"] == one.etag
