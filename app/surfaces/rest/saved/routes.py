"""The routes of a shelf, put together."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from app.surfaces.rest.origin import refuse_foreign_site
from app.surfaces.rest.saved.collection import add_changes, add_collection
from app.surfaces.rest.saved.comments import add_comments
from app.surfaces.rest.saved.diff import add_diff
from app.surfaces.rest.saved.events import add_events
from app.surfaces.rest.saved.items import add_items, add_names, add_revisions
from app.surfaces.rest.saved.merges import add_merges
from app.surfaces.rest.saved.sharing import add_sharing
from app.surfaces.rest.saved.shelf import Shelf


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
