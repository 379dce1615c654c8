"""The routes of a shelf, put together."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from app.api.origin import refuse_foreign_site
from app.api.saved.changing import add_changes
from app.api.saved.collection import add_collection
from app.api.saved.comments import add_comments
from app.api.saved.diff import add_diff
from app.api.saved.events import add_events
from app.api.saved.items import add_items
from app.api.saved.merges import add_merges
from app.api.saved.naming import add_names
from app.api.saved.revisions import add_revisions
from app.api.saved.sharing import add_sharing
from app.api.saved.shelf import Shelf


def shelf_router(shelf: Shelf) -> APIRouter:
    """Everything that scenarios, designs and projections have in common."""
    router = APIRouter(
        prefix=shelf.address.removeprefix("/api/v1"),
        tags=[f"saved {shelf.many}"],
        dependencies=[Depends(refuse_foreign_site)],
    )
    for add in (
        add_collection,
        add_items,
        add_changes,
        add_merges,
        add_revisions,
        add_names,
        add_diff,
        add_comments,
        add_events,
        add_sharing,
    ):
        add(router, shelf)
    return router
