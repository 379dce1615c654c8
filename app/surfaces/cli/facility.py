"""`podwright facility`: power and cooling of a design, from the chips to the utility and the sky."""

from __future__ import annotations

import typer

from app.surfaces.cli.views import room_of_views

facility_app = typer.Typer(
    cls=room_of_views("facility"),
    help="Power and cooling of a design: its feeds, its plants, its sites.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """The commands of power and cooling."""
    app.add_typer(facility_app, name="facility")
