"""`podwright facility hours`: the year of a design hour by hour."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def hours(
    ref: Ref,
    ramp_months: Annotated[
        int, typer.Option("--ramp-months", help="Months in which the load grows evenly to its full mean.")
    ] = 12,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write all 8,760 hours as CSV; - prints them."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """PUE, water and free cooling of a design in every hour of its year, and PUE at part load."""
    import sys

    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.hours_csv import hours_csv
    from app.views.facility.hours import HoursOptions, hours_answer
    from app.views.facility.hours_report import hours_report
    from app.views.facility.hours_text import hours_text
    from app.views.plain import report_json

    options = build_document(HoursOptions, {"ramp_months": ramp_months})
    answer = hours_answer(referred(ref, saved_work_here()).evaluated, options)
    if csv is not None and str(csv) == "-":
        for part in hours_csv(answer.hours):
            sys.stdout.buffer.write(part)
        return
    if csv is not None:
        with csv.open("wb") as file:
            file.writelines(hours_csv(answer.hours))
        typer.echo(f"{csv}: {csv.stat().st_size:,} bytes", err=True)
    if as_json:
        print_json(report_json(hours_report(answer)))
    elif csv is None:
        typer.echo(hours_text(answer))
