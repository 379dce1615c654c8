"""Home: cards, search, paging, and what is done with one card."""

from __future__ import annotations

import re

import pytest

from app.saved.records import WORDS, Kind
from tests.access.world import DOCUMENTS, SHELVES
from tests.asgi import AsgiClient
from tests.surfaces.pages.saved.test_saving import MAIN, SCRIPT, post_save, saved, scenario
from tests.surfaces.pages.studio.test_routes import text_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shelf(asgi_client: AsgiClient) -> dict[str, str]:
    """Ids of saved scenarios by name, saved in this order."""
    names = [f"Pod {number:02}" for number in range(14)]
    tags = {"Pod 03": "blue", "Pod 04": "blue, Ärger & more"}
    return {
        name: post_save(asgi_client, "edge_node", scenario(), name=name, tags=tags.get(name, "")).json()["saved"]["id"]
        for name in names
    }  # fmt: skip


def titles(page: str) -> list[str]:
    """Names of the saved cards of a page."""
    return re.findall(r'class="card is-saved" data-key="\w+">.*?<h3><a [^>]*>([^<]*)</a>', page, re.DOTALL)


def test_empty_home_says_what_to_do(reading_client: AsgiClient) -> None:
    text = text_of(reading_client.get("/").text)
    assert "No designs yet. Open a worked example" in text
    assert text.index("Worked examples") < text.rindex("Your designs")


def test_cards_come_newest_first_and_the_rest_on_demand(
    asgi_client: AsgiClient, shelf: dict[str, str]
) -> None:
    page = asgi_client.get("/").text
    assert titles(page) == [f"Pod {number:02}" for number in range(13, 1, -1)]
    more = re.search(r'href="(/\?after=[^"]+)"', page)
    assert more
    rest = asgi_client.get(more.group(1).replace("&amp;", "&")).text
    assert titles(rest) == ["Pod 01", "Pod 00"]
    assert "data-more" not in rest
    first = text_of(page)
    assert "Training, 2,048 SuperNodes, Ashburn VA Fits" in first
    assert re.search(
        r"Elapsed time [\d.]+.days Cost per run [\d.]+.M.USD Utility peak [\d.]+.MW Revision 1, changed just now",
        first,
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=pod+07", ["Pod 07"]),
        ("tag=blue", ["Pod 04", "Pod 03"]),
        ("tag=blue&sort=name", ["Pod 03", "Pod 04"]),
        ("tag=%C3%A4rger+%26+more", ["Pod 04"]),
        ("q=nothing", []),
        ("after=nonsense&q=pod+07", ["Pod 07"]),
    ],
)
def test_list_is_narrowed(
    asgi_client: AsgiClient, shelf: dict[str, str], query: str, found: list[str]
) -> None:
    page = asgi_client.get(f"/?{query}").text
    assert titles(page) == found
    assert ("No designs match." in page) == (not found)
    assert ("no longer exists" in page) == ("after" in query)


def test_names_are_text(asgi_client: AsgiClient) -> None:
    name = '<img src=x onerror="alert(1)">'
    id = saved(asgi_client, name)
    post_save(asgi_client, id, scenario(name=name), note=name, tags=name, version="1", revision="1")
    for path in ("/", f"/designs/{id}", f"/designs/{id}/history", f"/compare?a={id}&b={MAIN}",
                 f"/saved/scenario/{id}/rename", f"/designs/{id}?revision=1", f"/designs/{id}/export"):  # fmt: skip
        assert "<img src=x" not in asgi_client.get(path).text, path
    asgi_client.post(f"/saved/scenario/{id}/delete", data={"version": ""})
    assert "<img src=x" not in asgi_client.get(f"/?deleted={id}").text
    assert "<img src=x" not in asgi_client.get("/deleted").text


def test_one_card_from_name_to_grave_and_back(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client, "Mortal pod")
    form = asgi_client.get(f"/saved/scenario/{id}/rename").text
    assert 'value="Mortal pod"' in form
    told = asgi_client.post(
        f"/saved/scenario/{id}/rename", data={"name": "Lasting pod", "version": "1"}, headers=SCRIPT
    )
    assert told.json()["said"] == "Renamed to Lasting pod"
    told = asgi_client.post(
        f"/saved/scenario/{id}/tags", data={"tags": "x, y", "version": "2"}, headers=SCRIPT
    )
    assert told.json()["saved"] | {"id": ""} == {
        "id": "", "name": "Lasting pod", "revision": 2, "version": 3, "tags": ["x", "y"],
    }  # fmt: skip
    copied = asgi_client.post(f"/saved/scenario/{id}/duplicate", data={"a": ""}, headers=SCRIPT).json()
    assert copied["saved"]["name"] == "Lasting pod (copy)"
    gone = asgi_client.post(f"/saved/scenario/{id}/delete", data={"a": ""})
    assert (gone.status_code, gone.headers["location"]) == (303, f"/?deleted={id}")
    assert "Lasting pod was deleted." in text_of(asgi_client.get(gone.headers["location"]).text)
    assert "Lasting pod" in text_of(asgi_client.get("/deleted").text)
    assert asgi_client.get(f"/designs/{id}").status_code == 404
    back = asgi_client.post(f"/saved/scenario/{id}/restore", data={"a": ""}, headers=SCRIPT)
    assert back.json()["said"] == "Lasting pod is back"
    assert "Lasting pod" not in text_of(asgi_client.get("/deleted").text)
    assert asgi_client.get(f"/designs/{id}").status_code == 200


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"name": "", "version": "1"}, 422, "name"),
        ({"name": "Mine", "version": "7"}, 409, "It was changed meanwhile"),
    ],
)
def test_name_that_is_refused_stays(
    asgi_client: AsgiClient, form: dict[str, str], status: int, words: str
) -> None:
    id = saved(asgi_client)
    answer = asgi_client.post(f"/saved/scenario/{id}/rename", data=form)
    assert answer.status_code == status
    assert words in text_of(answer.text)
    assert f'value="{form["name"]}"' in answer.text
    assert "form" in asgi_client.post(f"/saved/scenario/{id}/rename", data=form, headers=SCRIPT).json()


@pytest.mark.parametrize(("at", "kind"), SHELVES.items())
def test_every_kind_is_listed_where_it_was_deleted(asgi_client: AsgiClient, at: str, kind: Kind) -> None:
    saved = asgi_client.post(f"/api/v1/{at}", json={**DOCUMENTS[kind], "name": f"Gone {kind}"}).json()
    asgi_client.delete(f"/api/v1/{at}/{saved['id']}", headers={"if-match": "*"})
    text = text_of(asgi_client.get("/deleted").text)
    assert f"Gone {kind}" in text
    assert WORDS[kind][1:] in text
