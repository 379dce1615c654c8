"""`podwright facility cooling`: loops, units and checks of a design's cooling, and all plants side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import AsJson, Ref, print_json, saved_work_here


def cooling(
    ref: Ref,
    tank: Annotated[
        float, typer.Option("--tank", metavar="M3", help="Tank of cold water for the time without chillers.")
    ] = 0.0,
    as_json: AsJson = False,
) -> None:
    """Draw up the cooling of a design: loops, CDUs, classes, ride-through, and every plant beside its own."""
    from app.cli.reference import referred
    from app.exports.cooling_text import cooling_text
    from app.scenarios.facility.cooling import CoolingOptions, cooling_answer, report_json
    from app.scenarios.load import build_document

    options = build_document(CoolingOptions, {"tank_m3": tank})
    work = saved_work_here()
    answer = cooling_answer(referred(ref, work).evaluated, work.catalog(), options)
    if as_json:
        print_json(report_json(answer))
    else:
        typer.echo(cooling_text(answer))
