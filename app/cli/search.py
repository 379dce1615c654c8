"""`podwright search`: every layout of a scenario."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.cli.common import AsJson, Ref, print_json, saved_work_here


def add_to(app: typer.Typer) -> None:
    app.command()(search)


def search(
    ref: Ref,
    as_json: AsJson = False,
    top: Annotated[int, typer.Option("--top", metavar="K", help="How many of the best to list.")] = 10,
    objective: Annotated[
        str, typer.Option("--objective", help="step_time, memory, cost, energy or accelerators.")
    ] = "step_time",
    space: Annotated[str, typer.Option("--space", help="whole, or usual as parallelism auto.")] = "whole",
    hold: Annotated[
        list[str] | None,
        typer.Option("--hold", metavar="AXIS=VALUE[,VALUE]", help="Values that an axis may take: tp=4,8."),
    ] = None,
    deadline_days: Annotated[
        float | None, typer.Option("--deadline-days", metavar="DAYS", help="For the objective accelerators.")
    ] = None,
) -> None:
    """Search every parallel layout of a scenario: the best, the Pareto front, why the rest fail."""
    from app.cli.reference import referred
    from app.exports.search_text import search_text
    from app.scenarios.load import build_document
    from app.scenarios.searching.options import SearchOptions
    from app.scenarios.searching.search import search_scenario

    stated: dict[str, Any] = {"top": top, "objective": objective, "space": space, "hold": _held(hold or [])}
    if deadline_days is not None:
        stated["deadline_days"] = deadline_days
    options = build_document(SearchOptions, stated)
    answer = search_scenario(referred(ref, saved_work_here()).evaluated, options)
    if as_json:
        print_json(answer)
    else:
        typer.echo(search_text(answer))


def _held(texts: list[str]) -> dict[str, list[Any]]:
    """`tp=4,8` as a mapping of lists; what a value may be is checked with the other options."""
    held: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise typer.BadParameter(f"{text!r} is not AXIS=VALUE, such as tp=4,8", param_hint="--hold")
        held.setdefault(name.strip(), []).extend(_value(value.strip()) for value in values.split(","))
    return held


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text
