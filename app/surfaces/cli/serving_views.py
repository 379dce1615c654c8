"""`podwright serving latency|roofline|memory|sizing`: views that need the design alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here

if TYPE_CHECKING:
    from app.scenarios.evaluation.service import EvaluatedScenario

View = TypeVar("View")
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV instead of text.")]


def latency(ref: Ref, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Time to first token and time per token against load: the knee, the most that keeps what is promised."""
    from app.views.serving.latency import latency_view
    from app.views.serving.loads_text import latency_text

    _show(ref, latency_view, latency_text, as_json, as_csv)


def roofline(ref: Ref, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Prefill and decode on the roofline of the accelerator, at several batches."""
    from app.views.serving.loads_text import roofline_text
    from app.views.serving.roofline import roofline_view

    _show(ref, roofline_view, roofline_text, as_json, as_csv)


def memory(ref: Ref, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Memory of an accelerator by part against batch, and how many sequences fit."""
    from app.views.serving.loads_text import memory_text
    from app.views.serving.memory import memory_view

    _show(ref, memory_view, memory_text, as_json, as_csv)


def sizing(ref: Ref, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """From the demand and what is promised to replicas, accelerators and SuperNodes; what binds, what would relax it."""
    from app.views.serving.needs_text import sizing_text
    from app.views.serving.sizing import sizing_view

    _show(ref, sizing_view, sizing_text, as_json, as_csv)


def _show(
    ref: str,
    make: Callable[[EvaluatedScenario], View],
    text: Callable[[View], str],
    as_json: bool,
    as_csv: bool,
) -> None:
    from app.surfaces.cli.reference import referred

    print_view(make(referred(ref, saved_work_here()).evaluated), text, as_json, as_csv)


def print_view(view: View, text: Callable[[View], str], as_json: bool, as_csv: bool) -> None:
    """A view as text, JSON or CSV.

    Raises
    ------
    BadParameter : two of them are asked for
    """
    from app.surfaces.files.serving_files import table_csv, view_json

    if as_json and as_csv:
        raise typer.BadParameter("say one of --json and --csv", param_hint="--json")
    if as_json:
        print_json(view_json(view))
    else:
        typer.echo(table_csv(view).decode() if as_csv else text(view), nl=not as_csv)
