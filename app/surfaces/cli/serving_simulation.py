"""`podwright serving simulate`: requests through a replica, one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, saved_work_here
from app.surfaces.cli.serving_views import AsCsv, print_view


def simulate(
    ref: Ref,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="N", help="Time that requests come in; 60 without it."),
    ] = None,
    requests_per_s: Annotated[
        float | None,
        typer.Option(
            "--requests-per-s", metavar="N", help="Requests of the pod; the design's load without it."
        ),
    ] = None,
    arrival_variation: Annotated[
        float | None,
        typer.Option(
            "--arrival-variation",
            metavar="N",
            help="Spread of times between requests: 1 random, more in bursts.",
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            help="A measured trace in place of drawn requests: CSV, Azure or Mooncake.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the requests.")] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Simulate requests one by one: latencies beside the formulas, and the share within the service level."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.serving.loads_text import simulated_text
    from app.views.serving.simulated import SimulationOptions, simulated_view

    stated = {
        "minutes": minutes, "requests_per_s": requests_per_s, "arrival_variation": arrival_variation, "seed": seed, "trace": None if trace is None else _text(trace),
    }  # fmt: skip
    options = build_document(
        SimulationOptions, {name: value for name, value in stated.items() if value is not None}
    )
    view = simulated_view(referred(ref, saved_work_here()).evaluated, options)
    print_view(view, simulated_text, as_json, as_csv)


def _text(path: Path) -> str:
    """The text of a file.

    Raises
    ------
    BadParameter : it cannot be read
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path} cannot be read: {error}", param_hint="--trace") from error
