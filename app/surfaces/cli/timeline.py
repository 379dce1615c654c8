"""`podwright timeline`: one training step, stage by stage."""

from __future__ import annotations

import typer

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here


def add_to(app: typer.Typer) -> None:
    app.command()(timeline)


def timeline(ref: Ref, as_json: AsJson = False) -> None:
    """Simulate one training step: when every pipeline stage computes and waits, beside the closed form."""
    from app.surfaces.cli.reference import referred
    from app.views.plain import report_json
    from app.views.timeline import timeline_text, timeline_view

    view = timeline_view(referred(ref, saved_work_here()).evaluated)
    if as_json:
        print_json(report_json(view))
    else:
        typer.echo(timeline_text(view))
