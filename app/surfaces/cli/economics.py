"""`podwright economics`: money, carbon and uncertainty of a design."""

from __future__ import annotations

import typer

from app.surfaces.cli.economics_uncertainty import uncertainty
from app.surfaces.cli.views import room_of_views

economics_app = typer.Typer(
    cls=room_of_views("economics"),
    help="Money and carbon of a design: bought, financed, rented, compared; and how sure.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """The commands of money and carbon."""
    economics_app.command()(uncertainty)
    app.add_typer(economics_app, name="economics")
