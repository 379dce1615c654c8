"""`podwright fleet`: a stream of jobs on pods."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here


def add_to(app: typer.Typer) -> None:
    app.command()(fleet)


def fleet(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A fleet: YAML or JSON.")],
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="CSV", help="Recorded jobs in place of classes.")
    ] = None,
    skip_bad_rows: Annotated[
        bool,
        typer.Option("--skip-bad-rows", help="Leave out rows of the trace with errors and run the rest."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a stream of jobs on one or several pods, under one policy or several."""
    from app.scenarios.fleet.build import built, read_fleet
    from app.scenarios.fleet.document import MOST_TRACE
    from app.views.fleet.answer import fleet_answer
    from app.views.fleet.answer import fleet_text as answer_text
    from app.views.fleet.asked import asked_fleet
    from app.views.fleet.tasks import computed_task, tasks_of
    from app.views.plain import report_json

    if trace is None:
        document = read_fleet(file)
    else:
        from app.scenarios.load import decoded, file_content

        csv = decoded(file_content(trace, MOST_TRACE))
        document = read_fleet(file, trace={"csv": csv, "skip_bad_rows": skip_bad_rows})
    document = asked_fleet(document, _evaluated)
    built(document)
    results = []
    with _bar(len(tasks_of(document))) as progress:
        for done, task in enumerate(tasks_of(document), start=1):
            results.append((task, computed_task(document, task)))
            progress(done)
    answer = fleet_answer(document, results)
    if as_json:
        print_json(report_json(answer))
    else:
        typer.echo(answer_text(answer))


def _evaluated(ref: str) -> Any:
    from app.surfaces.cli.reference import referred

    return referred(ref, saved_work_here()).evaluated


def _bar(total: int) -> Any:
    from contextlib import contextmanager

    from rich.console import Console
    from rich.progress import Progress

    @contextmanager
    def bar() -> Any:
        console = Console(stderr=True)
        with Progress(console=console, disable=not console.is_terminal, transient=True) as progress:
            task = progress.add_task("replications", total=total)
            yield lambda done: progress.update(task, completed=done)

    return bar()
