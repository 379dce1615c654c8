"""`podwright serve`."""

from __future__ import annotations

import os
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

    from app.catalog.ready import ready_catalog, ready_engine
    from app.settings import get_settings
    from app.teams.serving import UnsafeToServeError, check_safe_to_serve

    if host is not None:
        os.environ["PODWRIGHT_HOST"] = host  # whether people must sign in depends on it
        get_settings.cache_clear()
    settings = get_settings()
    ready_catalog(settings)
    try:
        check_safe_to_serve(settings, ready_engine(settings))
    except UnsafeToServeError as error:
        typer.echo(f"podwright: {error}", err=True)
        raise typer.Exit(2) from None
    uvicorn.run(
        "app.main:create_app",
        factory=True,
        host=settings.host,
        port=settings.port if port is None else port,
        server_header=False,
    )
