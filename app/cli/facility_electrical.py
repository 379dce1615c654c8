"""`podwright facility electrical`: the electrical chain of a design, sized and with blocks lost."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import AsJson, Ref, print_json, saved_work_here


def electrical(
    ref: Ref,
    sized_on: Annotated[
        str, typer.Option("--sized-on", metavar="LOAD", help="rating of all nodes, or peak of the job.")
    ] = "rating",
    standard: Annotated[
        str, typer.Option("--standard", metavar="NAME", help="Breakers by nec or iec.")
    ] = "nec",
    as_json: AsJson = False,
) -> None:
    """Size the electrical chain of a design, and see what happens when any one block is lost."""
    from app.cli.reference import referred
    from app.exports.electrical_text import electrical_text
    from app.scenarios.facility.electrical import ElectricalOptions, electrical_answer
    from app.scenarios.facility.electrical_report import electrical_report, report_json
    from app.scenarios.load import build_document

    options = build_document(ElectricalOptions, {"sized_on": sized_on, "standard": standard})
    answer = electrical_answer(referred(ref, saved_work_here()).evaluated, options)
    if as_json:
        print_json(report_json(electrical_report(answer)))
    else:
        typer.echo(electrical_text(answer))
