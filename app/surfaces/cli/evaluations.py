"""`podwright evaluate`, `podwright explain` and `podwright export`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here

Revision = Annotated[
    int | None, typer.Option("--revision", metavar="N", min=1, help="A revision of a saved scenario.")
]


def add_to(app: typer.Typer) -> None:
    """The commands that compute."""
    for command in (evaluate, explain, export):
        app.command()(command)


def evaluate(
    ref: Ref,
    as_json: AsJson = False,
    require_feasible: Annotated[
        bool, typer.Option("--require-feasible", help="Exit 3 when the design is infeasible.")
    ] = False,
    accept: Annotated[
        bool,
        typer.Option("--accept-suggestions", help="Accept every suggested estimate of a missing input."),
    ] = False,
) -> None:
    """Evaluate a scenario: speed, fabric, power, cooling, cost, failures, carbon."""
    from app.scenarios.evaluation.service import accept_suggestions
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.text import evaluation_text

    scenario = referred(ref, saved_work_here()).evaluated
    if accept:
        scenario = accept_suggestions(scenario)
    if as_json:
        print_json(scenario.as_json)
    else:
        typer.echo(evaluation_text(scenario.as_json))
    if require_feasible and not scenario.evaluation.feasible:
        raise typer.Exit(3)


def explain(
    ref: Ref,
    quantity: Annotated[str, typer.Argument(help="A figure, such as performance.mfu.")],
    as_json: AsJson = False,
) -> None:
    """Explain one figure: formula, values put in, units and sources, down to the inputs."""
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.text import explanation_text

    tree = referred(ref, saved_work_here()).evaluated.explain(quantity)
    if as_json:
        print_json(tree)
    else:
        typer.echo(explanation_text(tree))


def export(
    ref: Ref,
    format: Annotated[
        str | None, typer.Option("--format", help="yaml, json, csv or xlsx; else what FILE ends in.")
    ] = None,
    what: Annotated[
        str | None, typer.Option("--what", help="scenario or evaluation; else what the format is of.")
    ] = None,
    revision: Revision = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write; else standard output."),
    ] = None,
    own_prices: Annotated[
        bool,
        typer.Option("--own-prices", help="Include own prices in the exported own rows."),
    ] = False,
) -> None:
    """Write a scenario, or the figures of its evaluation, as a file for other programs."""
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.formats import format_for_file, format_of
    from app.surfaces.files.write import write_file, write_output

    chosen = format_of(format, what) if format else format_for_file(str(output or ""), what)
    work = dataclasses.replace(referred(ref, saved_work_here(), revision), own_prices=own_prices)
    content = chosen.write(work)
    if work.own_rows is not None and work.own_rows.left_out:
        names = ", ".join(work.own_rows.left_out)
        typer.echo(f"podwright: own prices were left out ({names}); --own-prices includes them.", err=True)
    if output is None:
        write_output(content, chosen)
    else:
        write_file(output, content)
        typer.echo(f"{output}: {len(content):,} bytes", err=True)
