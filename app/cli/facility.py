"""`podwright facility`: power and cooling of a design, from the chips to the utility and the sky."""

from __future__ import annotations

import typer

facility_app = typer.Typer(
    help="Power and cooling of a design: its feeds, its plants, its sites.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """The commands of power and cooling."""
    app.add_typer(facility_app, name="facility")
