"""`podwright serve`."""

from __future__ import annotations

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """The command that serves."""
    app.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = None,
) -> None:
    """Serve the dashboard. An empty database is migrated and seeded first."""
    import uvicorn

    from app.catalog.ready import ready_catalog
    from app.settings import get_settings

    ready_catalog()
    settings = get_settings()
    uvicorn.run(
        "app.main:create_app",
        factory=True,
        host=host or settings.host,
        port=settings.port if port is None else port,
        server_header=False,
    )
