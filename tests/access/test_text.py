"""Text that no database keeps, sent to every route in every place that takes text: refused, naming the place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

import pytest

from tests.access.declared import RULES
from tests.access.rule import Request
from tests.access.test_matrix import filled
from tests.access.world import World
from tests.people import ActingClient, people_over

NUL, SURROGATE = "\0", "\ud800"
FORM = {"content-type": "application/x-www-form-urlencoded"}
WITH_FIELDS = [route for route in RULES if "{" in route]
NOT_IN_API = [route for route in RULES if not route.split(" ")[1].startswith("/api/")]


@pytest.fixture(scope="module")
def world(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("text")) as people:
        yield World(people)


@pytest.fixture(scope="module")
def alice(world: World) -> ActingClient:
    world.people.team("text", {"alice": "owner"})
    return world.people.client("alice")


def address(world: World, route: str, poison: str = "") -> str:
    """The address of a route, with something behind its first value."""
    path, rule = route.split(" ", 1)[1], RULES[route]
    values = {**world.item(rule.kind), **rule.place(world.item(rule.kind))}
    if poison and (first := re.search(r"\{(\w+)(?::\w+)?\}", path)):
        values[first[1]] = f"{values[first[1]]}{poison}"
    return filled(path, values)


def refused(answer: Any, **place: str) -> None:
    assert answer.status_code == 400, answer.text[:300]
    if (
        answer.headers["content-type"] == "application/problem+json"
        and answer.json()["type"] != "about:blank"
    ):
        content = answer.json()
        assert content["type"].endswith("#unreadable-text")
        if place:
            assert place.items() <= content["errors"][0].items()
    else:
        assert "a character that is no text" in answer.text


@pytest.mark.parametrize("route", WITH_FIELDS)
def test_a_path_with_nul_is_refused(world: World, alice: ActingClient, route: str) -> None:
    refused(alice.request(route.split(" ", maxsplit=1)[0], address(world, route, "%00")))


@pytest.mark.parametrize("route", RULES)
def test_a_query_with_nul_is_refused(world: World, alice: ActingClient, route: str) -> None:
    method, path = route.split(" ", maxsplit=1)[0], address(world, route)
    refused(alice.request(method, f"{path}?q=a%00b&workspace=text"), parameter="q")
    refused(alice.request(method, f"{path}?workspace=t%00"), parameter="workspace")


def bodies(route: str, world: World) -> Request:
    return RULES[route].send(world.item(RULES[route].kind))


@pytest.mark.parametrize("route", [route for route in RULES if not route.startswith(("GET", "DELETE"))])
@pytest.mark.parametrize("poison", [NUL, SURROGATE], ids=["nul", "surrogate"])
def test_a_body_that_cannot_be_kept_is_refused(
    world: World, alice: ActingClient, route: str, poison: str
) -> None:
    """JSON in a value, a list and a key; a form in a field."""
    method, path, sent = route.split(" ", maxsplit=1)[0], address(world, route), bodies(route, world)
    headers = dict(sent.get("headers", {}))
    if "json" in sent:
        inner = sent["json"] if isinstance(sent["json"], dict) else {"values": sent["json"]}
        for value, place in (
            ({**inner, "name": f"a{poison}"}, "name"),
            ({**inner, "more": [{"citation": poison}]}, "more[0].citation"),
            ({**inner, f"of{poison}": 1}, "of"),
        ):
            content = json.dumps(value).encode()
            answer = alice.request(
                method, path, content=content, headers={**headers, "content-type": "application/json"}
            )
            refused(answer, path=place)
    elif poison == NUL:
        content = f"{sent.get('content', '')}&typed={quote('kept <b>')}&name=a%00b"
        answer = alice.request(method, path, content=content, headers={**headers, **FORM})
        refused(answer, path="name")


@pytest.mark.parametrize("route", [route for route in NOT_IN_API if route.startswith("POST")])
def test_a_form_gives_back_what_was_typed_but_no_secret(
    world: World, alice: ActingClient, route: str
) -> None:
    fields = "csrf=proof&email=ann%40example.org&password=secret-words&name=An%00n&note=%3Cb%3E"
    answer = alice.post(address(world, route), content=fields, headers={**FORM, "accept": "text/html"})
    assert answer.status_code == 400
    kept = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', answer.text))
    assert kept == {"csrf": "proof", "email": "ann@example.org", "name": "Ann", "note": "&lt;b&gt;"}
    assert "secret-words" not in answer.text


def test_a_form_with_a_file_is_read_by_its_fields_only(alice: ActingClient) -> None:
    """A workbook is full of NULs; a field alongside it may hold none."""
    sent = alice.post("/import", files={"file": ("a.xlsx", b"PK\0\0")}, data={"text": "plain"})
    assert "a character that is no text" not in sent.text
    refused(alice.post("/import", files={"file": ("a.xlsx", b"PK\0\0")}, data={"text": "pla\0in"}))


@pytest.mark.parametrize("text", ['name: "a\\0b"', 'name: "\\ud800"', '"a\\x00": 1', '{"name": "\\ud83d"}'])
def test_a_text_of_yaml_or_json_says_where(alice: ActingClient, text: str) -> None:
    answer = alice.post("/api/v1/evaluations", content=text, headers={"content-type": "application/yaml"})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "plain_text"
    assert "no text" in answer.json()["detail"]


def test_whole_pairs_and_escapes_are_text(alice: ActingClient) -> None:
    for text in (r"\ud83d\ude00", r"\\u0000", r"\\ud800", "é\N{GRINNING FACE}"):
        answer = alice.post(
            "/api/v1/evaluations",
            content=f'{{"name": "{text}"}}'.encode(),
            headers={"content-type": "application/json"},
        )
        assert answer.status_code == 422, answer.text  # it lacks a workload
        assert answer.json()["type"].endswith("#invalid-scenario")


def test_the_kept_fields_can_be_sent_again(alice: ActingClient) -> None:
    """What the page of the refusal sends reaches the form."""
    answer = alice.post("/import", content="csrf=x&text=na%00me", headers={**FORM, "accept": "text/html"})
    kept = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', answer.text))
    assert dict(parse_qsl("csrf=x&text=name")) == kept
