"""Saving from the studio: new scenarios, revisions, and what happens when two save the same."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import httpx
import pytest

from app.saved.errors import StorageError
from app.saved.store import SavedWork
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state, with_value
from tests.asgi import AsgiClient
from tests.support import read_example
from tests.surfaces.pages.studio.test_routes import text_of

pytestmark = pytest.mark.slow

MAIN = "llama_3_1_405b_on_2048_dgx_h100"
SCRIPT = {"accept": "application/json"}


def scenario(**changes: Any) -> dict[str, Any]:
    """The worked example, with values at paths whose dots are written as double underscores."""
    values = stated_values(read_example(MAIN))
    for path, value in changes.items():
        values = with_value(values, path.replace("__", "."), value)
    return values


def post_save(
    client: AsgiClient, key: str, values: Any, headers: Any = SCRIPT, **form: str
) -> httpx.Response:
    return client.post(f"/designs/{key}/save", data={"scenario": json.dumps(values), **form}, headers=headers)


def fields_of(page: str) -> dict[str, str]:
    """The hidden fields of a page, of those with one name the first."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in reversed(found) if name not in ("scenario", "new")}


def saved(client: AsgiClient, name: str = "My pod", **changes: Any) -> str:
    """The id of something saved again."""
    told = post_save(client, MAIN, scenario(**changes), name=name).json()
    assert told["address"] == f"/designs/{told['saved']['id']}"
    return str(told["saved"]["id"])


def test_new_scenario_has_its_name_note_and_tags(asgi_client: AsgiClient) -> None:
    told = post_save(asgi_client, MAIN, scenario(), name=" Oslo pod ", note="Why", tags="B, a,, b").json()
    page = text_of(asgi_client.get(told["address"]).text)
    assert told["said"] == "Saved as Oslo pod"
    assert "Oslo pod" in page
    assert "Revision 1 , saved just now" in page
    assert "a b" in page
    assert "unsaved" not in page


def test_revision_without_scripts(asgi_client: AsgiClient) -> None:
    """The form that the Save button leads to, as it is, with a note typed in."""
    id = saved(asgi_client)
    state = encode_state(scenario(name="My pod", workload__tokens=7.8e12))
    form = asgi_client.get(f"/designs/{id}/save?s={state}").text
    fields = {name: html.unescape(value) for name, value in
              re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)}  # fmt: skip
    assert fields["version"] == "1"
    answer = asgi_client.post(f"/designs/{id}/save", data={**fields, "note": "Half"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/designs/{id}")
    page = text_of(asgi_client.get(f"/designs/{id}").text)
    assert "Revision 2" in page
    assert "trains on 7.80 T tokens" in page


def test_changes_count_from_the_saved_revision(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client, workload__tokens=7.8e12)
    values = scenario(name="My pod", workload__tokens=3.9e12)
    answer = asgi_client.post("/studio/evaluate", json={"key": id, "scenario": values, "revision": 1}).json()
    assert "was 7.8" in text_of(answer["panel"])
    assert "1 unsaved change, reset to revision 1" in text_of(answer["results"])
    assert "better than saved" in text_of(answer["results"])
    # Somebody saves meanwhile: this page still counts from what it was changed from, and says so.
    post_save(asgi_client, id, scenario(name="My pod", workload__tokens=1e12), version="1", revision="1")
    answer = asgi_client.post("/studio/evaluate", json={"key": id, "scenario": values, "revision": 1}).json()
    assert "was 7.8" in text_of(answer["panel"])
    assert "Revision 2 was saved elsewhere, just now" in text_of(answer["results"])


def test_the_same_field_saved_twice_is_asked(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    form = {"version": "1", "revision": "1", "note": "Kept note"}
    theirs = scenario(name="My pod", workload__tokens=1e12, economics__wacc=0.08)
    post_save(asgi_client, id, theirs, **form)
    mine = scenario(name="My pod", workload__tokens=2e12, pod__supernodes=1024)
    for headers, status in ((SCRIPT, 200), ({}, 409)):
        answer = post_save(asgi_client, id, mine, headers, **form)
        assert answer.status_code == status
        page = answer.json()["form"] if headers else answer.text
        words = text_of(page)
        assert "Training tokens Revision 1: 15.6 T Yours 2 T Theirs 1 T" in words
        assert "SuperNodes 2,048 to 1,024 Yours" in words
        assert "Cost of capital 10 % to 8 % Theirs" in words
        assert "You changed from revision 1." in words
        assert json.loads(html.unescape(re.findall(r'name="scenario" value="([^"]*)"', page)[0])) == mine
        assert 'value="Kept note"' in page
        assert not re.search(r"<input[^>]* checked", page.partition("<main")[2] or page)
    sent = fields_of(page) | {"choice:workload.tokens": "mine"}
    told = post_save(asgi_client, id, mine, **sent).json()
    assert told["said"] == "Merged with revision 2: 1 field of theirs taken"
    assert told["saved"]["revision"] == 4
    assert told["saved"]["values"] == mine | {"economics": theirs["economics"]}
    history = text_of(asgi_client.get(f"/designs/{id}/history").text)
    assert "Merged with revision 2: Kept note" in history


def test_choices_hold_for_what_was_seen(asgi_client: AsgiClient) -> None:
    """Someone saves once more while the choice is made: nothing of theirs goes unseen."""
    id = saved(asgi_client)
    revise = {"version": "1", "revision": "1"}
    post_save(asgi_client, id, scenario(name="My pod", workload__tokens=1e12), **revise)
    mine = scenario(name="My pod", workload__tokens=2e12)
    page = post_save(asgi_client, id, mine, {}, **revise).text
    newer = scenario(name="My pod", workload__tokens=3e12)
    post_save(asgi_client, id, newer, version="2", revision="2")
    sent = fields_of(page) | {"choice:workload.tokens": "mine"}
    again = post_save(asgi_client, id, mine, {}, **sent)
    assert again.status_code == 409
    assert "It was saved once more while you chose." in text_of(again.text)
    assert "Yours 2 T Theirs 3 T" in text_of(again.text)
    assert not re.search(r"<input[^>]* checked", again.text)
    # One choice of two: what was chosen stays chosen.
    both = scenario(name="My pod", workload__tokens=4e12, economics__wacc=0.09)
    post_save(
        asgi_client, id, scenario(name="My pod", workload__tokens=3e12, economics__wacc=0.08), revision="3"
    )
    page = post_save(asgi_client, id, both, {}, **revise).text
    half = post_save(asgi_client, id, both, {}, **(fields_of(page) | {"choice:workload.tokens": "theirs"}))
    assert re.findall(r'name="(choice:[a-z._]+)" value="(\w+)" required checked', half.text) == [
        ("choice:workload.tokens", "theirs")
    ]


def test_fields_of_two_people_go_together(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    theirs = scenario(name="My pod", economics__wacc=0.08)
    post_save(asgi_client, id, theirs, version="1", revision="1")
    mine = scenario(name="My pod", workload__tokens=2e12)
    told = post_save(asgi_client, id, mine, version="1", revision="1", note="Shorter").json()
    assert told["said"] == "Merged with revision 2: 1 field of theirs taken"
    assert told["saved"]["values"] == mine | {"economics": theirs["economics"]}
    again = scenario(name="My pod", economics={"wacc": 0.08, "life_years": 4.0})  # made from revision 2
    plain = post_save(asgi_client, id, again, {}, revision="2")
    assert (plain.status_code, plain.headers["location"]) == (303, f"/designs/{id}/history")
    newest, merged, *_ = re.findall(
        r'revision-note">([^<]*)<', asgi_client.get(f"/designs/{id}/history").text
    )
    assert (newest, merged) == ("Merged with revision 3", "Merged with revision 2: Shorter")


def test_tags_of_another_tab_are_no_conflict(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    asgi_client.post(f"/saved/scenario/{id}/tags", data={"version": "1", "tags": "late"})
    answer = post_save(asgi_client, id, scenario(workload__tokens=1e12), version="1", revision="1").json()
    assert answer["saved"]["revision"] == 2


def test_save_of_what_was_deleted_offers_a_name(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    asgi_client.post(f"/saved/scenario/{id}/delete", data={"version": "1"})
    answer = post_save(asgi_client, id, scenario(), version="1", revision="1").json()
    assert "deleted meanwhile" in text_of(answer["form"])
    assert 'name="new"' in answer["form"]


@pytest.mark.parametrize(
    ("values", "form", "words"),
    [
        (scenario(parallelism__tp=12), {"name": "Odd"}, "tp 12 does not divide the 128 heads"),
        (scenario(), {"name": ""}, "name"),
        (scenario(), {"name": "x" * 201}, "name"),
        (scenario(), {"name": "Fine", "tags": "t" * 41}, "too long"),
        (scenario(), {"name": "Fine", "note": "n" * 501}, "note"),
    ],
)
def test_what_is_refused_stays_in_the_form(
    asgi_client: AsgiClient, values: dict[str, Any], form: dict[str, str], words: str
) -> None:
    answer = post_save(asgi_client, MAIN, values, {}, **form)
    assert answer.status_code == 422
    assert words in text_of(answer.text)
    assert f'value="{form["name"]}"' in answer.text
    assert json.loads(html.unescape(re.findall(r'name="scenario" value="([^"]*)"', answer.text)[0])) == values


@pytest.mark.parametrize(
    "path", ["/designs/new/save", "/import", "/library/new", "/saved/scenario/{}/delete"]
)
@pytest.mark.parametrize(
    ("headers", "status"),
    [({"sec-fetch-site": "cross-site"}, 403), ({"origin": "https://example.org"}, 403), ({}, 415)],
)
def test_forms_of_other_sites_are_refused(
    asgi_client: AsgiClient, path: str, headers: dict[str, str], status: int
) -> None:
    id = "0" * 32
    kind = "text/plain" if status == 415 else "application/x-www-form-urlencoded"
    answer = asgi_client.post(path.format(id), content="a=1", headers={**headers, "content-type": kind})
    assert answer.status_code == status


@pytest.mark.parametrize("content", [b"scenario=%FF%FE", b"scenario=[1]", b"scenario={", b"a=1&" * 300])
def test_hostile_forms_are_refused(asgi_client: AsgiClient, content: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert asgi_client.post("/designs/new/save", content=content, headers=headers).status_code in (400, 422)


@pytest.mark.parametrize("path", ["", "/save", "/history", "/export", "/explain/cost.tco_usd", "?revision=1"])
def test_what_is_not_saved_is_not_there(asgi_client: AsgiClient, path: str) -> None:
    answer = asgi_client.get(f"/designs/{'0' * 32}{path}", headers=SCRIPT)
    assert answer.status_code == 404
    assert asgi_client.get(f"/designs/{saved(asgi_client)}?revision=9").status_code == 404


def test_database_that_cannot_write_says_what_to_do(
    asgi_client: AsgiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = saved(asgi_client)

    def full(*_: Any, **__: Any) -> None:
        raise StorageError(
            "full", "There is no room left. Free some space and save again. Nothing was saved."
        )

    monkeypatch.setattr(SavedWork, "merge", full)
    answer = post_save(asgi_client, id, scenario(), version="1", revision="1")
    assert answer.status_code == 507
    assert answer.json()["detail"].startswith("There is no room left.")
    page = post_save(
        asgi_client, id, scenario(), {"accept": "text/html"}, version="1", revision="1", note="Mine"
    )
    assert page.status_code == 507
    assert "There is no room left." in text_of(page.text)
    kept = dict(re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', page.text))
    assert json.loads(html.unescape(kept["scenario"])) == scenario()  # to be sent again as it was typed
    assert (kept["version"], kept["revision"], kept["note"]) == ("1", "1", "Mine")


def test_form_that_comes_back_still_knows_what_it_was_made_from(asgi_client: AsgiClient) -> None:
    """Else a second try would write over what was saved meanwhile."""
    id = saved(asgi_client)
    asgi_client.post(f"/saved/scenario/{id}/tags", data={"tags": "late", "version": "1"})
    values = scenario(name="My pod", parallelism__tp=12)
    refused = post_save(asgi_client, id, values, {}, version="2", revision="1").text
    post_save(asgi_client, id, scenario(name="My pod", workload__tokens=1e12), version="2", revision="1")
    made_from = dict(re.findall(r'name="(version|revision)" value="(\d+)"', refused))
    assert made_from == {"version": "2", "revision": "1"}
    again = post_save(asgi_client, id, scenario(name="My pod", workload__tokens=2e12), **made_from)
    assert "Revision 2 was saved meanwhile" in text_of(again.json()["form"])
