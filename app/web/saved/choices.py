"""Saved designs among the choices of the form."""

from __future__ import annotations

from collections.abc import Mapping

from app.scenarios.saved.records import Kind
from app.scenarios.saved.store import SavedWork
from app.web.saved.cards import saved_card
from app.web.studio.choices import DESIGN, Choice

MOST = 200  # that a select offers; the library lists them all


def with_designs(
    choices: Mapping[str, tuple[Choice, ...]], work: SavedWork
) -> Mapping[str, tuple[Choice, ...]]:
    """Saved SuperNodes stand before the systems of the catalog; saved pods are a list of their own."""
    return {
        **choices,
        "systems": (*_designs(work, "supernode", DESIGN), *choices["systems"]),
        "pods": _designs(work, "pod", ""),
    }


def _designs(work: SavedWork, kind: Kind, before: str) -> tuple[Choice, ...]:
    items = work.listed(kind, limit=MOST, sort="name").items
    return tuple(Choice(f"{before}{saved.id}", saved.name, saved_card(saved).eyebrow) for saved in items)
