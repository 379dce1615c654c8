"""Kinds of the catalog and rows of it as places to go to."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.kinds import GROUPS, VIEWS, KindGroup


class Tab(NamedTuple):
    kind: str
    label: str
    rows: int
    what: str
    current: bool = False


def part_link(kind: str, key: str) -> str:
    """The address of one row; keys of other names hold spaces and strokes."""
    return f"/catalog/{kind}/{quote(key, safe='')}"


def tabs(catalog: Catalog, current: str = "") -> tuple[Tab, ...]:
    """Every kind with how many rows it has."""
    return tuple(
        Tab(view.kind, view.tab, len(catalog.keys(view.kind)), view.what, view.kind == current)
        for view in VIEWS.values()
    )


def grouped_tabs(catalog: Catalog) -> tuple[tuple[KindGroup, tuple[Tab, ...]], ...]:
    """The kinds by what they are about."""
    found = {tab.kind: tab for tab in tabs(catalog)}
    return tuple((group, tuple(found[kind] for kind in group.kinds)) for group in GROUPS)
