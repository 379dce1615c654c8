"""The table of a kind: its rows, links, pages, and what it says when nothing is found."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from urllib.parse import quote

import pytest

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.browse import browse
from app.surfaces.pages.catalog.filters import ROWS_PER_PAGE, read_query
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.table import table_of
from tests.asgi import AsgiClient
from tests.support import part_of
from tests.surfaces.pages.catalog.support import LARGE, PAGE, TODAY, address, get, keys_of, selected
from tests.surfaces.pages.test_pages import text_of

pytestmark = pytest.mark.slow

OURS = re.compile(r'(?:href|src|action)="(/[^"#]*)(?:#[^"]*)?"')


@pytest.mark.parametrize("kind", VIEWS)
def test_kind(
    reading_client: AsgiClient, status_of: Callable[[str], int], catalog: Catalog, kind: str
) -> None:
    page = get(reading_client, f"/catalog/{kind}")
    expected = [quote(key, safe="") for key in catalog.keys(kind)[:ROWS_PER_PAGE]]
    assert keys_of(page, kind) == expected
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    links = set(OURS.findall(page)) - {address(kind, key) for key in catalog.keys(kind)}
    for link in part_of(sorted(links)):
        assert status_of(html.unescape(link)) == 200, link


def test_stale_and_undated_prices_are_marked_in_the_tables(catalog: Catalog) -> None:
    table = table_of(catalog, "accelerators")
    rows = browse(catalog, "accelerators", read_query(table, ()), today=TODAY).rows
    marks = {row.link.rsplit("/", 1)[1]: row.price_mark for row in rows}
    assert marks["nvidia_a100_sxm_40"] == "stale"
    assert marks["nvidia_h800_sxm"] == "undated"
    assert marks["nvidia_h100_sxm"] == "stale"
    assert marks["google_tpu_v5p"] == ""


@pytest.mark.parametrize("kind", LARGE)
def test_pages_together_are_the_whole_table(reading_client: AsgiClient, catalog: Catalog, kind: str) -> None:
    found, path = [], f"/catalog/{kind}?sort=name"
    while path:
        page = reading_client.get(path, headers=PAGE).text
        rows = keys_of(page, kind)
        assert len(rows) <= ROWS_PER_PAGE
        found += rows
        following = re.search(r'rel="next" href="([^"]+)"', page)
        path = html.unescape(following[1]) if following else ""
    assert found == [quote(key, safe="") for key in selected(table_of(catalog, kind), sort="name")]
    assert len(found) == len(catalog.keys(kind))


def test_nothing_found_says_what_was_looked_for_and_offers_to_clear(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/catalog/accelerators", q="h1000", vendor="NVIDIA", tdp_w_min="300")
    text = text_of(page)
    assert "No accelerators match." in text
    assert "Looked for “h1000”, vendor NVIDIA, TDP from 300 W" in text
    assert "Nearest: H100" in text
    assert '<a class="button primary" href="/catalog/accelerators">Clear search and filters</a>' in page


def test_typed_text_is_shown_as_text(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/catalog/cpus", q='"><script>alert(1)</script>')
    assert 'value="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in page
    assert "<script>alert" not in page
