"""`podwright fabric faults` and `podwright fabric sharing`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def faults(
    ref: Ref,
    link: Annotated[
        list[str] | None,
        typer.Option("--link", metavar="LINK", help="DEVICE:PORT, or DEVICE/DEVICE for all between two."),
    ] = None,
    switch: Annotated[
        list[str] | None, typer.Option("--switch", metavar="NAME", help="A switch, such as leaf-3.")
    ] = None,
    plane: Annotated[list[int] | None, typer.Option("--plane", metavar="N", help="A plane, from 1.")] = None,
    rail: Annotated[list[int] | None, typer.Option("--rail", metavar="N", help="A rail, from 1.")] = None,
    feed: Annotated[str, typer.Option("--feed", metavar="A|B", help="A power feed.")] = "",
    rack: Annotated[
        list[str] | None,
        typer.Option(
            "--rack", metavar="NAME", help="A rack whose feed fails, such as R01-05; all when left out."
        ),
    ] = None,
    one_supply: Annotated[
        list[str] | None,
        typer.Option("--one-supply", metavar="KIND", help="A kind of device with one supply, such as leaf."),
    ] = None,
    random_links: Annotated[
        int, typer.Option("--random-links", metavar="N", help="Links drawn by chance.")
    ] = 0,
    random_switches: Annotated[
        int, typer.Option("--random-switches", metavar="N", help="Switches drawn by chance.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the draw.")] = 0,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option("--between", metavar="ONE OTHER", help="Two hosts or units, to see what joins them."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let parts of a fabric fail: who is cut off, what bandwidth is left, and the step time with it."""
    import dataclasses

    from app.scenarios.errors import refuse
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.fabric.faults import fabric_faults
    from app.views.fabric.faults_document import FaultsDocument
    from app.views.fabric.resilience_text import faults_text

    if (rack or one_supply) and not feed:
        raise refuse(
            "--rack and --one-supply say which part of a feed fails.", rule="missing", hint="Add --feed A."
        )
    power = {"feed": feed, "racks": rack or None, "one_supply": one_supply or []} if feed else None
    asked = build_document(
        FaultsDocument,
        {
            "links": link or [],
            "switches": switch or [],
            "planes": plane or [],
            "rails": rail or [],
            "power": power,
            "random_links": random_links,
            "random_switches": random_switches,
            "seed": seed,
            "between": between,
        },
    )
    answer = fabric_faults(referred(ref, saved_work_here()).evaluated, asked)
    if as_json:
        print_json(dataclasses.asdict(answer))
    else:
        typer.echo(faults_text(answer))


def sharing(
    ref: Ref,
    jobs: Annotated[Path, typer.Argument(metavar="JOBS", help="The jobs: YAML or JSON.")],
    as_json: AsJson = False,
) -> None:
    """Let jobs share a fabric: how much each slows the others down, and the load of the links."""
    import dataclasses

    from app.surfaces.cli.reference import referred
    from app.views.fabric.resilience_text import sharing_text
    from app.views.fabric.sharing import fabric_sharing, read_jobs

    asked = read_jobs(jobs)
    answer = fabric_sharing(referred(ref, saved_work_here()).evaluated, asked)
    if as_json:
        print_json(dataclasses.asdict(answer))
    else:
        typer.echo(sharing_text(answer))


def utilisation(ref: Ref, as_json: AsJson = False) -> None:
    """Show how busy the links of every tier are under the workload of a design."""
    import dataclasses

    from app.surfaces.cli.reference import referred
    from app.views.fabric.resilience_text import utilisation_text
    from app.views.fabric.utilisation import fabric_utilisation

    answer = fabric_utilisation(referred(ref, saved_work_here()).evaluated)
    if as_json:
        print_json(dataclasses.asdict(answer))
    else:
        typer.echo(utilisation_text(answer))
