"""Every route of saved work."""

from __future__ import annotations

from app.surfaces.pages.saved import (
    beginning,
    design_view,
    exporting,
    forking,
    history,
    home,
    importing,
    items,
    library,
    naming,
    saving,
    trash,
)
from app.surfaces.pages.saved.compare import routes as compare

ROUTERS = (
    home.router,
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
