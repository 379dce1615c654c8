"""`podwright economics cash`: the cash flow of owning a pod."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def cash(
    ref: Ref,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the years as CSV; - prints them.")
    ] = None,
    xlsx: Annotated[
        Path | None, typer.Option("--xlsx", metavar="FILE", help="Write a workbook that computes.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Year by year what owning a design takes in and pays out, after debt and tax, and what that is worth."""
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.cash_flow.csv_file import cash_flow_csv
    from app.surfaces.files.cash_flow.text import cash_flow_text
    from app.surfaces.files.cash_flow.workbook import cash_flow_xlsx
    from app.surfaces.files.write import write_file
    from app.views.economics.cash_flow import cash_flow_answer
    from app.views.economics.cash_flow.answer import answer_json

    answer = cash_flow_answer(referred(ref, saved_work_here()).evaluated)
    if csv is not None and str(csv) == "-":
        typer.echo(cash_flow_csv(answer).decode(), nl=False)
        return
    for path, write in ((csv, cash_flow_csv), (xlsx, cash_flow_xlsx)):
        if path is not None:
            write_file(path, write(answer))
            typer.echo(f"{path}: {path.stat().st_size:,} bytes", err=True)
    if as_json:
        print_json(answer_json(answer))
    elif csv is None and xlsx is None:
        typer.echo(cash_flow_text(answer))
