"""`podwright economics run`: one run by every method that costs are counted by."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def run(
    ref: Ref,
    tokens_per_s: Annotated[
        float | None,
        typer.Option(
            "--tokens-per-s", metavar="N", help="A rate of serving, for the price of a million tokens."
        ),
    ] = None,
    accelerators: Annotated[
        int | None, typer.Option("--accelerators", metavar="N", help="Accelerators that serve at that rate.")
    ] = None,
    age: Annotated[
        float | None,
        typer.Option(
            "--hardware-age", metavar="YEARS", help="Age of the hardware, for the amortised method."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a run costs rented, owned at a level cost, amortised and bought, with and without research."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.economics.run_methods.answer import run_methods_answer
    from app.views.economics.run_methods.options import RunMethodsOptions
    from app.views.economics.run_methods.text import run_methods_text
    from app.views.plain import report_json

    stated = {"tokens_per_s": tokens_per_s, "accelerators": accelerators, "hardware_age_years": age}
    options = build_document(
        RunMethodsOptions, {name: value for name, value in stated.items() if value is not None}
    )
    saved = saved_work_here()
    report = run_methods_answer(referred(ref, saved).evaluated, saved.catalog(), options)
    if as_json:
        print_json(report_json(report))
    else:
        typer.echo(run_methods_text(report))
