"""Saved designs among the choices of the form."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from app.saved.errors import NotSavedError
from app.saved.records import Kind, Saved
from app.saved.store import SavedWork
from app.surfaces.pages.saved.cards import saved_card
from app.surfaces.pages.studio.choices import DESIGN, Choice

MOST = 200  # that a select offers; the library lists them all


def with_designs(
    choices: Mapping[str, tuple[Choice, ...]], work: SavedWork, holder: Saved | None = None
) -> Mapping[str, tuple[Choice, ...]]:
    """Saved SuperNodes stand before the systems of the catalog; saved pods are a list of their own.

    They are those of the workspace, those that others share with it, and those that `holder` names.
    """
    return {
        **choices,
        "systems": (*_designs(work, "supernode", DESIGN, holder), *choices["systems"]),
        "pods": _designs(work, "pod", "", holder),
    }


def _designs(work: SavedWork, kind: Kind, before: str, holder: Saved | None) -> tuple[Choice, ...]:
    found = list(work.listed(kind, limit=MOST, sort="name").items) if work.has_lists else []
    found += work.shared(kind, limit=MOST, sort="name").items
    part = holder.document.get(kind) if holder else None
    named = part.get("design") if isinstance(part, dict) else None
    if named and named not in {each.id for each in found}:
        with suppress(NotSavedError):  # the scenario itself is refused for naming it
            found.append(work.finder(holder)(kind, named))
    return tuple(Choice(f"{before}{saved.id}", saved.name, saved_card(saved).eyebrow) for saved in found)
