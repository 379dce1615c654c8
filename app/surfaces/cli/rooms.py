"""`podwright fabric|facility|economics|serving`: what can be asked of a design, room by room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from app.surfaces.cli.economics_uncertainty import uncertainty
from app.surfaces.cli.fabric_bill import bill
from app.surfaces.cli.fabric_cables import cables, diff
from app.surfaces.cli.views import room_of_views

HELP = {
    "fabric": "The fabric of a design: its bill, its cables, its faults.",
    "facility": "Power and cooling of a design: its feeds, its plants, its sites.",
    "economics": "Money and carbon of a design: bought, financed, rented, compared; and how sure.",
    "serving": "A served model in detail: latency, simulated requests, roofline, memory, sizing, cost of tokens, edge or "
    "cloud.",
}
BESIDE: dict[str, tuple[Callable[..., Any], ...]] = {
    "fabric": (bill, cables, diff),
    "economics": (uncertainty,),
}
"""Commands that are no views."""


def add_to(app: typer.Typer) -> None:
    """The commands of all rooms."""
    for room, words in HELP.items():
        group = typer.Typer(cls=room_of_views(room), help=words, no_args_is_help=True)
        for command in BESIDE.get(room, ()):
            group.command()(command)
        app.add_typer(group, name=room)
