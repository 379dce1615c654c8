"""Finding parts by key, with a helpful message when there is none."""

from __future__ import annotations

from app.catalog.errors import CatalogLookupError
from app.catalog.values import Part
from app.catalog.view import CatalogView
from app.likeness import nearest_names
from app.scenarios.errors import refuse


def part_or_error(catalog: CatalogView, kind: str, key: str, field: str) -> Part:
    """A part of the catalog.

    Raises
    ------
    ScenarioError : no part of that kind has this key; the nearest ones are named
    """
    try:
        return catalog.part(kind, key)
    except CatalogLookupError:
        near = nearest_names(key, catalog.keys(kind))
        raise refuse(
            f"{key!r} is not in the catalog of {kind}.",
            rule="unknown_part",
            path=field,
            value=key,
            hint=f"Nearest: {near}. `podwright catalog {kind}` lists them all.",
        ) from None
