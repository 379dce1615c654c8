"""`podwright claims`: published claims, checked."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json


def add_to(app: typer.Typer) -> None:
    app.command()(claims)


def claims(
    as_json: AsJson = False,
    verdict: Annotated[
        str, typer.Option(help="Only claims that are wrong, imprecise, right or unverifiable.")
    ] = "",
) -> None:
    """List the claims of the articles, each with our figure, a verdict and what is true."""
    from app.catalog.ready import ready_catalog
    from app.validation.claims.judge import claims_of, claims_text, claims_values, read_asked

    asked = read_asked({"verdict": verdict})
    if asked.faults:
        raise typer.BadParameter(str(asked.faults[0]), param_hint="--verdict")
    everything = claims_of(ready_catalog()).all()
    found = [one for one in everything if asked.holds(one)]
    if as_json:
        print_json(claims_values(found, everything))
    else:
        typer.echo(claims_text(found, everything))
