"""`podwright validate`: published measurements against the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json


def add_to(app: typer.Typer) -> None:
    app.command()(validate)


def validate(
    kind: Annotated[
        str,
        typer.Argument(
            help="Kind of measurement: training, serving, collectives, fabric, power, cost, reliability or scaling."
        ),
    ],
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A CSV file, one measurement a row; without it, that which Podwright comes with.",
        ),
    ] = None,
    as_json: AsJson = False,
    refit: Annotated[
        bool,
        typer.Option(
            "--refit",
            help="Training: fit the constants again to this file, without each source, each accelerator and both.",
        ),
    ] = False,
    rows: Annotated[
        Path | None, typer.Option(metavar="OUT.csv", help="Write measured and predicted of every row here.")
    ] = None,
) -> None:
    """Compare published measurements with predictions."""
    from app.catalog.ready import ready_catalog
    from app.paths import seed_data
    from app.validation.kinds import KINDS, PUBLISHED, REFITTED

    if kind not in KINDS:
        raise typer.BadParameter(f"{kind!r} is not one of {', '.join(KINDS)}", param_hint="KIND")
    if refit and kind not in REFITTED:
        raise typer.BadParameter(
            f"{kind} refits nothing when asked; only {', '.join(REFITTED)} does", param_hint="--refit"
        )
    validated = (REFITTED if refit else KINDS)[kind]
    report = validated(
        file or seed_data() / PUBLISHED[kind],
        ready_catalog(),
        lambda said: typer.echo(f"{said} ...", err=True),
    )
    if rows is not None:
        rows.write_text(report.as_csv(), encoding="utf-8")
    if as_json:
        print_json(report.as_json())
    else:
        typer.echo(report.as_text())
