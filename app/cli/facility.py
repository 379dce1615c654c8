"""`podwright facility`: power and cooling of a design, from the chips to the utility and the sky."""

from __future__ import annotations

import typer

from app.cli.facility_cooling import cooling
from app.cli.facility_electrical import electrical
from app.cli.facility_hours import hours
from app.cli.facility_it import it
from app.cli.facility_racks import racks
from app.cli.facility_savings import savings
from app.cli.facility_sites import sites

facility_app = typer.Typer(
    help="Power and cooling of a design: its feeds, its plants, its sites.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """The commands of power and cooling."""
    facility_app.command()(it)
    facility_app.command()(electrical)
    facility_app.command()(cooling)
    facility_app.command()(hours)
    facility_app.command()(racks)
    facility_app.command()(sites)
    facility_app.command()(savings)
    app.add_typer(facility_app, name="facility")
