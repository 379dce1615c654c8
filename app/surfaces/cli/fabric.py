"""`podwright fabric`: the fabric of a design, down to its cables."""

from __future__ import annotations

import typer

from app.surfaces.cli.fabric_bill import bill
from app.surfaces.cli.fabric_by_size import growth, sizes
from app.surfaces.cli.fabric_cables import cables, diff
from app.surfaces.cli.fabric_floor import floor
from app.surfaces.cli.fabric_networks import networks
from app.surfaces.cli.fabric_resilience import faults, sharing, utilisation
from app.surfaces.cli.fabric_topologies import topologies

fabric_app = typer.Typer(
    help="The fabric of a design: its bill, its cables, its faults.", no_args_is_help=True
)


def add_to(app: typer.Typer) -> None:
    """The commands of the fabric."""
    fabric_app.command()(topologies)
    fabric_app.command()(networks)
    fabric_app.command()(bill)
    fabric_app.command()(cables)
    fabric_app.command()(diff)
    fabric_app.command()(floor)
    for command in (faults, sharing, utilisation):
        fabric_app.command()(command)
    fabric_app.command()(growth)
    fabric_app.command()(sizes)
    app.add_typer(fabric_app, name="fabric")
