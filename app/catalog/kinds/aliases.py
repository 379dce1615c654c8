"""Other names of things, as documents and benchmark files write them."""

from __future__ import annotations

from typing import ClassVar, Literal

from app.catalog.columns import text
from app.catalog.kinds.base import CatalogKind

AliasKind = Literal["accelerator", "system", "model", "framework", "precision"]

CATALOG_KIND = {"accelerator": "accelerators", "system": "systems", "model": "models"}
"""Kinds of names that stand for a catalog row; the others stand for themselves."""


class Alias(CatalogKind):
    """A known string. Without a target it is known, but no catalog row describes it."""

    kind: ClassVar[str] = "aliases"
    file: ClassVar[str] = "aliases.csv"
    title: ClassVar[str] = "Other names"
    name_field: ClassVar[str] = "alias"
    vendor_field: ClassVar[str] = ""

    key: str = text("")  # made of the two below
    alias: str = text(min_length=1)
    of: AliasKind = text("kind")
    target: str = text("key")
