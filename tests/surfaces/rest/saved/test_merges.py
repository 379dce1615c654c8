"""Merging over HTTP: fields of both sides, conflicts that are told, and answers that can be asked for twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.asgi import AsgiClient
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import NOBODY, SCENARIOS, Kept, Sample, changed, samples

pytestmark = pytest.mark.slow

Save = Callable[..., Kept]


def put(client: AsgiClient, kept: Kept, document: dict[str, Any], note: str = "") -> None:
    """Someone saves, whatever is there."""
    answer = client.put(f"{kept.path}?note={note}", json=document, headers={"if-match": "*"})
    assert answer.status_code == 200, answer.text


def merge(
    client: AsgiClient, kept: Kept, document: dict[str, Any], key: str = "", **more: Any
) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    content = {"base_revision": 1, "document": document} | more
    return client.post(f"{kept.path}/merges", json=content, headers=headers)


def test_everything_that_is_saved_can_be_merged(asgi_client: AsgiClient, sample: Sample, save: Save) -> None:
    kept = save(sample)
    put(asgi_client, kept, sample.other)
    mine = {**sample.document, "name": "Another name"}
    answer = merge(asgi_client, kept, mine, note="Mine")
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["revision"], told["kept_revision"], told["merged_with"]) == (3, None, 2)
    assert told["saved"]["document"] == {**sample.other, "name": "Another name"}
    assert answer.headers["etag"] == asgi_client.get(kept.path).headers["etag"]
    assert [one["path"] for one in told["from_mine"]] == ["name"]
    assert len(told["from_theirs"]) == 1
    notes = [one["note"] for one in asgi_client.get(f"{kept.path}/revisions").json()["items"]]
    assert notes[:2] == ["Merged with revision 2: Mine", ""]
    assert told["authors"] == []  # without sign-in nobody has a name


def test_nothing_in_between_is_an_ordinary_save(asgi_client: AsgiClient, save: Save) -> None:
    sample = samples()["supernode"]
    told = merge(asgi_client, save(sample), sample.other).json()
    assert (told["revision"], told["kept_revision"], told["merged_with"]) == (2, None, None)
    assert (told["from_mine"], told["from_theirs"]) == ([], [])


def test_a_conflict_is_told_whole_and_settled_by_choices(asgi_client: AsgiClient, save: Save) -> None:
    sample = samples()["scenario"]
    kept = save(sample)
    put(asgi_client, kept, sample.other)
    mine = {**changed(sample.document, "economics", wacc=0.3), "name": "Mine"}
    problem = assert_problem(merge(asgi_client, kept, mine), 409, "merge-conflict")
    assert "Cost of capital (yours 0.3, theirs 0.2)" in problem["detail"]
    (conflict,) = problem["conflicts"]
    assert (conflict["path"], conflict["mine"], conflict["theirs"]) == ("economics.wacc", 0.3, 0.2)
    assert [one["path"] for one in problem["from_mine"]] == ["name"]
    assert asgi_client.get(kept.path).json()["revision"] == 2
    choices = {"economics.wacc": "theirs"}
    told = merge(asgi_client, kept, mine, choices=choices, seen_revision=problem["revision"]).json()
    assert told["saved"]["document"] == {**sample.other, "name": "Mine"}
    assert (told["revision"], told["kept_revision"], told["merged_with"]) == (4, 3, 2)
    assert asgi_client.get(f"{kept.path}/revisions/3").json()["document"] == mine
    again = merge(asgi_client, kept, mine, choices=choices, seen_revision=problem["revision"])
    assert_problem(again, 409, "merge-conflict")  # of another revision nobody has seen anything yet


def test_a_merge_that_is_sent_twice_is_made_once(asgi_client: AsgiClient, save: Save) -> None:
    sample = samples()["pod"]
    kept = save(sample)
    put(asgi_client, kept, sample.other)
    mine = {**sample.document, "name": "Another name"}
    first, second = (merge(asgi_client, kept, mine, key=f"merge-{kept.path[-32:]}") for _ in range(2))
    assert first.json() == second.json()
    assert second.headers["idempotency-replayed"] == "true"
    assert asgi_client.get(kept.path).json()["revision"] == 3


def test_if_match_stays_strict_and_names_the_way_to_merge(asgi_client: AsgiClient, save: Save) -> None:
    sample = samples()["pod"]
    kept = save(sample)
    old = asgi_client.get(kept.path).headers["etag"]
    put(asgi_client, kept, sample.other)
    answer = asgi_client.put(kept.path, json=sample.document, headers={"if-match": old})
    problem = assert_problem(answer, 412, "changed-meanwhile")
    assert f"{kept.path}/merges" in problem["detail"]
    assert asgi_client.get(kept.path).json()["document"] == sample.other


@pytest.mark.parametrize(
    ("change", "pointer", "rule"),
    [
        ({"base_revision": None}, "#/base_revision", "whole_number"),
        ({"base_revision": 0}, "#/base_revision", "at_least"),
        ({"document": []}, "#/document", "mapping"),
        ({"choices": {"economics.wacc": "ours"}, "seen_revision": 1}, "#/choices", "one_of"),
        ({"choices": {"economics.wacc": "mine"}}, "#/seen_revision", "required"),
        ({"note": "n" * 501}, "#/note", "at_most"),
        ({"choice": {}}, "#/choice", "unknown_key"),
    ],
)
def test_a_body_that_cannot_be_used_says_where(
    asgi_client: AsgiClient, save: Save, change: dict[str, Any], pointer: str, rule: str
) -> None:
    sample = samples()["scenario"]
    content = {"base_revision": 1, "document": sample.document} | change
    answer = asgi_client.post(f"{save(sample).path}/merges", json=content)
    fault = assert_problem(answer, 422, "invalid-scenario")["errors"][0]
    assert fault["pointer"].startswith(pointer), fault
    assert fault["code"] == rule, fault


def test_what_is_not_there_is_not_merged_with(asgi_client: AsgiClient, sample: Sample, save: Save) -> None:
    kept = save(sample)
    assert_problem(merge(asgi_client, kept, sample.other, base_revision=7), 404, "not-found")
    nobody = asgi_client.post(f"{SCENARIOS}/{NOBODY}/merges", json={"base_revision": 1, "document": {}})
    assert nobody.status_code == 404
    wrong = merge(asgi_client, kept, sample.wrong)
    fault = assert_problem(wrong, 422, sample.problem)["errors"][0]
    assert fault["pointer"] == sample.fault.replace("#", "#/document")


def test_revisions_are_named_over_http(asgi_client: AsgiClient, sample: Sample, save: Save) -> None:
    kept = save(sample)
    put(asgi_client, kept, sample.other)
    named = asgi_client.put(f"{kept.path}/revisions/1/name", json={"name": "As ordered", "note": "Signed"})
    assert named.status_code == 200, named.text
    assert (named.json()["label"], named.json()["label_note"]) == ("As ordered", "Signed")
    listed = asgi_client.get(f"{kept.path}/revisions").json()["items"]
    assert [one["label"] for one in listed] == [None, "As ordered"]
    taken = asgi_client.put(f"{kept.path}/revisions/2/name", json={"name": "As ordered"})
    fault = assert_problem(taken, 422, sample.problem)["errors"][0]
    assert fault["message"].startswith("Revision 1 has this name")
    assert_problem(asgi_client.put(f"{kept.path}/revisions/9/name", json={"name": "x"}), 404, "not-found")
    unknown = asgi_client.put(f"{kept.path}/revisions/2/name", json={"label": "x"})
    assert_problem(unknown, 422, sample.problem)
    for _ in range(2):
        assert asgi_client.delete(f"{kept.path}/revisions/1/name").status_code == 204
    assert asgi_client.get(f"{kept.path}/revisions").json()["items"][1]["label"] is None
    read = asgi_client.get(f"{kept.path}/revisions/1")
    assert "immutable" in read.headers["cache-control"]
    assert "label" not in read.json()
