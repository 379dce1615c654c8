"""`podwright fabric topologies`: every topology for the pod of a design."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here


def topologies(
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF",
            help="The design: a file, the id or the name of a saved scenario, or the key of an example.",
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Compare every topology for the SuperNodes, NICs and switch of a design: switches, links, reach."""
    import dataclasses

    from app.surfaces.cli.reference import referred
    from app.views.fabric.alternatives import alternatives
    from app.views.fabric.topologies_text import topologies_text

    saved = saved_work_here()
    found = alternatives(referred(ref, saved).evaluated, saved.catalog())
    if as_json:
        print_json({"topologies": [dataclasses.asdict(row) for row in found]})
    else:
        typer.echo(topologies_text(found))
