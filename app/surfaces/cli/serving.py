"""`podwright serving`: a served model in detail."""

from __future__ import annotations

import typer

from app.surfaces.cli.views import room_of_views

serving_app = typer.Typer(
    cls=room_of_views("serving"),
    help="A served model in detail: latency, simulated requests, roofline, memory, sizing, cost of tokens, edge or cloud.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """The commands of serving."""
    app.add_typer(serving_app, name="serving")
