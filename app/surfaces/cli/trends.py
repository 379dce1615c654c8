"""`podwright trends`: what grows how fast, beside the rates that others published."""

from __future__ import annotations

import typer

from app.surfaces.cli.common import AsJson, print_json


def add_to(app: typer.Typer) -> None:
    app.command()(trends)


def trends(as_json: AsJson = False) -> None:
    """Show what grows how fast: training runs, clusters and devices, each beside the rates of others."""
    from app.catalog.ready import ready_catalog
    from app.surfaces.files.trends_text import trends_text
    from app.views.growth.answer import trends_answer

    answer = trends_answer(ready_catalog())
    if as_json:
        print_json(answer)
    else:
        typer.echo(trends_text(answer))
