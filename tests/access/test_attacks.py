"""What attackers try, each of it refused. Attacks on one part alone are tested beside that part:

formulas in files (tests/scenarios/reading/spreadsheets, tests/surfaces/rest/test_team_catalog.py), packed bombs
(tests/scenarios/reading/spreadsheets), large, deep and slow bodies (tests/server, tests/surfaces/rest/test_bad_input.py), forged
and missing CSRF tokens and fixed sign-ins (tests/surfaces/pages/people), guessed links (tests/teams/test_sharing.py).
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.scenarios.examples import example
from tests.people import ActingClient, People, people_over

pytestmark = pytest.mark.slow

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
QUOTES = "\"'`;--"
INJECTIONS = (
    "' OR '1'='1",
    "'; DROP TABLE scenario; --",
    '" UNION SELECT password_hash FROM account --',
    "%' ESCAPE '",
    "\\",
    "1) OR (1=1",
)
WAYS_OUT = (
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/pyproject.toml",
    "/etc/passwd",
    "....//....//pyproject.toml",
)


@pytest.fixture(scope="module")
def people(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("attacks")) as found:
        found.team("red", {"mallory": "editor", "alice": "owner"})
        found.team("blue", {"bob": "owner"})
        yield found


@pytest.fixture(scope="module")
def mallory(people: People) -> ActingClient:
    return people.client("mallory")


def made(client: ActingClient, workspace: str, name: str) -> str:
    document = {**example("edge_node").read().as_dict(), "name": name, "description": name}
    answer = client.post(f"/api/v1/scenarios?workspace={workspace}", json=document)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.parametrize("text", INJECTIONS)
def test_what_is_searched_for_is_never_part_of_a_query(people: People, text: str) -> None:
    secret = made(people.client("bob"), "blue", "Of the blue team")
    client = people.client("mallory")
    for parameter in ("q", "tag", "model", "system", "after", "sort"):
        refused = 422 if parameter == "after" else 400  # a place in a listing is a text of ours
        answer = client.get("/api/v1/scenarios", params={"workspace": "red", parameter: text})
        assert answer.status_code in (200, refused), answer.text
        assert secret not in answer.text
    assert client.get("/", params={"workspace": "red", "q": text}).status_code == 200
    assert (
        client.get("/api/v1/scenarios", params={"workspace": text}).status_code == 400
    )  # no key of a workspace
    assert (
        people.client("bob").get(f"/api/v1/scenarios/{secret}").status_code == 200
    )  # and nothing was dropped


@pytest.mark.parametrize("path", WAYS_OUT)
def test_no_address_leads_to_a_file_of_the_server(mallory: ActingClient, path: str) -> None:
    for place in (
        "/static/0/",
        "/catalog/accelerators/",
        "/designs/",
        "/docs/",
        "/gallery/",
        "/api/v1/examples/",
    ):
        answer = mallory.get(f"{place}{path}")
        assert answer.status_code in (303, 400, 404), place
        assert "root:" not in answer.text
        assert "[project]" not in answer.text


@pytest.mark.parametrize("payload", [SCRIPT, QUOTES, "{{ 7 * 7 }}", "${7*7}", "javascript:alert(1)"])
def test_what_people_write_is_shown_as_text(people: People, mallory: ActingClient, payload: str) -> None:
    name = f"Pod {payload}"
    id = made(mallory, "red", name)
    comment = mallory.post(f"/api/v1/scenarios/{id}/comments", json={"body": f"Look {payload}"})
    assert comment.status_code == 201, comment.text
    tagged = mallory.patch(
        f"/api/v1/scenarios/{id}", json={"tags": [payload[:40]]}, headers={"if-match": "*"}
    )
    assert tagged.status_code in (200, 422)
    alice = people.client("alice")
    for page in (
        "/?workspace=red",
        f"/designs/{id}",
        f"/designs/{id}/history",
        f"/designs/{id}/comments",
        f"/saved/scenario/{id}/share",
        f"/compare?keys={id}",
    ):
        answer = alice.get(page, headers={"accept": "text/html"})
        assert answer.status_code == 200, page
        assert "<script>alert" not in answer.text, page
        assert "<img src=x" not in answer.text, page
        assert 'href="javascript:' not in answer.text, page
        assert "Pod 49" not in answer.text, page
    shown = alice.get(f"/designs/{id}/comments", headers={"accept": "text/html"}).text
    assert html.escape(f"Look {payload}", quote=False).replace("'", "&#39;").replace('"', "&#34;") in shown


def test_what_is_asked_for_is_not_echoed_as_markup(mallory: ActingClient) -> None:
    for page in (
        f"/?q={SCRIPT}",
        f"/catalog?q={SCRIPT}",
        f"/{SCRIPT}",
        f"/claims?verdict={SCRIPT}",
        f"/sign-in?next={SCRIPT}",
    ):
        answer = mallory.get(page, headers={"accept": "text/html"})
        assert answer.status_code < 500
        assert "<script>alert" not in answer.text, page
        assert "script-src 'self'" in answer.headers["content-security-policy"]


def test_a_file_that_is_imported_is_text_too(mallory: ActingClient) -> None:
    document = f'name: "{SCRIPT}"\nworkload: {{kind: training, model: "{SCRIPT}"}}\nsupernode: {{system: "{SCRIPT}"}}\n'
    answer = mallory.post("/import", data={"text": document}, headers={"accept": "text/html"})
    assert answer.status_code < 500
    assert "<script>alert" not in answer.text


def test_nobody_is_let_in_by_guessing(people: People) -> None:
    token = people.token("alice", ["read"])
    id, _, secret = token.partition(".")
    for guess in (f"{id}.{'A' * 43}", f"{id}.{secret[:-1]}", f"pwt_{'0' * 16}.{secret}", secret, "", "pwt_"):
        answer = people.client(None).get("/api/v1/scenarios", headers={"authorization": f"Bearer {guess}"})
        assert answer.status_code == 401, guess
        assert secret not in answer.text


def test_headers_of_a_caller_do_not_make_another_of_them(people: People) -> None:
    forged = {
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-host": "127.0.0.1",
        "x-original-url": "/healthz",
        "x-user": "alice",
    }
    assert people.client(None).get("/api/v1/scenarios", headers=forged).status_code == 401
