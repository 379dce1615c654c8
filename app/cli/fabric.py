"""`podwright fabric`: the fabric of a design, down to its cables."""

from __future__ import annotations

import typer

fabric_app = typer.Typer(
    help="The fabric of a design: its bill, its cables, its faults.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """The commands of the fabric."""
    app.add_typer(fabric_app, name="fabric")
