"""`podwright economics cost`: what a design costs to buy, to own and to run, as a tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, saved_work_here


def cost(
    ref: Ref,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of text.")] = False,
    xlsx: Annotated[
        Path | None,
        typer.Option("--xlsx", metavar="FILE", help="Write a workbook there instead of printing."),
    ] = None,
) -> None:
    """What a design costs to own, part by part, down to a used accelerator-hour, and what decides it."""
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.cost_tree.formats import FORMATS
    from app.views.economics.cost_text import cost_text
    from app.views.economics.cost_tree import cost_tree

    if as_json + as_csv + (xlsx is not None) > 1:
        raise typer.BadParameter("say one of --json, --csv and --xlsx", param_hint="--json")
    saved = saved_work_here()
    tree = cost_tree(referred(ref, saved).evaluated, saved.catalog())
    if xlsx is not None:
        xlsx.write_bytes(FORMATS["xlsx"].write(tree))
    elif as_json or as_csv:
        typer.echo(FORMATS["json" if as_json else "csv"].write(tree).decode())
    else:
        typer.echo(cost_text(tree))
