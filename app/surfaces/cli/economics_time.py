"""`podwright economics time`: the job on several systems, time to finish against cost."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def time(
    ref: Ref,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="KEY", help="A system of the catalog; give it once for each."),
    ] = None,
    paid: Annotated[str, typer.Option("--paid", help="owned, on_demand or reserved.")] = "owned",
    shared: Annotated[
        str, typer.Option("--shared", help="Pick one pod of each by accelerators, budget or deadline.")
    ] = "accelerators",
    deadline_days: Annotated[
        float | None, typer.Option("--deadline-days", metavar="DAYS", help="Days that the run may take.")
    ] = None,
    budget_usd: Annotated[
        float | None, typer.Option("--budget-usd", metavar="USD", help="What the run may cost.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare systems for the job of a scenario: time to finish against cost of the run."""
    import dataclasses

    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.economics.cost_against_time import cost_against_time_answer
    from app.views.economics.cost_against_time_options import CostAgainstTimeOptions
    from app.views.economics.cost_against_time_text import cost_against_time_text
    from app.views.plain import without_unknown

    stated: dict[str, Any] = {
        "systems": systems or [], "paid": paid, "shared": shared,
        "deadline_days": deadline_days, "budget_usd": budget_usd,
    }  # fmt: skip
    options = build_document(
        CostAgainstTimeOptions, {name: value for name, value in stated.items() if value is not None}
    )
    evaluated = referred(ref, saved_work_here()).evaluated
    answer = cost_against_time_answer(evaluated, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)
    if as_json:
        print_json(without_unknown(dataclasses.asdict(answer)))
    else:
        typer.echo(cost_against_time_text(answer))
