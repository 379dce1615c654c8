"""If-Match and If-None-Match on everything that is saved: no one's work is lost, nothing is sent twice."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import SCENARIOS, Kept, said

pytestmark = pytest.mark.slow

VERBS = ["PUT", "PATCH", "DELETE"]


def change(client, verb, kept: Kept, *tags: str):
    """One change of something saved, under an If-Match with these tags."""
    body = {"PUT": kept.sample.other, "PATCH": {"name": "Other"}, "DELETE": None}[verb]
    headers = [("if-match", tag) for tag in tags]
    return client.request(verb, kept.path, json=body, headers=headers)


def unchanged(client, kept: Kept) -> bool:
    return said(client.get(kept.path)) == kept.content


@pytest.mark.parametrize("verb", VERBS)
def test_a_change_without_if_match_is_refused(asgi_client, kept, verb):
    content = assert_problem(change(asgi_client, verb, kept), 428, "precondition-required")
    assert "If-Match" in content["detail"]
    assert unchanged(asgi_client, kept)


@pytest.mark.parametrize("verb", VERBS)
def test_a_change_of_another_state_is_refused_with_the_present_tag(asgi_client, kept, verb):
    tag, bare = kept.etag, kept.etag.strip('"')
    for asked in ('"stale"', f"W/{tag}", '""', '"a", "b"', f"W/{tag}, W/{tag}", f'"x,{bare}"'):
        answer = change(asgi_client, verb, kept, asked)
        content = assert_problem(answer, 412, "changed-meanwhile")
        assert answer.headers["etag"] == content["etag"] == tag
    assert unchanged(asgi_client, kept)


@pytest.mark.parametrize("verb", VERBS)
def test_the_second_of_two_changes_of_one_state_is_refused(asgi_client, kept, verb):
    first = change(asgi_client, "PATCH", kept, kept.etag)
    assert first.status_code == 200
    answer = change(asgi_client, verb, kept, kept.etag)
    assert assert_problem(answer, 412)["etag"] == first.headers["etag"]
    assert change(asgi_client, verb, kept, first.headers["etag"]).is_success


@pytest.mark.parametrize("verb", ["PUT", "PATCH"])
def test_a_change_of_the_present_state_is_made(asgi_client, kept, verb):
    tag = kept.etag
    for ask in ("{}", "*", " * ", '"a" ,\t{},"b"', 'W/"a", {}'):
        answer = change(asgi_client, verb, kept, ask.format(tag))
        assert answer.status_code == 200, answer.text
        tag = answer.headers["etag"]
    assert change(asgi_client, verb, kept, '"a"', tag).status_code == 200  # in two lines
    assert change(asgi_client, "DELETE", kept, "*").status_code == 204


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_no_list_of_tags_is_refused(asgi_client, kept, verb):
    bare = kept.etag.strip('"')
    for tags in ("", bare, "'a'", '"a" "b"', '"a",', ',"a"', '"a', '*, "a"', 'w/"a"', '"a b"'):
        content = assert_problem(change(asgi_client, verb, kept, tags), 400, "invalid-parameter")
        assert content["errors"][0]["parameter"] == "If-Match"
    assert unchanged(asgi_client, kept)


def test_a_body_that_cannot_be_read_comes_before_the_precondition(asgi_client, kept):
    """RFC 9110, 13.2.1: a precondition is for a request that would be answered otherwise."""
    headers = {"content-type": "application/json"}
    for verb in ("PUT", "PATCH"):
        answer = asgi_client.request(verb, kept.path, content="{", headers=headers)
        assert_problem(answer, 400, "malformed-body")
        stale = {**headers, "if-match": '"stale"'}
        assert_problem(asgi_client.request(verb, kept.path, content="{", headers=stale), 400)


def test_a_star_is_for_what_is_there(asgi_client, kept):
    assert change(asgi_client, "DELETE", kept, "*").status_code == 204
    for verb in VERBS:
        assert_problem(change(asgi_client, verb, kept, "*"), 404)


def test_what_the_caller_has_is_not_sent_again(asgi_client, kept):
    addresses = [address for name, address in kept.content["links"].items() if name != "page"]
    addresses.append(f"{kept.path}/revisions/1")
    if kept.sample.address == SCENARIOS:
        addresses += [f"{kept.path}/revisions/1/{below}" for below in ("evaluation", "moved")]
    for path in addresses:
        answer = asgi_client.get(path)
        tag = answer.headers["etag"]
        assert not tag.startswith("W/")
        for asked in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            again = asgi_client.get(path, headers={"if-none-match": asked})
            assert (again.status_code, again.content) == (304, b""), path
            assert again.headers["etag"] == tag
            assert again.headers["cache-control"] == answer.headers["cache-control"]
        assert said(asgi_client.get(path, headers={"if-none-match": '"x"'})) == answer.json()


def test_a_document_in_yaml_is_not_sent_again(asgi_client, kept):
    yaml = {"accept": "application/yaml"}
    tag = asgi_client.get(kept.path, headers=yaml).headers["etag"]
    assert asgi_client.get(kept.path, headers={**yaml, "if-none-match": tag}).status_code == 304
    assert asgi_client.get(kept.path, headers={**yaml, "if-none-match": kept.etag}).status_code == 200


def test_a_list_is_sent_again_when_something_in_it_has_changed(asgi_client, kept):
    path = f"{kept.sample.address}?limit=500"
    tag = asgi_client.get(path).headers["etag"]
    assert asgi_client.get(path, headers={"if-none-match": tag}).status_code == 304
    assert change(asgi_client, "PATCH", kept, kept.etag).status_code == 200
    again = asgi_client.get(path, headers={"if-none-match": tag})
    assert again.status_code == 200
    assert again.headers["etag"] != tag


def test_only_what_never_changes_may_be_kept_for_ever(asgi_client, scenario):
    for below in ("/revisions/1", "/revisions/1/evaluation"):
        assert "immutable" in asgi_client.get(f"{scenario.path}{below}").headers["cache-control"]
    for below in ("", "/revisions", "/evaluation", "/revisions/1/moved", "/diff"):
        assert asgi_client.get(f"{scenario.path}{below}").headers["cache-control"] == "private, no-cache"


def test_a_long_header_is_read_in_no_time(asgi_client, scenario):
    answer = change(asgi_client, "DELETE", scenario, ", ".join(['"a"'] * 50_000) + "!")
    assert_problem(answer, 400, "invalid-parameter")
