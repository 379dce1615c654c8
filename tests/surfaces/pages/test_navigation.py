"""The five menus of the header: each link leads to a page that marks itself."""

from __future__ import annotations

import re

import pytest

from app.surfaces.pages.navigation import MENUS, Menu, Place
from tests.asgi import AsgiClient

PLACES = [(menu, place) for menu in MENUS for place in menu.places]


def test_there_are_five_menus_with_places_of_their_own() -> None:
    assert [menu.name for menu in MENUS] == ["Design", "Compare", "Reference", "Accuracy", "Help"]
    for read in (lambda place: place.key, lambda place: place.address, lambda place: place.name):
        values = [read(place) for _, place in PLACES]
        assert len(values) == len(set(values))


@pytest.mark.parametrize(("menu", "place"), PLACES, ids=[place.key for _, place in PLACES])
def test_a_page_of_a_menu_marks_itself_as_current(
    reading_client: AsgiClient, menu: Menu, place: Place
) -> None:
    answer = reading_client.get(place.address)
    assert answer.status_code == 200
    current = re.findall(r'href="([^"]+)" aria-current="page"', answer.text.partition("</nav>")[0])
    assert current == [place.address]
    assert re.findall(r'<summary id="nav-(\w+)">[^<]*<span class="visually-hidden">', answer.text) == [
        menu.key
    ]
