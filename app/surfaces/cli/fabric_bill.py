"""`podwright fabric bill`: what is bought for the networks of a pod."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from app.surfaces.cli.common import Ref, saved_work_here


def bill(
    ref: Ref,
    kind: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, csv, xlsx or json.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file.")
    ] = None,
    lengths: Annotated[
        str, typer.Option("--lengths", help="floor: as laid; assumed: as the evaluation takes them.")
    ] = "floor",
    patched_from_m: Annotated[
        float | None,
        typer.Option(
            "--patched-from-m", metavar="M", help="Patch panels for fibres of at least this length."
        ),
    ] = None,
) -> None:
    """Every switch, card, module, cable and fibre of a pod's networks, with spares, prices, power and work."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.fabric.bill_answer import bill_answer
    from app.views.fabric.bill_files import bill_format, bill_text
    from app.views.fabric.materials import BillOptions, fabric_bill

    stated: dict[str, Any] = {"lengths": lengths}
    if patched_from_m is not None:
        stated["patched_from_m"] = patched_from_m
    options = build_document(BillOptions, stated)
    chosen = None if kind == "text" else bill_format(kind)
    if chosen is not None and chosen.name == "xlsx" and output is None:
        raise typer.BadParameter("a workbook is no text: name a file with --output", param_hint="--format")
    saved = saved_work_here()
    found = fabric_bill(referred(ref, saved).evaluated, saved.catalog(), options)
    content = chosen.content(found) if chosen else bill_text(bill_answer(found)).encode()
    if output is not None:
        output.write_bytes(content)
    else:
        typer.echo(content.decode())
