"""`podwright fabric`: the fabric of a design, down to its cables."""

from __future__ import annotations

import typer

from app.surfaces.cli.fabric_bill import bill
from app.surfaces.cli.fabric_cables import cables, diff
from app.surfaces.cli.views import room_of_views

fabric_app = typer.Typer(
    cls=room_of_views("fabric"),
    help="The fabric of a design: its bill, its cables, its faults.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """The commands of the fabric."""
    for command in (bill, cables, diff):
        fabric_app.command()(command)
    app.add_typer(fabric_app, name="fabric")
