"""The tabs of a design: every page of a room is a section, every section has a page."""

from __future__ import annotations

import re

import pytest

from app.main import create_app
from app.scenarios.examples import list_examples
from app.surfaces.pages.later import PART_HEADER
from app.surfaces.pages.studio.fields import BASIC, all_fields
from app.surfaces.pages.studio.kinds import of_kind
from app.surfaces.pages.workspace import TABS, Section, section_of, sections, sections_of, tab_of, tabs_of
from tests.access.routes import routes_of
from tests.asgi import AsgiClient

KEY = "llama_3_1_405b_on_2048_dgx_h100"
ROOMS = ("fabric", "facility", "economics", "operations", "serving")


def test_places_are_unique_and_found() -> None:
    places = [section.place for section in sections()]
    assert len(places) == len(set(places)) > 40
    assert all(section_of(place).place == place for place in places)
    assert all(section in tab_of(section.place).sections for section in sections())
    with pytest.raises(KeyError):
        section_of("fabric/nowhere")


def test_every_page_of_a_room_is_a_section() -> None:
    """What is no section is a form or a file of one, whose address its page's begins."""
    paths = {one.removeprefix("GET ") for one in routes_of(create_app()) if one.startswith("GET ")}
    pages = {path for path in paths if re.fullmatch(rf"/({'|'.join(ROOMS)})/{{key}}/\w+", path)}
    listed = {section.address("{key}") for section in sections() if section.room}
    assert listed <= pages
    assert pages == listed


def test_tabs_with_nothing_to_show_are_left_out() -> None:
    titles = [tab.title for tab in tabs_of(serves=False, published=False)]
    assert "Serving" not in titles
    assert "Published" not in titles
    assert tabs_of(serves=False, published=True) == tuple(tab for tab in TABS if tab.title != "Serving")
    served = [section for tab in tabs_of(serves=True, published=True) for section in tab.sections]
    assert set(sections()) - set(served) == {section for section in sections() if section.of_a_run}


@pytest.mark.parametrize("section", list(sections()), ids=lambda section: section.place)
def test_a_section_has_the_inputs_and_figures_around_it(reading_client: AsgiClient, section: Section) -> None:
    answer = reading_client.get(section.address(KEY))
    assert answer.status_code == 200
    assert 'id="inputs-form"' in answer.text
    assert 'class="key-figures"' in answer.text
    ids = re.findall(r'\sid="([^"]+)"', answer.text)
    assert [one for one in set(ids) if ids.count(one) > 1] == []
    marked = re.findall(r'data-place="([^"]+)" aria-current="page"', answer.text)
    tab = tab_of(section.place)
    wanted = (
        {tab.first.place, section.place} if tab in tabs_of(serves=False, published=True) else {section.place}
    )
    assert set(marked) == (wanted if len(tab.sections) > 1 else wanted & {tab.first.place})


@pytest.mark.parametrize("room", ROOMS)
def test_a_part_is_the_section_alone(reading_client: AsgiClient, room: str) -> None:
    section = sections_of(room)[0]
    whole = reading_client.get(section.address(KEY)).text
    part = reading_client.get(section.address(KEY), headers={PART_HEADER: "section"}).text
    assert 'id="section"' in part
    assert 'id="inputs-form"' not in part
    assert len(part) < len(whole) / 2
    assert f"<title>{section.title} · " in part


def test_a_place_that_is_not_there_is_refused(reading_client: AsgiClient) -> None:
    body = {"key": "edge_node", "scenario": {}, "place": "fabric/nowhere"}
    assert reading_client.post("/studio/evaluate", json=body).status_code == 404


@pytest.mark.parametrize("kind", ["training", "serving", "generic"])
def test_about_a_dozen_inputs_are_basic(kind: str) -> None:
    assert {field.path for field in all_fields()} >= BASIC
    shown = [path for path in BASIC if not path.startswith("workload.") or of_kind(path, kind)]
    assert 10 <= len(shown) <= 16, sorted(shown)


def test_the_overview_shows_each_chart_with_its_section(reading_client: AsgiClient) -> None:
    for example in list_examples():
        page = reading_client.get(f"/designs/{example.key}").text
        assert page.count('class="chart-more"') >= 5
