"""`podwright economics rent`: owning a pod against renting one, and against both."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def rent(
    ref: Ref,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="TERMS",
            help="on_demand, reserved, spot or capacity_block: what the mix rents.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Owning against renting by each kind of terms, and both: totals, break-even, regret, dated prices."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.economics.own_or_rent import own_or_rent_answer
    from app.views.economics.own_or_rent.document import OwnOrRentOptions
    from app.views.economics.own_or_rent.text import own_or_rent_text
    from app.views.plain import report_json

    options = build_document(OwnOrRentOptions, {} if against is None else {"against": against})
    work = saved_work_here()
    report = own_or_rent_answer(referred(ref, work).evaluated, work.catalog(), options)
    if as_json:
        print_json(report_json(report))
    else:
        typer.echo(own_or_rent_text(report))
