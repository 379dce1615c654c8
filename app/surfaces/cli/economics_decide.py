"""`podwright economics decide`: own, rent or both."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def decide(
    ref: Ref,
    data_must_stay: Annotated[
        bool | None,
        typer.Option("--data-must-stay/--data-may-leave", help="Whether data may leave the house."),
    ] = None,
    months_of_work: Annotated[
        float | None,
        typer.Option("--months-of-work", metavar="MONTHS", help="Months that there is work for."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Decide to own, rent or mix by five questions, each with a computed answer."""
    import dataclasses

    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.economics.decision import DecisionOptions, decision_answer
    from app.views.economics.decision.text import decision_text
    from app.views.plain import without_unknown

    stated: dict[str, Any] = {"data_must_stay": data_must_stay, "months_of_work": months_of_work}
    options = build_document(
        DecisionOptions, {name: value for name, value in stated.items() if value is not None}
    )
    evaluated = referred(ref, saved_work_here()).evaluated
    answer = decision_answer(evaluated, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)
    if as_json:
        print_json(without_unknown(dataclasses.asdict(answer)))
    else:
        typer.echo(decision_text(answer))
