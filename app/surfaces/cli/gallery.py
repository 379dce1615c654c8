"""`podwright gallery`: reference designs, with published and computed figures."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json


def add_to(app: typer.Typer) -> None:
    app.command()(gallery)


def gallery(
    key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="A design of the gallery; all designs when left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the reference designs, or one with its published figures beside ours."""
    from app.catalog.ready import ready_catalog
    from app.surfaces.files.gallery_text import gallery_text, reference_text
    from app.views.gallery.answer import gallery_answer, reference_answer

    catalog = ready_catalog()
    answer = gallery_answer(catalog) if key is None else reference_answer(catalog, key)
    if as_json:
        print_json(answer)
    else:
        typer.echo(gallery_text(answer) if key is None else reference_text(answer))
