"""The page of a row: every fact with its source, and nothing that leads nowhere."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable

import pytest

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.sources import short_title
from app.surfaces.pages.catalog.words import MARKS
from tests.asgi import AsgiClient
from tests.support import part_of
from tests.surfaces.pages.catalog.support import PAGE, SMALL, address, get
from tests.surfaces.pages.test_pages import text_of

pytestmark = pytest.mark.slow

EVERY = 9  # row is looked at each time; all rows of a small kind when there is time
ROWS = [pytest.param(kind, EVERY, id=kind) for kind in VIEWS]
ROWS += [pytest.param(kind, 1, id=f"{kind}, every row", marks=pytest.mark.slow) for kind in SMALL]
PagesOf = Callable[[str, int], dict[str, str]]


@pytest.fixture(scope="module")
def pages_of(reading_client: AsgiClient, catalog: Catalog) -> PagesOf:
    """Pages of the rows of a kind by key, or of some."""

    @functools.cache
    def pages(kind: str, every: int) -> dict[str, str]:
        keys = catalog.keys(kind)[::every]
        answers = {key: reading_client.get(address(kind, key), headers=PAGE) for key in keys}
        assert {answer.status_code for answer in answers.values()} == {200}
        return {key: answer.text for key, answer in answers.items()}

    return pages


@pytest.mark.parametrize(("kind", "every"), ROWS)
def test_every_fact_says_value_print_kind_source_and_date(
    pages_of: PagesOf, catalog: Catalog, kind: str, every: int
) -> None:
    for key, page in pages_of(kind, every).items():
        part = catalog.part(kind, key)
        lines = dict(re.findall(r'<tr id="fact-(\w+)">(.*?)</tr>', page, flags=re.DOTALL))
        assert lines.keys() == part.facts.keys()
        sources = dict(re.findall(r'<li id="(source-\d+)"(.*?)</li>', page, flags=re.DOTALL))
        for field, fact in part.facts.items():
            words = text_of(lines[field])
            assert f'<data value="{fact.value}">' in lines[field]
            assert " ".join(fact.printed_value.split()) in words, (key, field)
            assert MARKS[fact.kind] in words
            assert f'class="source-mark {fact.kind}"' in lines[field]
            assert ("not dated" in words) == (not fact.date)
            assert not fact.date or fact.date[:4] in words
            shown = short_title(fact.source)  # long titles are cut; the source list has them whole
            assert ("recalled" in words) == (fact.confidence == "recalled" or "recalled" in shown)
            reference = re.search(r'href="#(source-\d+)"', lines[field])
            assert reference
            assert fact.source[:60] in html.unescape(sources[reference[1]])


@pytest.mark.parametrize(("kind", "every"), ROWS)
def test_links_of_rows_lead_somewhere_and_tell_nobody(
    pages_of: PagesOf, status_of: Callable[[str], int], catalog: Catalog, kind: str, every: int
) -> None:
    ours: set[str] = set()
    for page in pages_of(kind, every).values():
        ids = set(re.findall(r'\sid="([^"]+)"', page))
        for link in re.findall(r"<a [^>]*>", page):
            target = html.unescape(re.search(r'href="([^"]*)"', link)[1])  # type: ignore[index]
            if target.startswith("#"):
                assert target[1:] in ids
            elif target.startswith("/"):
                ours.add(target)
            else:
                assert target.startswith(("https://", "http://"))
                assert "noreferrer" in link
        loaded = re.findall(r'<(?:script|img|link|iframe)[^>]*(?:src|href)="([^"]+)"', page)
        assert all(address.startswith("/") for address in loaded)
    rows = {address(other, key) for other in VIEWS for key in catalog.keys(other)}  # seen by the test above
    for target in part_of(sorted(ours - rows)):
        assert status_of(target) == 200, target


def test_units_printed_stand_beside_units_used(reading_client: AsgiClient) -> None:
    text = text_of(get(reading_client, "/catalog/accelerators/nvidia_h100_sxm"))
    assert "450 GB/s 900 GB/s both ways" in text
    assert "50.0 GB/s 400 Gbit/s" in text
    assert "85.5 GB 85520809984 B" in text
    assert "989 TFLOP/s 989.4 TFLOP/s" in text


def test_assumption_says_room_range_source_and_where_it_applies(reading_client: AsgiClient) -> None:
    key = "economics.accelerator_embodied_kg[generation=ampere]"
    text = text_of(get(reading_client, address("assumptions", key)))
    assert "Room economics" in text
    assert "Applies to generation=ampere" in text
    text = text_of(get(reading_client, address("assumptions", "economics.server_price_ratio")))
    assert "1.54 to 1.69" in text
    assert "Epoch AI, training-cost-trends" in text
