"""`podwright fabric cables` and `podwright fabric diff`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here

if TYPE_CHECKING:
    from app.views.fabric.cable_diff import CableDiff

DIFFERENT = 3
SHOWN = 20

Design = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="The design: a file, the id or the name of a saved scenario, or the key of an example.",
    ),
]
Network = Annotated[
    str, typer.Option("--network", help="One network: compute, storage, in_band or out_of_band; else all.")
]


def cables(
    ref: Design,
    format: Annotated[
        str, typer.Option("--format", "-f", help="csv, xlsx, topo or dot; else what the file is named for.")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write; else it is printed."),
    ] = None,
    network: Network = "",
) -> None:
    """Write the cable schedule of a design: a row a link, both ends with rack, height and port."""
    import sys

    from app.scenarios.errors import refuse
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.cables.formats import cable_format, cable_format_of_file, written_cables
    from app.surfaces.files.write import is_screen
    from app.views.fabric.cables import cables_of

    chosen = cable_format(format) if format else cable_format_of_file(output.name if output else "")
    if output is None and chosen.name == "xlsx" and is_screen():
        message = "A workbook cannot be shown here."
        raise refuse(message, rule="output", hint="Name a file with --output, or send it on with >.")
    saved = saved_work_here()
    scenario = referred(ref, saved).evaluated
    parts = written_cables(cables_of(scenario, saved.catalog(), network), chosen)
    if output is None:
        for part in parts:
            sys.stdout.buffer.write(part)
        return
    with output.open("wb") as file:
        for part in parts:
            file.write(part)
    typer.echo(f"{output}: {output.stat().st_size:,} bytes", err=True)


def diff(
    ref: Design,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A point-to-point file: CSV or .xlsx.")],
    network: Network = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write every difference as CSV.")
    ] = None,
    require_same: Annotated[
        bool, typer.Option("--require-same", help="Exit 3 where anything differs.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare a point-to-point file with the cables of a design."""
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.cables.diff_csv import cable_diff_csv
    from app.surfaces.files.cables.diff_text import cable_diff_text
    from app.views.fabric.cable_diff import diff_cables
    from app.views.fabric.cable_tables import cable_file_content
    from app.views.fabric.cables import cables_of

    content = cable_file_content(file)
    saved = saved_work_here()
    scenario = referred(ref, saved).evaluated
    found: CableDiff = diff_cables(cables_of(scenario, saved.catalog(), network), content)
    if out is not None:
        with out.open("wb") as target:
            for part in cable_diff_csv(found):
                target.write(part)
    if as_json:
        print_json(found.as_json())
    else:
        typer.echo(cable_diff_text(found, SHOWN))
    if require_same and not found.is_same:
        raise typer.Exit(DIFFERENT)
