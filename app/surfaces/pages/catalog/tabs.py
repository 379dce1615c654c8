"""Kinds of the catalog and rows of it as places to go to."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from fastapi import Request

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.kinds import GROUPS, VIEWS, KindGroup
from app.surfaces.pages.saved.rights import service_asked


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


def workspace_catalog(request: Request) -> Catalog:
    """The catalog as the workspace that is asked for has it, its own rows over the built-in ones."""
    return service_asked(request.app).catalog()


def catalog(request: Request) -> Catalog:
    """The built-in catalog, as a dependency of routes.

    What is published of our accuracy is computed with it alone.
    """
    return service_asked(request.app).builtin_catalog()
