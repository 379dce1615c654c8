"""Pages of comments without scripts: everything can be done with forms, and nothing typed is lost."""

from __future__ import annotations

import re

import pytest

from app.saved.records import KINDS
from tests.surfaces.rest.saved.conftest import NOBODY, samples

pytestmark = pytest.mark.slow


@pytest.fixture(params=KINDS)
def kept(request, asgi_client):
    """(kind, id) of each thing that can be saved."""
    sample = samples()[request.param]
    return request.param, asgi_client.post(sample.address, json=sample.document).json()["id"]


@pytest.fixture
def scenario(asgi_client):
    sample = samples()["scenario"]
    return asgi_client.post(sample.address, json=sample.document).json()["id"]


def written(asgi_client, kind, id, **form):
    answer = asgi_client.post(f"/saved/{kind}/{id}/comments", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].rpartition("#c-")[2]


def test_a_thread_from_beginning_to_end(asgi_client, kept):
    kind, id = kept
    page = f"/saved/{kind}/{id}/comments"
    assert "No open comments." in asgi_client.get(page).text
    first = written(asgi_client, kind, id, body="Is it\ntrue?")
    reply = written(asgi_client, kind, id, body="It is.", thread=first)
    text = asgi_client.get(page).text
    assert text.index("Is it\ntrue?") < text.index("It is.")
    asgi_client.post(f"{page}/{reply}/edit", data={"body": "It was."})
    assert "It was." in asgi_client.get(page).text
    asgi_client.post(f"{page}/{first}/resolve", data={"at": ""})
    assert "1 resolved" in asgi_client.get(page).text
    asgi_client.post(f"{page}/{first}/resolve", data={"reopen": "yes"})
    assert "1 resolved" not in asgi_client.get(page).text
    for one in (first, reply):
        asgi_client.post(f"{page}/{one}/delete", data={"at": ""})
    assert "No open comments." in asgi_client.get(page).text


def test_what_is_refused_comes_back(asgi_client, scenario):
    page = f"/saved/scenario/{scenario}/comments"
    answer = asgi_client.post(page, data={"body": "Kept <this>", "anchor": "field:no.such"})
    assert answer.status_code == 422
    assert "is not a field of this" in answer.text
    assert "Kept &lt;this&gt;" in answer.text
    told = asgi_client.post(page, data={"body": " "}, headers={"accept": "application/json"})
    assert told.json()["faults"][0].startswith("The comment is empty.")


@pytest.mark.parametrize(
    "attack", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'-alert(1)-'"]
)
def test_stored_scripts_are_shown_and_never_run(asgi_client, scenario, attack):
    first = written(asgi_client, "scenario", scenario, body=attack, anchor="field:economics.wacc")
    written(asgi_client, "scenario", scenario, body=attack, thread=first)
    pages = (
        f"/designs/{scenario}/comments",
        f"/designs/{scenario}/comments?panel=1&at=field:economics.wacc",
        f"/designs/{scenario}/comments?at={attack}&panel=1",
        f"/designs/{scenario}?revision=1",
    )
    for page in pages:
        text = asgi_client.get(page).text
        assert "alert(1)" in text or "at=" in page
        assert "<script>alert" not in text
        assert "<img src=x" not in text


def test_what_a_place_is_called(asgi_client, scenario):
    for anchor in ("field:economics.wacc", "result:cost.usd_per_run", "result:fabric.switches_total"):
        written(asgi_client, "scenario", scenario, body="Look", anchor=anchor)
    text = asgi_client.get(f"/designs/{scenario}/comments").text
    about = re.findall(r"data-to-anchor>([^<]+)<", text)
    assert about[:2] == ["Cost of capital", "Cost per run"]
    only = asgi_client.get(f"/designs/{scenario}/comments?at=field:economics.wacc").text
    assert "On Cost of capital only." in only
    assert len(re.findall("data-to-anchor>", only)) == 1
    head = asgi_client.get(f"/designs/{scenario}").text
    assert "Comments (3)" in head


def test_the_newest_revision_for_an_open_page(asgi_client, scenario):
    sample = samples()["scenario"]
    asgi_client.put(f"{sample.address}/{scenario}", json=sample.other, headers={"if-match": "*"})
    told = asgi_client.get(f"/designs/{scenario}/newest?since=1").json()
    assert (told["revision"], told["changed"], told["you"]) == (2, 1, True)
    assert told["brief"] == "Cost of capital set to 20 %" or "20" in told["brief"]
    assert told["values"]["economics"]["wacc"] == 0.2
    assert "values" not in asgi_client.get(f"/designs/{scenario}/newest?since=2").json()


def test_what_is_not_there(asgi_client, scenario):
    for page in (
        f"/designs/{NOBODY}/comments", "/designs/edge_node/comments", f"/saved/pod/{scenario}/comments",
        f"/designs/{NOBODY}/newest?since=1", "/designs/edge_node/newest",
    ):  # fmt: skip
        assert asgi_client.get(page).status_code == 404, page
    page = f"/saved/scenario/{scenario}/comments"
    for post in (f"{page}/{NOBODY}/edit", f"{page}/{NOBODY}/delete", f"{page}/{NOBODY}/resolve"):
        assert asgi_client.post(post, data={"body": "x"}).status_code == 404, post
    assert asgi_client.post(page, data={"body": "x", "thread": NOBODY}).status_code == 422
    assert asgi_client.get(f"{page}?after=nonsense").status_code == 422
