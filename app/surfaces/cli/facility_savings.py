"""`podwright facility savings`: an energy what-if from an air-cooled baseline."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def savings(
    ref: Ref,
    step: Annotated[
        list[str] | None,
        typer.Option(
            "--step", metavar="NAME", help="A step, such as liquid_cooling, in its order; all when left out."
        ),
    ] = None,
    value: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="What a step does, such as flexible_share=0.3 or battery_h=8."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What liquid cooling, warmer coolant, other power trains, caps, schedules and renewables save of the energy."""
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.facility.savings.answer import savings_answer
    from app.views.facility.savings.document import SavingsOptions
    from app.views.facility.savings.text import savings_text
    from app.views.plain import report_json

    stated = {"steps": step} if step else {}
    options = build_document(SavingsOptions, stated | _values(value or []))
    work = saved_work_here()
    report = savings_answer(referred(ref, work).evaluated, work.catalog(), options)
    if as_json:
        print_json(report_json(report))
    else:
        typer.echo(savings_text(report))


def _values(pairs: list[str]) -> dict[str, Any]:
    """Values by name; what is no number stays text, to be refused by its name."""
    from app.scenarios.errors import refuse

    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise refuse(
                f"{pair!r} has no value.", rule="pair", path="--set", value=pair, hint="Write NAME=VALUE."
            )
        try:
            found[name.strip()] = float(text)
        except ValueError:
            found[name.strip()] = text.strip()
    return found
