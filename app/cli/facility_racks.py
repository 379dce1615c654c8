"""`podwright facility racks`: racks against what their hall can power, cool and carry."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import AsJson, Ref, print_json, saved_work_here

DOES_NOT_FIT = 3


def racks(
    ref: Ref,
    rack: Annotated[
        str, typer.Option("--rack", metavar="NAME", help="The kind of rack to look at, such as R01-05.")
    ] = "",
    standard: Annotated[
        str, typer.Option("--standard", metavar="nec|iec", help="Rules for continuous current of feeds.")
    ] = "nec",
    require_fit: Annotated[
        bool, typer.Option("--require-fit", help="Exit 3 when a rack is past a limit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every kind of rack: density, air, coolant, feeds, weight, floor; the first limit is named."""
    from app.cli.reference import referred
    from app.exports.racks_text import racks_text
    from app.scenarios.facility.racks import RacksOptions, racks_answer
    from app.scenarios.facility.racks_report import racks_report, report_json
    from app.scenarios.load import build_document

    options = build_document(RacksOptions, {"rack": rack, "standard": standard})
    answer = racks_answer(referred(ref, saved_work_here()).evaluated, options)
    if as_json:
        print_json(report_json(racks_report(answer)))
    else:
        typer.echo(racks_text(answer))
    if require_fit and not answer.fits:
        raise typer.Exit(DOES_NOT_FIT)
