"""`podwright fabric floor`: racks, rows and cable lengths of a design."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def floor(
    ref: Ref,
    rack: Annotated[
        str, typer.Option("--rack", metavar="NAME", help="List what stands in a rack, such as R01-05.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Plan the floor of a design: racks filled by their limits, rows, and cable lengths."""
    from app.surfaces.cli.reference import referred
    from app.views.fabric.floor_answer import FloorOptions, floor_answer, floor_report
    from app.views.fabric.floor_text import floor_text
    from app.views.plain import report_json

    answer = floor_answer(referred(ref, saved_work_here()).evaluated, FloorOptions(rack=rack))
    if as_json:
        print_json(report_json(floor_report(answer)))
    else:
        typer.echo(floor_text(answer))
