"""Every route of saved work."""

from __future__ import annotations

from app.web.saved import exporting, history, home, importing, items, library, saving
from app.web.saved.compare import routes as compare

ROUTERS = (
    home.router,
    importing.router,
    items.router,
    saving.router,
    history.router,
    compare.router,
    library.router,
    exporting.router,
)
