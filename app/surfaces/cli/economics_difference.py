"""`podwright economics difference`: what explains the difference between two designs."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def difference(
    first: Ref,
    second: Ref,
    figure: Annotated[
        str,
        typer.Option(
            "--figure",
            help="usd_per_run, usd_per_million_tokens, tco, usd_per_accelerator_hour, "
            "usd_per_useful_accelerator_hour, carbon or rent.",
        ),
    ] = "usd_per_run",
    first_offer: Annotated[
        str, typer.Option(help="With rent: on_demand, reserved, spot or capacity_block of the first.")
    ] = "on_demand",
    second_offer: Annotated[str, typer.Option(help="With rent: the same of the second.")] = "on_demand",
    as_json: AsJson = False,
) -> None:
    """What explains a difference, by category, by cause and by factor: each view adds up to all of it."""
    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.economics.difference.answer import difference_answer
    from app.views.economics.difference.options import DifferenceOptions
    from app.views.economics.difference.text import difference_text
    from app.views.plain import report_json

    options = build_document(
        DifferenceOptions, {"figure": figure, "first_offer": first_offer, "second_offer": second_offer}
    )
    work = saved_work_here()
    one, other = (referred(ref, work).evaluated for ref in (first, second))
    report = difference_answer(one, other, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)
    if as_json:
        print_json(report_json(report))
    else:
        typer.echo(difference_text(report))
