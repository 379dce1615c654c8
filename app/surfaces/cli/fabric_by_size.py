"""`podwright fabric growth` and `podwright fabric sizes`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here

Ref = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="The design: a file, the id or the name of a saved scenario, or the key of an example.",
    ),
]


def growth(
    ref: Ref,
    stages: Annotated[
        str, typer.Option(metavar="N,N", help="SuperNodes at the end of each stage, the final size last.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show what the compute fabric of a growing pod buys at each stage, and which cables are laid anew."""
    import dataclasses

    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.fabric.growth import GrowthOptions, fabric_growth
    from app.views.fabric.sizes_text import growth_text

    options = build_document(GrowthOptions, {"stages": _numbers(stages)} if stages else {})
    answer = fabric_growth(referred(ref, saved_work_here()).evaluated, options)
    if as_json:
        print_json(dataclasses.asdict(answer))
    else:
        typer.echo(growth_text(answer))


def sizes(
    ref: Ref,
    topologies: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="Topologies to compare, at most six.")
    ] = "",
    supernodes: Annotated[str, typer.Option(metavar="N,N", help="Sizes in SuperNodes, rising.")] = "",
    as_json: AsJson = False,
) -> None:
    """Compare price and power of the compute fabric over sizes, for several topologies."""
    import dataclasses

    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.fabric.sizes import SizesOptions, fabric_sizes
    from app.views.fabric.sizes_text import sizes_text

    asked: dict[str, Any] = {}
    if topologies:
        asked["topologies"] = [name.strip() for name in topologies.split(",")]
    if supernodes:
        asked["supernodes"] = _numbers(supernodes)
    answer = fabric_sizes(referred(ref, saved_work_here()).evaluated, build_document(SizesOptions, asked))
    if as_json:
        print_json(dataclasses.asdict(answer))
    else:
        typer.echo(sizes_text(answer))


def _numbers(text: str) -> list[Any]:
    """Numbers between commas; what is none stays text, for the document to refuse by name."""
    parts = [part.strip() for part in text.split(",")]
    return [int(part) if part.isascii() and part.isdigit() else part for part in parts]
