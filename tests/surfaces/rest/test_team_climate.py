"""Climate years over REST: uploaded by editors, listed, used, replaced with If-Match, and removed."""

from __future__ import annotations

import pytest

from app.saved.access import ROLES, Role
from tests.catalog.weather.files import as_bytes, epw_lines, with_cell
from tests.people import ActingClient, People
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

PATH = "/api/v1/catalog/climate/graz_2023"
TEXT = {"content-type": "text/plain"}
SOURCE = {"source": "Own station", "licence": "", "year_kind": "measured 2023"}
SITE = {"name": "Graz", "climate": "graz_2023"}


@pytest.fixture(scope="module")
def team(people: People) -> dict[Role, ActingClient]:
    """A team with someone of every role, each in a client of their own."""
    key = "climate-team"
    people.team(key, {f"{role} of {key}": role for role in ROLES})
    found = {}
    for role in ROLES:
        client = people.client(f"{role} of {key}")
        ask = client.request

        def request(method, path, ask=ask, **options):
            return ask(method, f"{path}{'&' if '?' in path else '?'}workspace={key}", **options)

        client.request = request  # type: ignore[method-assign]
        found[role] = client
    return found


def query(**more: str) -> str:
    from urllib.parse import urlencode

    return f"{PATH}?{urlencode({**SOURCE, **more})}"


def test_a_year_from_upload_to_removal(team: dict[Role, ActingClient]) -> None:
    editor, viewer = team["editor"], team["viewer"]
    content = as_bytes(epw_lines(leap=True))
    assert_problem(viewer.put(query(), content=content, headers=TEXT), 403, "forbidden")

    answer = editor.put(query(), content=content, headers=TEXT)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["key"], found["name"], found["origin"]) == ("graz_2023", "Graz, AUT", "workspace")
    assert found["attributes"]["year_kind"] == "measured 2023"
    assert "29 February left out" in found["attributes"]["notes"]
    assert found["attributes"]["licence_note"].startswith("not stated")

    listed = viewer.get("/api/v1/catalog/climate?limit=500").json()["items"]
    assert [row["key"] for row in listed if row["origin"] == "workspace"] == ["graz_2023"]
    designed = viewer.post("/api/v1/evaluations", json=scenario(facility={"site": SITE}))
    assert designed.status_code == 200
    assert designed.json()["cooling"]["pue"] > 1

    assert_problem(editor.put(query(), content=content, headers=TEXT), 428)
    stale = editor.put(query(), content=content, headers={**TEXT, "if-match": '"other"'})
    assert_problem(stale, 412)
    warmer = as_bytes(with_cell(epw_lines(), 4000, 7, "36.5"))
    replaced = editor.put(query(), content=warmer, headers={**TEXT, "if-match": answer.headers["etag"]})
    assert replaced.status_code == 200, replaced.text
    assert replaced.json()["facts"]["dry_bulb_maximum_c"]["value"] == 36.5

    assert_problem(viewer.delete(PATH, headers={"if-match": "*"}), 403, "forbidden")
    assert editor.delete(PATH, headers={"if-match": "*"}).status_code == 204
    assert editor.get(PATH).status_code == 404
    assert_problem(viewer.post("/api/v1/evaluations", json=scenario(facility={"site": SITE})), 422)


def test_a_bad_file_names_its_line(team: dict[Role, ActingClient]) -> None:
    content = as_bytes(with_cell(epw_lines(), 123, 10, "97.3"))
    problem = assert_problem(team["editor"].put(query(), content=content, headers=TEXT), 422)
    (error,) = problem["errors"]
    assert error["line"] == 123
    assert "Column 10, pressure: 97.3 is not between" in error["message"]


def test_what_is_no_epw_file_or_has_no_source(team: dict[Role, ActingClient]) -> None:
    editor = team["editor"]
    assert_problem(editor.put(query(), content=b"{}", headers={"content-type": "application/json"}), 415)
    problem = assert_problem(editor.put(query(), content=b"key,city\n", headers=TEXT), 422)
    assert "8 header lines" in problem["errors"][0]["message"]
    problem = assert_problem(editor.put(PATH, content=b"", headers=TEXT), 422)
    assert "source is missing" in problem["errors"][0]["message"]
    assert_problem(editor.put(f"{PATH}?colour=red", content=b"", headers=TEXT), 400)
    builtin = editor.put(
        "/api/v1/catalog/climate/ashburn_va?source=x", content=as_bytes(epw_lines()), headers=TEXT
    )
    assert "built-in climate year" in assert_problem(builtin, 422)["errors"][0]["message"]
