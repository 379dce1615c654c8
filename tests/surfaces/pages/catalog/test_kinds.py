"""What kinds there are, and how each is listed."""

from __future__ import annotations

import pytest

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.kinds import GROUPS, VIEWS
from tests.asgi import AsgiClient
from tests.surfaces.pages.catalog.support import get
from tests.surfaces.pages.test_pages import text_of


def test_every_kind_is_shown_once() -> None:
    assert set(VIEWS) == set(KINDS)
    assert sorted(kind for group in GROUPS for kind in group.kinds) == sorted(KINDS)


@pytest.mark.parametrize("kind", VIEWS)
def test_columns_and_filters_are_fields_of_the_kind(kind: str) -> None:
    fields = {*KINDS[kind].model_fields, "price", "value", "range"}
    assert {name.removeprefix("@") for name in VIEWS[kind].columns} <= fields
    assert set(VIEWS[kind].facets) <= {*fields, "vendor", "status"}


def test_kinds_with_counts_and_what_each_is(reading_client: AsgiClient, catalog: Catalog) -> None:
    text = text_of(get(reading_client, "/catalog"))
    for kind, view in VIEWS.items():
        assert f"{view.tab} {len(catalog.keys(kind)):,} rows {view.what}" in text
