"""Lists of what is saved: pages that neither repeat nor leave out, and filters."""

from __future__ import annotations

import base64
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import DESIGNS, SCENARIOS, changed, said, samples

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def three(asgi_client):
    """A few of each, distinguished by a tag of their own."""
    for name, sample in samples().items():
        for number in (3, 1, 2):
            document = {**sample.document, "name": f"{name} {number}"}
            said(asgi_client.post(f"{sample.address}?tag=three&tag={name}", json=document), 201)


def names(answer) -> list[str]:
    return [item["name"] for item in said(answer)["items"]]


def walked(client, address: str) -> list[list[str]]:
    """The names on each page, by the tokens of the answers."""
    pages, after = [], ""
    while True:
        answer = client.get(f"{address}{after}")
        pages.append(names(answer))
        token = answer.json()["next"]
        if token is None:
            assert "link" not in answer.headers
            return pages
        link = answer.headers["link"]
        assert link.endswith('>; rel="next"')
        address_of_next = urlsplit(link[1:].partition(">")[0])
        assert parse_qs(address_of_next.query)["after"] == [token]
        after = f"&after={token}"
        assert names(client.get(f"{address_of_next.path}?{address_of_next.query}")) == names(
            client.get(f"{address}{after}")
        )


def test_items_are_without_their_documents(asgi_client, three, sample):
    for item in said(asgi_client.get(sample.address))["items"]:
        whole = said(asgi_client.get(item["links"]["self"]))
        assert item == {name: value for name, value in whole.items() if name != "document"}


def test_pages_follow_one_another(asgi_client, three):
    asked = f"{SCENARIOS}?tag=three&limit=2"
    assert walked(asgi_client, asked) == [["scenario 2", "scenario 1"], ["scenario 3"]]
    assert walked(asgi_client, f"{asked}&sort=name") == [["scenario 1", "scenario 2"], ["scenario 3"]]
    assert walked(asgi_client, f"{SCENARIOS}?tag=three&limit=3&sort=name") == [
        ["scenario 1", "scenario 2", "scenario 3"]
    ]


def test_designs_of_both_kinds_share_a_list(asgi_client, three):
    pages = walked(asgi_client, f"{DESIGNS}?tag=three&limit=4&sort=name")
    assert [len(page) for page in pages] == [4, 2]
    assert [name for page in pages for name in page] == [
        *(f"pod {number}" for number in (1, 2, 3)),
        *(f"supernode {number}" for number in (1, 2, 3)),
    ]
    for kind in ("supernode", "pod"):
        items = said(asgi_client.get(f"{DESIGNS}?kind={kind}"))["items"]
        assert {item["kind"] for item in items} == {kind}


def test_a_page_keeps_its_place_when_others_save(asgi_client, three, save):
    first = asgi_client.get(f"{SCENARIOS}?tag=three&limit=2").json()
    save(samples()["scenario"], "?tag=three", name="scenario 4")
    rest = asgi_client.get(f"{SCENARIOS}?tag=three&limit=2&after={first['next']}")
    assert names(rest) == ["scenario 3"]
    newest = asgi_client.get(f"{SCENARIOS}?tag=three&limit=1").json()["items"][0]
    assert newest["name"] == "scenario 4"
    path = newest["links"]["self"]
    assert asgi_client.delete(path, headers={"if-match": "*"}).status_code == 204


def test_filters_narrow_a_list_down(asgi_client, save):
    sample = samples()["scenario"]
    other = changed(sample.document, "workload", model="llama_3_1_70b")
    path = save(sample, "?tag=Narrow", name="A narrow one").path
    save(sample, "?tag=narrow", **{**other, "name": "Another wide one"})

    def found(query: str) -> list[str]:
        return sorted(names(asgi_client.get(f"{SCENARIOS}?tag=narrow&{query}")))

    both = ["A narrow one", "Another wide one"]
    assert found("") == both
    assert found("q=narrow") == both  # a tag counts
    assert found("q=WIDE+one") == ["Another wide one"]
    assert found("model=llama_3_1_70b") == ["Another wide one"]
    assert found("system=edge_node_1pf") == both
    assert found("system=dgx_h100") == []
    flags = {name: found(f"feasible={name}") for name in ("true", "false")}
    assert sorted(flags["true"] + flags["false"]) == both
    assert "A narrow one" in flags["true"]
    assert found("deleted=true") == []
    assert asgi_client.delete(path, headers={"if-match": "*"}).status_code == 204
    assert found("deleted=true") == ["A narrow one"]
    assert found("deleted=false") == ["Another wide one"]
    deleted = said(asgi_client.get(f"{SCENARIOS}?tag=narrow&deleted=true"))["items"][0]
    assert deleted["deleted_at"] > deleted["created_at"]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=-1", "limit"),
        ("limit=x", "limit"),
        ("limit=9999999999999999999", "limit"),
        ("after=x", "after"),
        ("after=", "after"),
        ("after=%01", "after"),
        ("after=" + "x" * 5000, "after"),
        ("sort=updatd", "sort"),
        ("deleted=1", "deleted"),
        ("tags=x", "tags"),
        ("q=a&q=b", "q"),
    ],
)
def test_a_bad_query_is_refused(asgi_client, query, parameter):
    for address in (SCENARIOS, DESIGNS):
        status, slug = (422, "beyond-schema") if parameter == "after" else (400, "invalid-parameter")
        content = assert_problem(asgi_client.get(f"{address}?{query}"), status, slug)
        assert content["errors"][0]["parameter"] == parameter


def test_filters_of_the_other_shelf_are_not_known(asgi_client):
    for address, query in ((SCENARIOS, "kind=pod"), (DESIGNS, "feasible=true"), (DESIGNS, "model=x")):
        assert_problem(asgi_client.get(f"{address}?{query}"), 400, "invalid-parameter")
    assert_problem(asgi_client.get(f"{SCENARIOS}?feasible=yes"), 400)
    assert_problem(asgi_client.get(f"{DESIGNS}?kind=scenario"), 400)


def test_a_token_is_for_the_list_it_was_given_out_for(asgi_client, three):
    token = said(asgi_client.get(f"{SCENARIOS}?limit=1"))["next"]
    for query in ("sort=name", "deleted=true"):
        assert_problem(asgi_client.get(f"{SCENARIOS}?{query}&after={token}"), 422)
    assert_problem(asgi_client.get(f"{DESIGNS}?after={token}"), 422)
    for content in (
        b"[]",
        b"{}",
        b"[1,2,3]",
        b'["scenario/updated"]',
        b'["scenario/updated","x","y"]',
        b"[" * 900,
    ):
        forged = base64.urlsafe_b64encode(content).decode().rstrip("=")
        assert_problem(asgi_client.get(f"{SCENARIOS}?after={forged}"), 422, "beyond-schema")
