"""`podwright study`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here
from app.surfaces.cli.sweeps import INTERRUPTED, Scheduler, Workers

UNANSWERED = 3


def add_to(app: typer.Typer) -> None:
    app.command()(study)


def study(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A study: YAML or JSON.")],
    scheduler: Scheduler = "",
    workers: Workers = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to write every row as CSV.")
    ] = None,
    require_answer: Annotated[
        bool, typer.Option("--require-answer", help="End with 3 where no candidate keeps every limit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search the designs that keep the limits of a study, and rank them."""
    from app.jobs.studies import study_workers
    from app.scenarios.study.reading import read_study
    from app.settings import get_settings
    from app.views.plain import report_json
    from app.views.study.answer import StudyProgress, study_answer
    from app.views.study.text import study_csv, study_text

    document, settings = read_study(file), get_settings()
    pool = study_workers(scheduler or settings.dask_scheduler, workers or settings.sweep_workers)

    def tell(step: StudyProgress) -> None:
        if sys.stderr.isatty():
            typer.echo(
                f"\r{step.done:,} of {step.total:,} numbers of SuperNodes, {len(step.rows):,} rows",
                nl=False,
                err=True,
            )

    try:
        answer = study_answer(document, saved_work_here().catalog(), workers=pool, progress=tell)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    finally:
        pool.close()
        if sys.stderr.isatty():
            typer.echo("\r\x1b[K", nl=False, err=True)
    if out is not None:
        out.write_text(study_csv(answer.rows), encoding="utf-8")
    if as_json:
        print_json(report_json(answer))
    else:
        typer.echo(study_text(answer), nl=False)
    if require_answer and not answer.answered:
        raise typer.Exit(UNANSWERED)
