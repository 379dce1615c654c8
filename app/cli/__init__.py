"""The command line: `podwright COMMAND`. Bad input is one clear message on standard error and exit 2."""

from __future__ import annotations

import sys

import typer

from app import __version__
from app.cli import (
    calibration,
    catalog,
    claims,
    database,
    evaluations,
    gallery,
    projection,
    saved,
    search,
    server,
    trends,
    validation,
)

app = typer.Typer(
    name="podwright",
    help="Design AI SuperNodes and SuperPODs; every number explained down to its source.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for commands in (
    server,
    evaluations,
    search,
    projection,
    trends,
    gallery,
    saved,
    catalog,
    validation,
    claims,
    calibration,
):
    commands.add_to(app)
app.add_typer(database.app, name="db")


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> None:
    """Entry point of the `podwright` command."""
    try:
        app()
    except Exception as error:
        message = words_of(error)
        if message is None:
            raise
        typer.echo(f"podwright: {message}", err=True)
        sys.exit(2)


def words_of(error: Exception) -> str | None:
    """What to tell about an error that people can do something about; None for a fault of the program."""
    # imported here, as it takes a second that commands without an error need not wait
    from sqlalchemy.exc import DBAPIError

    from app.catalog.errors import CatalogLookupError, SeedError
    from app.db.migrate import NewerDatabaseError
    from app.scenarios.errors import ScenarioError
    from app.scenarios.saved.errors import ChangedMeanwhileError, NotSavedError, StorageError
    from app.settings import SettingsError
    from app.validation.rows import ValidationFileError

    match error:
        case DBAPIError():
            return f"The database cannot be used: {error.orig}. `podwright db check` looks it over."
        case (
            CatalogLookupError()
            | ChangedMeanwhileError()
            | NewerDatabaseError()
            | NotSavedError()
            | OSError()  # such as a data folder that may not be written
            | ScenarioError()
            | SeedError()
            | SettingsError()
            | StorageError()
            | ValidationFileError()
        ):
            return str(error)
    return None
