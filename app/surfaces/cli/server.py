"""`podwright serve`."""

from __future__ import annotations

import gc
import os
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """The command that serves."""
    app.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Worker processes.")] = None,
) -> None:
    """Serve the dashboard. An empty database is migrated and seeded first."""
    gc.disable()  # until the application is loaded: imports leave no garbage, and looking for it takes seconds
    from app.catalog.ready import close_engine, ready_catalog, ready_engine
    from app.server.run import run_server
    from app.settings import get_settings
    from app.teams.serving import UnsafeToServeError, check_safe_to_serve

    for name, value in (("HOST", host), ("PORT", port), ("WORKERS", workers)):
        if value is not None:
            os.environ[f"PODWRIGHT_{name}"] = str(value)  # of each worker too: who must sign in depends on it
    get_settings.cache_clear()
    settings = get_settings()
    ready_catalog(settings)
    try:
        check_safe_to_serve(settings, ready_engine(settings))
    except UnsafeToServeError as error:
        typer.echo(f"podwright: {error}", err=True)
        raise typer.Exit(2) from None
    if settings.workers > 1:
        close_engine(settings)  # each worker opens its own
    run_server("app.starting:starting_app", settings)
