"""Every route of saved work, but for the home page."""

from __future__ import annotations

from app.surfaces.pages.saved import (
    beginning,
    design_view,
    exporting,
    forking,
    history,
    importing,
    items,
    library,
    naming,
    saving,
    trash,
)
from app.surfaces.pages.saved.compare import page as compare

ROUTERS = (
    trash.router,
    beginning.router,
    forking.router,
    design_view.router,
    importing.router,
    items.router,
    saving.router,
    history.router,
    naming.router,
    compare.router,
    library.router,
    exporting.router,
)
