"""`podwright economics uncertainty`: how sure the figures of a design are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def uncertainty(
    ref: Ref,
    samples: Annotated[
        int | None,
        typer.Option("--samples", metavar="N", help="Samples to draw; the scenario's when left out."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The same seed draws the same samples.")
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", metavar="NAME", help="A figure, such as cost.usd_per_run; may be repeated."),
    ] = None,
    sobol: Annotated[bool, typer.Option("--sobol/--no-sobol", help="Compute Sobol indices.")] = True,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the samples as CSV; - prints them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """How sure the figures of a design are, which inputs make them unsure, and what knowing one is worth."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.plain import report_json
    from app.views.uncertainty.answer import answered, uncertainty_steps
    from app.views.uncertainty.options import UncertaintyOptions
    from app.views.uncertainty.samples_csv import samples_csv
    from app.views.uncertainty.text import uncertainty_text

    stated: dict[str, Any] = {"samples": samples, "seed": seed, "sobol": sobol, "figures": figure}
    known = {name: value for name, value in stated.items() if value is not None}
    options = build_document(UncertaintyOptions, known)
    work = saved_work_here()
    evaluated = referred(ref, work).evaluated
    found = answered(
        uncertainty_steps(evaluated, work.catalog(), options), _tell if sys.stderr.isatty() else None
    )
    if csv is not None and str(csv) == "-":
        for part in samples_csv(found.samples):
            sys.stdout.buffer.write(part)
        return
    if csv is not None:
        with csv.open("wb") as file:
            file.writelines(samples_csv(found.samples))
        typer.echo(f"{csv}: {found.report.samples:,} samples", err=True)
    if as_json:
        print_json(report_json(found.report))
    elif csv is None:
        typer.echo(uncertainty_text(found.report))


def _tell(done: int, total: int) -> None:
    """One line on standard error, written over as the work goes on; only where somebody looks."""
    end = "\n" if done >= total else ""
    typer.echo(f"\r{done:>10,} of {total:,} designs{end}", err=True, nl=False)
