"""Finding parts by key, with a helpful message when there is none."""

from __future__ import annotations

from app.catalog.lookup import Catalog, Part
from app.scenarios.errors import refuse
from app.scenarios.nearest import nearest_names


def part_or_error(catalog: Catalog, kind: str, key: str, field: str) -> Part:
    """A part of the catalog.

    Raises
    ------
    ScenarioError : no part of that kind has this key; the nearest ones are named
    """
    keys = catalog.keys(kind)
    if key in keys:
        return catalog.part(kind, key)
    raise refuse(
        f"{key!r} is not in the catalog of {kind}.",
        rule="unknown_part",
        path=field,
        value=key,
        hint=f"Nearest: {nearest_names(key, keys)}. `podwright catalog {kind}` lists them all.",
    )
