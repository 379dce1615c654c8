"""`podwright economics carbon`: the carbon of a run in detail."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def carbon(
    ref: Ref,
    intensity: Annotated[
        Path | None,
        typer.Option(
            "--intensity-by-hour",
            metavar="FILE",
            help="Carbon of the grid by hour in kg/kWh: 24 numbers, or 12 months of 24, apart by blanks, commas or lines.",
        ),
    ] = None,
    network: Annotated[
        float | None, typer.Option("--network-embodied", metavar="KG", help="Making of the pod's network.")
    ] = None,
    storage: Annotated[
        float | None, typer.Option("--storage-embodied", metavar="KG", help="Making of the pod's storage.")
    ] = None,
    building: Annotated[
        float | None, typer.Option("--building-embodied", metavar="KG", help="Making of shell and plant.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Carbon of a run by every boundary, what the ratio of them is made of, by hour, in waiting, and at other sites."""
    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.economics.carbon.answer import carbon_answer
    from app.views.economics.carbon.options import CarbonOptions
    from app.views.economics.carbon.text import carbon_text
    from app.views.plain import report_json

    stated = {
        "network_embodied_kg": network,
        "storage_embodied_kg": storage,
        "building_embodied_kg": building,
        "intensity_by_hour": None if intensity is None else _numbers(intensity),
    }
    values = {name: value for name, value in stated.items() if value is not None}
    options = build_document(CarbonOptions, values)
    scenario = referred(ref, saved_work_here()).evaluated
    report = carbon_answer(scenario, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)
    if as_json:
        print_json(report_json(report))
    else:
        typer.echo(carbon_text(report))


def _numbers(path: Path) -> list[Any]:
    """Numbers of a file; what is none stays text, to be refused by its place."""
    from app.scenarios.errors import refuse

    try:
        words = path.read_text(encoding="utf-8").replace(",", " ").split()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise refuse(
            f"{path} cannot be read: {reason}.",
            rule="file",
            path="--intensity-by-hour",
            hint="Name a file with 24 or 288 numbers.",
        ) from None
    return [_number(word) for word in words]


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word[:40]
