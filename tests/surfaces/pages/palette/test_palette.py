"""The command palette: what it finds, in which order, and for whom."""

from __future__ import annotations

import pytest

from app.surfaces.pages.palette.finding import Entry, fitting
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.people import People
from tests.support import read_example


def found(client: AsgiClient, q: str, design: str = "") -> dict[str, list[dict[str, str]]]:
    answer = client.get("/palette.json", params={"q": q, "design": design})
    assert answer.status_code == 200
    return {group["title"]: group["entries"] for group in answer.json()["groups"]}


def test_whole_names_come_first_then_beginnings_then_the_rest() -> None:
    names = ["Oil cooling", "Spare coolers", "Cooling plant", "Cooling", "Racks"]
    entries = [Entry(name, "", f"/{name}") for name in names]
    assert [entry.name for entry in fitting(entries, ["cooling"])] == [
        "Cooling",
        "Cooling plant",
        "Oil cooling",
    ]
    assert [entry.name for entry in fitting(entries, ["plant", "cool"])] == ["Cooling plant"]
    assert fitting(entries, ["nothing"]) == ()


def test_without_words_the_pages_are_listed(reading_client: AsgiClient) -> None:
    groups = found(reading_client, "")
    assert list(groups) == ["Pages"]
    assert {"/", "/compare", "/catalog", "/validation", "/help"} <= {
        one["address"] for one in groups["Pages"]
    }


@pytest.mark.parametrize(
    ("q", "group", "address"),
    [
        ("flops utilisation", "Figures", "/designs/edge_node/explain/performance.mfu"),
        ("MFU", "Figures", "/designs/edge_node/explain/performance.mfu"),
        ("cash flow", "Pages", "/economics/edge_node/cash"),
        ("trends of compute", "Pages", "/trends"),
        ("h100 sxm5", "Catalog", "/catalog/accelerators/nvidia_h100_sxm"),
        ("gb200 nvl72", "Designs", "/designs/llama_3_1_405b_on_gb200_nvl72"),
        ("bill of materials", "Help", "/help/fabric#bill-of-materials"),
        ("leaf-spine", "Glossary", "/terms#fat_tree"),
    ],
)
def test_entries_are_found_and_their_pages_answer(
    reading_client: AsgiClient, q: str, group: str, address: str
) -> None:
    addresses = [one["address"] for one in found(reading_client, q, "edge_node")[group]]
    assert address in addresses
    for each in addresses:
        assert reading_client.get(each, headers={"accept": "text/html"}).status_code == 200


def test_a_design_that_is_not_there_has_no_figures(reading_client: AsgiClient) -> None:
    assert "Figures" not in found(reading_client, "mfu", "cellar")
    assert "Figures" not in found(reading_client, "mfu", "0" * 32)
    assert "Figures" not in found(reading_client, "mfu")


def test_figures_are_of_what_is_not_saved(reading_client: AsgiClient) -> None:
    values = read_example("edge_node").as_dict()
    values["workload"]["tokens"] = 2 * values["workload"]["tokens"]
    query = {"q": "elapsed time", "design": "edge_node"}
    then = reading_client.get("/palette.json", params=query).json()["groups"][0]["entries"][0]
    now = reading_client.get("/palette.json", params={**query, "s": encode_state(values)}).json()
    assert now["groups"][0]["title"] == "Figures"
    assert now["groups"][0]["entries"][0]["name"] == then["name"]
    assert now["groups"][0]["entries"][0]["note"] != then["note"]
    broken = reading_client.get("/palette.json", params={**query, "s": "broken"})
    assert broken.status_code == 200


def test_only_what_somebody_may_see_is_found(people: People) -> None:
    ada, eve = people.client("Ada"), people.client("Eve")
    written = {**read_example("edge_node").as_dict(), "name": "Secret harbour"}
    saved = ada.post("/api/v1/scenarios", json=written)
    assert saved.status_code == 201, saved.text
    id = saved.json()["id"]
    assert found(ada, "harbour")["Designs"][0]["address"] == f"/designs/{id}"
    assert "Designs" not in found(eve, "harbour")
    assert "Figures" in found(ada, "mfu", id)
    assert "Figures" not in found(eve, "mfu", id)
    assert people.client().get("/palette.json", params={"q": "harbour"}).status_code in (303, 401)


def test_a_part_comes_before_the_designs_that_have_it(people: People) -> None:
    client = people.client("Ada")
    written = {**read_example("llama_3_1_405b_on_2048_dgx_h100").as_dict(), "name": "Harbour"}
    assert client.post("/api/v1/scenarios", json=written).status_code == 201
    assert [title for title in found(client, "h100 sxm5") if title in ("Catalog", "Designs")] == [
        "Catalog",
        "Designs",
    ]
    assert next(iter(found(client, "harbour"))) == "Designs"
