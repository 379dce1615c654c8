"""`podwright economics`: money, carbon and uncertainty of a design."""

from __future__ import annotations

import typer

from app.surfaces.cli.economics_carbon import carbon
from app.surfaces.cli.economics_cash import cash
from app.surfaces.cli.economics_cost import cost
from app.surfaces.cli.economics_decide import decide
from app.surfaces.cli.economics_difference import difference
from app.surfaces.cli.economics_rent import rent
from app.surfaces.cli.economics_run import run
from app.surfaces.cli.economics_time import time
from app.surfaces.cli.economics_uncertainty import uncertainty

economics_app = typer.Typer(
    help="Money and carbon of a design: bought, financed, rented, compared; and how sure.",
    no_args_is_help=True,
)


def add_to(app: typer.Typer) -> None:
    """The commands of money and carbon."""
    economics_app.command()(cost)
    economics_app.command()(cash)
    economics_app.command()(rent)
    economics_app.command()(decide)
    economics_app.command()(run)
    economics_app.command()(time)
    economics_app.command()(carbon)
    economics_app.command()(difference)
    economics_app.command()(uncertainty)
    app.add_typer(economics_app, name="economics")
