"""What others share with the caller: of other workspaces, and by links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.saved.records import Kind
from app.saved.store import SavedWork
from app.surfaces.pages.saved.addresses import address_of
from app.surfaces.pages.saved.cards import SavedCard, saved_card
from app.teams.sharing import workspace_name

MOST = 60  # cards of a kind; the API lists them all


class SharedCard(NamedTuple):
    """`says` is where it comes from, or what of it is shown."""

    card: SavedCard
    page: str
    says: str


def shared_cards(work: SavedWork, kinds: Sequence[Kind]) -> tuple[SharedCard, ...]:
    """Everything of these kinds: first single revisions, then what is live, changed last first."""
    found = []
    for kind in kinds:
        for saved in work.pinned(kind):
            page = address_of(kind, saved.id, saved.revision)
            found.append(SharedCard(saved_card(saved), page, f"Revision {saved.revision}, as it was"))
        names: dict[int, str] = {}
        for saved in work.shared(kind, limit=MOST).items:
            if saved.workspace_id not in names:
                names[saved.workspace_id] = workspace_name(work, saved)
            found.append(
                SharedCard(saved_card(saved), address_of(kind, saved.id), f"From {names[saved.workspace_id]}")
            )
    return tuple(found)
