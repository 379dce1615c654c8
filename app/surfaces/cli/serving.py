"""`podwright serving`: a served model in detail."""

from __future__ import annotations

import typer

from app.surfaces.cli.serving_cost import cost
from app.surfaces.cli.serving_edge import edge
from app.surfaces.cli.serving_simulation import simulate
from app.surfaces.cli.serving_views import latency, memory, roofline, sizing

serving_app = typer.Typer(
    help="A served model in detail: latency, simulated requests, roofline, memory, sizing, cost of tokens, edge or cloud.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """The commands of serving."""
    serving_app.command()(latency)
    serving_app.command()(simulate)
    serving_app.command()(roofline)
    serving_app.command()(memory)
    serving_app.command()(sizing)
    serving_app.command()(cost)
    serving_app.command()(edge)
    app.add_typer(serving_app, name="serving")
