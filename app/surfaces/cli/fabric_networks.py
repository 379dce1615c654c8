"""`podwright fabric networks`: the four networks of a design."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here


def networks(
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF",
            help="The design: a file, the id or the name of a saved scenario, or the key of an example.",
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show the compute, storage, in-band and out-of-band network of a design, and its kind of fabric."""
    import dataclasses

    from app.surfaces.cli.reference import referred
    from app.views.fabric.networks import pod_networks
    from app.views.fabric.networks_text import networks_text

    saved = saved_work_here()
    answer = pod_networks(referred(ref, saved).evaluated, saved.catalog())
    if as_json:
        print_json(dataclasses.asdict(answer))
    else:
        typer.echo(networks_text(answer))
