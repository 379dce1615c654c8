"""The library: designs saved from scenarios, named by scenarios, written out again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.surfaces.pages.saved.test_saving import MAIN, SCRIPT, post_save, scenario
from tests.surfaces.pages.studio.test_routes import text_of

pytestmark = pytest.mark.slow


def design(client: AsgiClient, kind: str, name: str, **changes: Any) -> str:
    """The id of the SuperNode or pod of the worked example, saved as a design."""
    form = {"kind": kind, "name": name, "scenario": json.dumps(scenario(**changes)), "use": "yes"}
    told = client.post("/library/new", data=form, headers=SCRIPT).json()
    assert told["saved"] | {"id": ""} == {"id": "", "name": name, "kind": kind, "use": True}
    return str(told["saved"]["id"])


def figures(client: AsgiClient, values: dict[str, Any]) -> str:
    answer = client.post("/studio/evaluate", json={"key": MAIN, "scenario": values}).json()
    assert "errors" not in answer, answer
    return text_of(answer["results"]).split("Elapsed time")[1][:80]


@pytest.mark.slow
def test_scenario_that_names_designs_has_the_same_figures(asgi_client: AsgiClient) -> None:
    node, pod = design(asgi_client, "supernode", "House node"), design(asgi_client, "pod", "House pod")
    values = scenario() | {"supernode": {"design": node}, "pod": {"design": pod}}
    answer = asgi_client.post("/studio/evaluate", json={"key": MAIN, "scenario": values}).json()
    panel = text_of(answer["panel"])
    assert "From your design House node" in panel
    assert "From your design House pod" in panel
    assert "2 changed" in panel
    assert "was 2,048" not in panel
    assert "no change" in text_of(answer["results"])
    for part in ("supernode", "pod"):
        written = asgi_client.post("/studio/detach", json={"scenario": values, "part": part}).json()[
            "scenario"
        ]
        assert written[part] == scenario()[part]
        assert written["name"] == values["name"]
    state = encode_state(values)
    bare = asgi_client.get(f"/designs/{MAIN}/detach/supernode?s={state}")
    assert decode_state(bare.headers["location"].split("?s=")[1]) == values | {
        "supernode": scenario()["supernode"]
    }


def test_design_is_chosen_in_the_form(asgi_client: AsgiClient) -> None:
    id = design(asgi_client, "supernode", "Form node")
    page = asgi_client.get(f"/designs/{MAIN}").text
    assert page.index('<optgroup label="Your designs">') < page.index('<optgroup label="Catalog">')
    chosen = asgi_client.get(f"/designs/{MAIN}", params={"supernode.system": f"design:{id}"}).text
    assert "From your design Form node" in text_of(chosen)
    back = asgi_client.get(f"/designs/{MAIN}", params={"s": encode_state(scenario() | {"supernode": {"design": id}}),
                                                       "supernode.system": "dgx_h100"}).text  # fmt: skip
    assert "From your design" not in text_of(back)


def test_library_says_who_uses_a_design(asgi_client: AsgiClient) -> None:
    id = design(asgi_client, "supernode", "Used node", supernode__override={"max_power_w": 11_000.0})
    post_save(asgi_client, MAIN, scenario() | {"supernode": {"design": id}}, name="User pod")
    page = text_of(asgi_client.get("/library?q=used").text)
    assert "DGX H100, 8 accelerators Form node" not in page
    assert "Used by 1 scenario User pod" in page
    assert "No SuperPODs match." in page
    asgi_client.post(f"/saved/supernode/{id}/delete", data={"version": "1"})
    assert "Used node was deleted." in text_of(asgi_client.get(f"/library?deleted={id}").text)
    gone = asgi_client.post("/studio/evaluate",
                            json={"key": MAIN, "scenario": scenario() | {"supernode": {"design": id}}}).json()  # fmt: skip
    assert gone["errors"][0]["path"] == "supernode.design"
    assert "Restore it" in gone["errors"][0]["message"]


def test_empty_library_says_what_to_do(reading_client: AsgiClient) -> None:
    assert "Save this SuperNode as a design" in text_of(reading_client.get("/library").text)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"name": "", "scenario": json.dumps(scenario())}, "name"),
        ({"name": "x", "scenario": "{"}, "not JSON"),
        (
            {"name": "x", "scenario": json.dumps(scenario(supernode__system="nothing_like_it"))},
            "nothing_like_it",
        ),
    ],
)
def test_design_that_is_refused_stays_in_the_form(
    asgi_client: AsgiClient, form: dict[str, str], words: str
) -> None:
    answer = asgi_client.post("/library/new", data={"kind": "supernode", **form})
    assert answer.status_code == 422
    assert words in text_of(answer.text)
    assert f'name="name" value="{form["name"]}"' in answer.text


def test_detach_asks_for_a_part(asgi_client: AsgiClient) -> None:
    assert (
        asgi_client.post("/studio/detach", json={"scenario": scenario(), "part": "site"}).status_code == 400
    )
    missing = {"scenario": scenario() | {"pod": {"design": "0" * 32}}, "part": "pod"}
    assert asgi_client.post("/studio/detach", json=missing).json()["errors"][0]["path"] == "pod.design"
