"""Parts common to commands: options, JSON output, and the saved work of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

if TYPE_CHECKING:
    from app.saved.store import SavedWork

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Ref = Annotated[
    str,
    typer.Argument(
        metavar="REF", help="A file, the id or the name of a saved scenario, or the key of an example."
    ),
]


def saved_work_here() -> SavedWork:
    """Saved work in the database of the settings, which is brought up to date first."""
    from app.catalog.ready import ready_catalog, ready_engine
    from app.saved.store import SavedWork
    from app.settings import get_settings

    ready_catalog()
    return SavedWork(ready_engine(get_settings()), ready_catalog)


def print_json(value: Any) -> None:
    """JSON with indents, as people and programs read it."""
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())
