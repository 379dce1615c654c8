"""Citations: each once, numbered, with a title that fits a table."""

from __future__ import annotations

import re

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.sources import LONGEST_TITLE, Sources, short_title


def test_a_cut_title_ends_with_a_word(catalog: Catalog) -> None:
    cited = {fact.source for kind in VIEWS for part in catalog.parts(kind) for fact in part.facts.values()}
    cut = [title for title in map(short_title, cited) if title.endswith("…")]
    assert len(cut) > 20
    assert not [title for title in cut if len(title) > LONGEST_TITLE + 1 or re.search(r"[\s,;:(+&]…$", title)]


def test_a_source_cited_twice_keeps_its_number() -> None:
    sources = Sources()
    first, second, again = (
        sources.cite(text=text, url="", licence="MIT") for text in ("Data sheet", "Another", "Data sheet")
    )
    assert (first.number, second.number, again.number) == (1, 2, 1)
    assert sources.listed() == (first, second)


def test_only_web_addresses_become_links() -> None:
    found = Sources().cite(
        text="Notes javascript:alert(1) and https://example.org/a.", url="javascript:alert(1)", licence=""
    )
    assert found.links == ("https://example.org/a",)
