"""`podwright facility it`: IT power of a design by component, under power caps, and its swing."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import AsJson, Ref, print_json, saved_work_here


def it(
    ref: Ref,
    ramp: Annotated[
        float | None,
        typer.Option(
            "--ramp", metavar="W_PER_S", help="Change of power in a second that the utility allows."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """IT power of a design by component, under power caps, and how it swings."""
    from app.catalog.ready import ready_catalog
    from app.cli.reference import referred
    from app.exports.it_text import it_text
    from app.scenarios.facility.it import ItOptions, it_answer
    from app.scenarios.facility.it_report import it_report, report_json
    from app.scenarios.load import build_document

    options = build_document(ItOptions, {} if ramp is None else {"ramp_limit_w_per_s": ramp})
    answer = it_answer(referred(ref, saved_work_here()).evaluated, ready_catalog(), options)
    report = it_report(answer)
    if as_json:
        print_json(report_json(report))
    else:
        typer.echo(it_text(report))
