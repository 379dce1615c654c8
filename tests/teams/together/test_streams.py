"""Streams of events from the real server: in order, without gaps, and only for those who may read."""

from __future__ import annotations

import shutil

import httpx
import pytest
from sqlmodel import select

from app.db.session import read_session, write_session
from app.db.tables import PresenceRow, SignInRow
from app.main import create_app
from app.saved.records import KINDS
from tests.people import People, people_of
from tests.streams import eventually, reading, serving
from tests.surfaces.rest.saved.conftest import samples

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data_dir(seeded_data_dir, tmp_path_factory):
    return shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("streams") / "data")


@pytest.fixture(scope="module")
def people(data_dir):
    with people_of(data_dir, poll_seconds=0.05, streams_per_caller=3) as people:
        people.team("crew", {"Ada": "owner", "Bob": "editor", "Eve": "viewer"})
        people.account("Mallory")
        yield people


@pytest.fixture(scope="module")
def address(people: People):
    """A server of its own beside the one of `people`, over the same database."""
    with serving(create_app(people.settings)) as address:
        yield address


@pytest.fixture
def ada(people):
    return people.client("Ada")


@pytest.fixture
def path(ada):
    """A scenario of the crew."""
    answer = ada.post("/api/v1/scenarios?workspace=crew", json=samples()["scenario"].document)
    assert answer.status_code == 201, answer.text
    return answer.headers["location"]


def tag(client, path, word):
    assert client.patch(path, json={"tags": [word]}, headers={"if-match": "*"}).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_what_another_process_saves_is_told_in_order(people, address, ada, kind):
    sample = samples()[kind]
    path = ada.post(f"{sample.address}?workspace=crew", json=sample.document).headers["location"]
    bob = people.account("Bob")
    with reading(f"{address}{path}/events", bob.headers) as reader:
        assert reader.headers["content-type"].startswith("text/event-stream")
        assert reader.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in reader.headers
        assert reader.last("hello") | {"presence": ""} == {
            "event": "hello", "revision": 1, "version": 1, "presence": "", "missed": False,
        }  # fmt: skip
        ada.put(path, json=sample.other, headers={"if-match": "*"})
        tag(ada, path, "first")
        tag(ada, path, "second")
        ada.post(f"{path}/comments", json={"body": "Look"})
        ada.patch(path, json={"name": "Another"}, headers={"if-match": "*"})
        ada.delete(path, headers={"if-match": "*"})
        ada.post(f"{path}/restore")
        wanted = ["hello", "saved", "tagged", "tagged", "commented", "renamed", "deleted", "restored"]
        eventually(lambda: len(reader.names()) == len(wanted))
        assert reader.names() == wanted
        ids = [one.id for one in reader.told if one.id is not None]
        assert ids == sorted(set(ids))
        saved = reader.last("saved")
        assert (saved["by"], saved["you"], saved["revision"], saved["version"]) == ("Ada", False, 2, 2)
        assert reader.last("commented")["done"] == "added"


def test_a_reader_who_comes_back_misses_nothing(people, address, ada, path):
    eve = people.account("Eve").headers
    with reading(f"{address}{path}/events?seconds=1", eve) as reader:
        first = reader.told[0].id
        eventually(lambda: reader.is_over)
    for word in "abc":
        tag(ada, path, word)
    with reading(f"{address}{path}/events", {**eve, "last-event-id": f"{first}"}) as again:
        eventually(lambda: again.names() == ["hello", "tagged", "tagged", "tagged"])
        assert not again.last("hello")["missed"]
        ids = [one.id for one in again.told if one.id]
        assert ids[0] == first  # a line that breaks at once begins there again
        tag(ada, path, "d")
        eventually(lambda: again.names()[-1:] == ["tagged"] and len(again.names()) == 5)
    with reading(f"{address}{path}/events?after={ids[-1] + 10_000}", eve) as other:
        assert other.last("hello")["missed"], "it comes from another database"


def test_only_those_who_may_read_are_told(people, address, path):
    assert httpx.get(f"{address}{path}/events").status_code == 401
    mallory = people.account("Mallory").headers
    assert httpx.get(f"{address}{path}/events", headers=mallory).status_code == 404
    token = {"authorization": f"Bearer {people.token('Eve', ('read',))}"}
    with reading(f"{address}{path}/events?seconds=0", token) as reader:
        assert reader.names() == ["hello"]
    for query in ("after=x", "after=-1", "seconds=1e9", "since=1"):
        answer = httpx.get(f"{address}{path}/events?{query}", headers=people.account("Eve").headers)
        assert answer.status_code == 400


def test_a_right_that_is_taken_away_ends_the_stream(people, address, path, monkeypatch):
    monkeypatch.setattr("app.teams.together.stream.KEPT_ALIVE_EVERY_S", 0.1)
    monkeypatch.setattr("app.teams.together.stream.ASKED_AGAIN_EVERY_S", 0.3)
    eve = people.signed_in(people.account("Eve").id)
    with reading(f"{address}{path}/events", eve.headers) as reader:
        eventually(lambda: reader.pings > 5)
        assert not reader.is_over
        with write_session(people.engine) as session:
            for row in session.exec(select(SignInRow).where(SignInRow.account_id == eve.id)):
                if row.secret_hash == people.secrets.hash("sign-in", eve.headers["cookie"].partition("=")[2]):
                    session.delete(row)
        eventually(lambda: reader.is_over)


def test_who_is_there_is_told_across_processes(people, address, ada, path):
    bob, eve = people.account("Bob"), people.account("Eve")
    with reading(f"{address}{path}/events", bob.headers) as at_bob:
        with (
            serving(create_app(people.settings)) as other,
            reading(f"{other}{path}/events", eve.headers) as at_eve,
        ):
            eventually(lambda: at_bob.last("presence") and at_bob.last("presence")["people"])
            assert at_bob.last("presence")["people"] == [{"name": "Eve", "place": ""}]
            page = at_eve.last("hello")["presence"]
            moving = {"page": page, "place": "pod.supernodes"}
            # to whichever process: here the first one
            moved = httpx.post(f"{address}{path}/presence", params=moving, headers=eve.writing)
            assert moved.status_code == 204
            eventually(lambda: at_bob.last("presence")["people"][0]["place"] == "pod.supernodes")
            for wrong, status in (({**moving, "place": "pod.wheels"}, 422), ({**moving, "page": "x"}, 400)):
                refused = httpx.post(f"{address}{path}/presence", params=wrong, headers=eve.writing)
                assert refused.status_code == status
            somebody_else = httpx.post(
                f"{address}{path}/presence", params={**moving, "place": ""}, headers=bob.writing
            )
            assert somebody_else.status_code == 204  # and nothing happens: it is Eve's page
            assert at_bob.last("presence")["people"][0]["place"] == "pod.supernodes"
        eventually(lambda: at_bob.last("presence")["people"] == [])
    eventually(lambda: not _rows(people))


def test_a_caller_may_have_so_many(people, address, path):
    eve, url = people.account("Eve").headers, f"{address}{path}/events"
    with reading(url, eve), reading(url, eve), reading(url, eve) as third:
        wanted = {"event": "presence", "people": [], "more": 0, "tabs": 2}  # all of them are hers
        eventually(lambda: third.last("presence") == wanted)
        refused = httpx.get(url, headers=eve)
        assert refused.status_code == 429
        assert refused.json()["type"] == "/docs/problems#too-many-streams"
        assert refused.headers["retry-after"]


def test_a_server_that_ends_ends_its_streams(people, path):
    app = create_app(people.settings)
    with serving(app) as address, reading(f"{address}{path}/events", people.account("Eve").headers) as reader:
        feed = app.state.feed
        assert len(feed) == 1
        feed.close_all()
        eventually(lambda: reader.is_over)
        eventually(lambda: len(feed) == 0)


def _rows(people):
    with read_session(people.engine) as session:
        return session.exec(select(PresenceRow)).all()
