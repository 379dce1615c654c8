"""Kinds of catalog rows: one file each, found by being here."""

from __future__ import annotations

import importlib
import pkgutil

from app.catalog.kinds.base import CatalogKind


def _found() -> dict[str, type[CatalogKind]]:
    kinds = {}
    for module in pkgutil.iter_modules(__path__):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, CatalogKind) and "kind" in vars(value):
                kinds[value.kind] = value
    return dict(sorted(kinds.items()))


KINDS: dict[str, type[CatalogKind]] = _found()
"""Kind -> its class."""
