"""Terms on pages: every view explains those it shows, and the page of all finds them."""

from __future__ import annotations

import html
import re

import pytest

from app.catalog.glossary import glossary
from app.surfaces.pages.terms.views import VIEWS, terms_of
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

PAGE = {"accept": "text/html"}
PAGES = {
    "home": "/",
    "explain": "/designs/edge_node/explain/performance.mfu",
    "explore": "/explore/edge_node",
    "calibrate": "/calibrate/edge_node",
    "calibrate-serving": "/calibrate/deepseek_r1_on_8_h200",
    "compare": "/compare?a=edge_node&b=llama_3_1_405b_on_2048_dgx_h100",
    "catalog": "/catalog/accelerators",
    "validation-training": "/validation/training",
    "validation-collectives": "/validation/collectives/table",
    "validation-serving": "/validation/serving",
    "validation-scaling": "/validation/scaling",
    "validation-fabric": "/validation/fabric",
    "validation-power": "/validation/power",
    "validation-cost": "/validation/cost",
    "validation-reliability": "/validation/reliability",
    "start": "/start/train",
    "scaling": "/scaling",
    "growth": "/trends",
    "claims": "/claims",
    "gallery": "/gallery",
}
SECTIONS = ("performance", "fabric", "power", "cost", "reliability")
OF_SERVING = {"performance": "performance-serving", "reliability": "reliability-serving"}


def opened(page: str) -> list[str]:
    """The terms that a page has a button for."""
    return re.findall(r'popovertarget="term-([a-z_0-9]+)"', page)


@pytest.mark.parametrize("view", VIEWS)
def test_every_term_of_a_view_exists_and_stands_once(view: str) -> None:
    assert len(terms_of(view)) == len(set(VIEWS[view])) == len(VIEWS[view]) >= 4


def test_every_view_is_on_a_page() -> None:
    assert set(VIEWS) == {*PAGES, *SECTIONS, *OF_SERVING.values()}


@pytest.mark.parametrize("view", PAGES)
def test_a_page_explains_its_terms(reading_client: AsgiClient, view: str) -> None:
    page = reading_client.get(PAGES[view], headers=PAGE).text
    assert opened(page) == list(VIEWS[view])
    for term in terms_of(view):
        assert page.count(f'id="term-{term.key}"') == 1
        assert f'href="{term.address}"' in page
    assert 'href="/terms"' in page


def test_each_section_of_the_studio_explains_its_terms(reading_client: AsgiClient) -> None:
    page = reading_client.get("/designs/edge_node/all", headers=PAGE).text
    for section in SECTIONS:
        part = page.split(f'<section class="part" id="{section}"')[1].split("</section>")[0]
        assert opened(part) == list(VIEWS[section])
    for key in {key for section in SECTIONS for key in VIEWS[section]}:
        assert page.count(f'id="term-{key}"') == 1


def test_a_served_model_has_terms_of_its_own(reading_client: AsgiClient) -> None:
    page = reading_client.get("/designs/deepseek_r1_on_8_h200/all", headers=PAGE).text
    for section, view in OF_SERVING.items():
        part = page.split(f'<section class="part" id="{section}"')[1].split("</section>")[0]
        assert opened(part) == list(VIEWS[view])
        for key in VIEWS[view]:
            assert page.count(f'id="term-{key}"') == 1


def test_all_terms_have_an_anchor(reading_client: AsgiClient) -> None:
    page = reading_client.get("/terms", headers=PAGE).text
    for term in glossary().values():
        assert f'<div id="{term.key}"><dt>{term.term}' in html.unescape(page)
    assert f"{len(glossary())} terms" in page


def test_a_search_finds_terms_by_any_name(reading_client: AsgiClient) -> None:
    page = reading_client.get("/terms", params={"q": "ring attention"}, headers=PAGE).text
    assert '<div id="context_parallel">' in page
    assert '<div id="pue">' not in page
    none = reading_client.get("/terms", params={"q": "overzubscription"}, headers=PAGE).text
    assert "No term matches." in none
    assert 'href="/terms#oversubscription"' in none
    hostile = reading_client.get("/terms", params={"q": "<script>x"}, headers=PAGE).text
    assert "<script>x" not in hostile
