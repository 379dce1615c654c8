"""`podwright search`: every layout of a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here

if TYPE_CHECKING:
    from app.scenarios.evaluation.service import EvaluatedScenario


def add_to(app: typer.Typer) -> None:
    app.command()(search)


def search(
    ref: Ref,
    as_json: AsJson = False,
    top: Annotated[int, typer.Option("--top", metavar="K", help="Number of best results to list.")] = 10,
    objective: Annotated[
        str | None,
        typer.Option(
            "--objective",
            help="Training: step_time (without it), memory, cost, energy or accelerators. "
            "Serving: throughput (without it), cost, energy or speed.",
        ),
    ] = None,
    space: Annotated[
        str | None, typer.Option("--space", help="Training: whole, or usual as parallelism auto.")
    ] = None,
    hold: Annotated[
        list[str] | None,
        typer.Option("--hold", metavar="AXIS=VALUE[,VALUE]", help="Values that an axis may take: tp=4,8."),
    ] = None,
    deadline_days: Annotated[
        float | None,
        typer.Option("--deadline-days", metavar="DAYS", help="Training, for the objective accelerators."),
    ] = None,
    modes: Annotated[
        list[str] | None,
        typer.Option("--mode", help="Serving: aggregated or disaggregated; both without it."),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="WORD", help="Serving: a number format to try too, such as nvfp4."),
    ] = None,
    hardware: Annotated[
        list[str] | None,
        typer.Option("--hardware", metavar="KEY", help="Serving: a system of the catalog to try too."),
    ] = None,
    power_limit_w: Annotated[
        float | None,
        typer.Option("--power-limit-w", metavar="W", help="Serving: power at the utility meter."),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Serving: write what is found as CSV.")
    ] = None,
    xlsx: Annotated[
        Path | None, typer.Option("--xlsx", metavar="FILE", help="Serving: write it as a workbook.")
    ] = None,
) -> None:
    """Search every layout of a scenario: the best, the Pareto front, why the rest fail."""
    from app.surfaces.cli.reference import referred

    given = {
        "objective": objective,
        "space": space,
        "deadline_days": deadline_days,
        "modes": modes or None,
        "formats": formats or None,
        "hardware": hardware or None,
        "power_limit_w": power_limit_w,
    }
    stated: dict[str, Any] = {"top": top, "hold": _held(hold or [])}
    stated |= {name: value for name, value in given.items() if value is not None}
    evaluated = referred(ref, saved_work_here()).evaluated
    if evaluated.document.workload.kind == "serving":
        _serving(evaluated, stated, as_json, {"csv": csv, "xlsx": xlsx})
        return
    if csv is not None or xlsx is not None:
        raise typer.BadParameter(
            "files are of searches of served models; --json prints all", param_hint="--csv"
        )
    _training(evaluated, stated, as_json)


def _training(evaluated: EvaluatedScenario, stated: dict[str, Any], as_json: bool) -> None:
    from app.scenarios.load import build_document
    from app.surfaces.files.search_text import search_text
    from app.views.searching.layouts import search_scenario
    from app.views.searching.options import SearchOptions

    answer = search_scenario(evaluated, build_document(SearchOptions, stated))
    if as_json:
        print_json(answer)
    else:
        typer.echo(search_text(answer))


def _serving(
    evaluated: EvaluatedScenario, stated: dict[str, Any], as_json: bool, files: dict[str, Path | None]
) -> None:
    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.load import build_document
    from app.surfaces.files.serving_search.files import FORMATS
    from app.surfaces.files.serving_search.text import serving_search_text
    from app.surfaces.files.write import write_file
    from app.views.plain import report_json
    from app.views.searching.options import ServingSearchOptions
    from app.views.searching.serving import search_serving_scenario

    options = build_document(ServingSearchOptions, stated)
    answer = search_serving_scenario(evaluated, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)
    wanted = [(path, FORMATS[name]) for name, path in files.items() if path is not None]
    for path, format in wanted:
        write_file(path, format.content(answer))
        typer.echo(f"{path}: {path.stat().st_size:,} bytes", err=True)
    if as_json:
        print_json(report_json(answer))
    elif not wanted:
        typer.echo(serving_search_text(answer))


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
