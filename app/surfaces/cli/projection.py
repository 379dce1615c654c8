"""`podwright project`: what a scaling law says of a model, and what a design trains by it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here


def add_to(app: typer.Typer) -> None:
    app.command()(project)


def project(
    ref: Annotated[
        str | None,
        typer.Argument(
            metavar="REF",
            help="The design: a file, the id or the name of a saved scenario, or the key of an example.",
        ),
    ] = None,
    law: Annotated[
        str | None, typer.Option("--law", help="Key of a scaling law; epoch_refit without it.")
    ] = None,
    parameters: Annotated[float | None, typer.Option("--parameters", help="Active parameters.")] = None,
    tokens: Annotated[float | None, typer.Option("--tokens", help="Training tokens.")] = None,
    flops: Annotated[float | None, typer.Option("--flops", help="Training compute.")] = None,
    loss: Annotated[float | None, typer.Option("--loss", help="Target loss, nats per token.")] = None,
    budget_usd: Annotated[float | None, typer.Option("--budget-usd", help="Budget of the run.")] = None,
    deadline_days: Annotated[float | None, typer.Option("--deadline-days", help="Maximum days.")] = None,
    experts: Annotated[float | None, typer.Option("--experts", help="Routed experts.")] = None,
    unique_tokens: Annotated[
        float | None, typer.Option("--unique-tokens", help="Tokens of the corpus.")
    ] = None,
    inference_tokens: Annotated[
        float | None, typer.Option("--inference-tokens", help="Tokens to be served.")
    ] = None,
    bits: Annotated[float | None, typer.Option("--bits", help="Bits of a number in training.")] = None,
    as_json: AsJson = False,
) -> None:
    """Project a model by a scaling law: from one or two figures the rest, and the days and cost on a design."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.surfaces.files.projection_text import projection_text
    from app.views.projecting.options import ProjectionOptions
    from app.views.projecting.project import project as projection

    given: dict[str, Any] = {
        "law": law, "parameters": parameters, "tokens": tokens, "flops": flops, "loss": loss,
        "budget_usd": budget_usd, "deadline_days": deadline_days, "experts": experts,
        "unique_tokens": unique_tokens, "inference_tokens": inference_tokens, "bits": bits,
    }  # fmt: skip
    stated = {name: value for name, value in given.items() if value is not None}
    options = build_document(ProjectionOptions, stated)
    scenario = None if ref is None else referred(ref, saved_work_here()).evaluated
    answer = projection(options, scenario)
    if as_json:
        print_json(answer)
    else:
        typer.echo(projection_text(answer))
