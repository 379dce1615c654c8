"""The utilisation of a saved fleet in a study: filled in, named by its source, and kept when the form is sent."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.saved.access import Actor
from app.saved.store import SavedWork
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.studio.state import decode_state, encode_state
from app.views.fleet.answer import fleet_answer
from app.views.fleet.tasks import computed_task, tasks_of
from app.views.written import written
from tests.people import ActingClient, People, people_over
from tests.saved.support import UNKNOWN_ID, study

SMALL = {
    "name": "Ours & theirs",
    "days": 3,
    "warmup_days": 0.5,
    "replications": 1,
    "classes": [{"name": "Research", "jobs_per_hour": 2, "sizes": [1, 2], "duration_hours": 2}],
    "pods": [{"supernodes": 4, "accelerators": 8}],
    "policies": ["fifo"],
}


@pytest.fixture(scope="module")
def people(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with people_over(seeded_data_dir, tmp_path_factory.mktemp("of_fleet")) as found:
        found.account("Mallory")
        yield found


@pytest.fixture(scope="module")
def work(people: People) -> SavedWork:
    team = people.team("crew", {"Ada": "owner", "Vera": "viewer"})
    ada = Actor(name="Ada", account_id=people.account("Ada").id, roles={team: "owner"})
    return SavedWork(people.engine, lambda: ready_catalog(people.settings)).of(ada, team)


@pytest.fixture(scope="module")
def kept(work: SavedWork) -> tuple[str, float]:
    """A saved fleet with its answer as `id@revision`, and its utilisation."""
    document = build_document(FleetDocument, SMALL)
    answer = fleet_answer(document, [(task, computed_task(document, task)) for task in tasks_of(document)])
    saved = work.create("fleet", SMALL)
    saved = work.keep_answer("fleet", saved.id, written(answer), version=None, note="")
    return f"{saved.id}@{saved.revision}", round(answer.utilisation, 4)


@pytest.fixture
def ada(people: People) -> ActingClient:
    return people.client("Ada")


def carried(page: str) -> dict[str, Any]:
    values = decode_state(page.split('name="s" value="')[1].split('"', maxsplit=1)[0])
    assert values is not None
    return values


def utilisation(values: dict[str, Any]) -> float | None:
    return build_document(StudyDocument, values).common.economics.utilisation


def test_a_saved_fleet_opens_a_study_with_its_utilisation(ada: ActingClient, kept: tuple[str, float]) -> None:
    key, share = kept
    id, _, revision = key.partition("@")
    address = f"/studies/new?fleet={key}"
    assert f'href="{address}">Use in a study<' in ada.get(f"/fleet/saved/{id}").text
    page = ada.get(address)
    assert page.status_code == 200, page.text[:300]
    assert utilisation(carried(page.text)) == share
    shown = f"{100 * share:.4g}"
    assert re.search(rf'name="utilisation"[^>]* value="{shown}"', page.text)
    line = re.sub(r"<[^>]+>", "", html.unescape(page.text.split('id="fleet-used">')[1].split("</p>")[0]))
    assert line == (
        f"Utilisation of {shown} % from the fleet Ours & theirs, revision {revision}: productive share under First in, first out."
    )
    assert f'href="/fleet/saved/{id}?revision={revision}"' in page.text


def test_the_line_stays_with_the_number_and_goes_with_another(
    ada: ActingClient, kept: tuple[str, float]
) -> None:
    key, share = kept
    page = ada.get("/studies/new", params={"fleet": key}).text
    state = page.split('name="s" value="')[1].split('"')[0]
    assert f'name="fleet" value="{key}"' in page
    sent = {"s": state, "fleet": key, "days": "90", "utilisation": f"{100 * share:.4g}"}
    again = ada.get("/studies/new", params=sent).text
    assert 'id="fleet-used"' in again
    assert carried(again)["limits"]["finish_within_days"] == 90
    other = ada.get("/studies/new", params={**sent, "utilisation": "99"}).text
    assert 'id="fleet-used"' not in other
    assert utilisation(carried(other)) == pytest.approx(0.99)
    emptied = ada.get("/studies/new", params={**sent, "utilisation": ""}).text
    assert 'id="fleet-used"' not in emptied
    assert "common" not in carried(emptied)


def test_the_note_of_the_first_save_names_the_fleet(ada: ActingClient, kept: tuple[str, float]) -> None:
    page = ada.get("/studies/new", params={"fleet": kept[0]}).text
    link = html.unescape(re.findall(r'href="(/studies/save\?[^"]+)"', page)[0])
    form = html.unescape(ada.get(link).text)
    assert f"Utilisation of {100 * kept[1]:.4g} % from the fleet Ours & theirs" in form


def test_a_fleet_that_gives_no_number_is_refused(ada: ActingClient, work: SavedWork) -> None:
    saved = work.create("fleet", {**SMALL, "name": "Not run"})
    assert "Use in a study" not in ada.get(f"/fleet/saved/{saved.id}").text
    page = ada.get(f"/studies/new?fleet={saved.id}")
    assert page.status_code == 422
    assert "The fleet Not run has no answer." in page.text
    for key in (UNKNOWN_ID, "edge_node", f"{saved.id}@99"):
        assert ada.get(f"/studies/new?fleet={key}").status_code == 404, key


def test_only_those_who_may_see_the_fleet_take_it(people: People, kept: tuple[str, float]) -> None:
    key, share = kept
    assert people.client("Vera").get(f"/studies/new?fleet={key}").status_code == 200
    mallory = people.client("Mallory")
    refused = mallory.get(f"/studies/new?fleet={key}")
    assert refused.status_code == 404
    assert "Ours" not in refused.text
    state = encode_state(study(common={"economics": {"utilisation": share}}))
    page = mallory.get("/studies/new", params={"s": state, "fleet": key})
    assert page.status_code == 200
    assert "Ours" not in page.text
    assert utilisation(carried(page.text)) == share
