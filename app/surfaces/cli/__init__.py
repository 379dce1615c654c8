"""The command line: `podwright COMMAND`. Bad input is one clear message on standard error and exit 2."""

from __future__ import annotations

import gc
import sys

import typer

from app import __version__
from app.surfaces.cli import (
    backup,
    calibration,
    catalog,
    claims,
    database,
    evaluations,
    fleet,
    gallery,
    models,
    projection,
    questions,
    reports,
    rooms,
    saved,
    search,
    server,
    study,
    sweeps,
    timeline,
    trends,
    user,
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
    fleet,
    search,
    timeline,
    sweeps,
    study,
    projection,
    trends,
    gallery,
    models,
    questions,
    reports,
    rooms,
    saved,
    catalog,
    validation,
    claims,
    calibration,
    backup,
):
    commands.add_to(app)
app.add_typer(database.app, name="db")
app.add_typer(user.app, name="user")


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


COLLECTED_EVERY = (100_000, 20, 20)
"""Imports and an evaluation leave next to no garbage: looked for as often as usual, it takes a seventh of a command."""


def main() -> None:
    """Entry point of the `podwright` command."""
    gc.set_threshold(*COLLECTED_EVERY)
    try:
        app()
    except Exception as error:
        message = words_of(error)
        if message is None:
            raise
        typer.echo(f"podwright: {message}", err=True)
        sys.exit(2)


def words_of(error: Exception) -> str | None:
    """Message about an error that people can do something about; None for a fault of the program."""
    # imported here, as it takes a second that commands without an error need not wait
    from sqlalchemy.exc import DBAPIError

    from app.catalog.errors import CatalogLookupError, SeedError
    from app.db.address import DatabaseAddressError, read_address
    from app.db.backup import BackupError
    from app.db.copying import CopyError, NotEmptyError
    from app.db.engine import DatabaseFolderError
    from app.jobs.executor import ExecutorError
    from app.jobs.records import NoSuchJobError
    from app.saved.access import ForbiddenError
    from app.saved.errors import (
        ChangedMeanwhileError,
        MergeConflictError,
        NotSavedError,
        StorageError,
    )
    from app.saved.faults import DATABASE_ERRORS, storage_fault
    from app.scenarios.errors import ScenarioError
    from app.settings import SettingsError, get_settings
    from app.surfaces.files.pdf import NoPdfError
    from app.teams.errors import NotThereError
    from app.validation.study import ValidationFileError

    if isinstance(error, DatabaseFolderError):
        return str(error)  # names the folder, which HTTP answers leave out
    if isinstance(error, DATABASE_ERRORS):
        fault = storage_fault(error, read_address(get_settings().database_url))
        if fault is not None:
            return fault.message
    match error:
        case DBAPIError():
            reason = " ".join(str(error.orig).split()).rstrip(".")  # drivers say it in lines
            return f"The database cannot be used: {reason}. `podwright db check` looks it over."
        case MergeConflictError():
            return f"{error} --prefer mine or --prefer theirs does."
        case (
            BackupError()
            | CatalogLookupError()
            | ChangedMeanwhileError()
            | CopyError()
            | DatabaseAddressError()
            | ExecutorError()
            | ForbiddenError()
            | NotEmptyError()
            | NoPdfError()
            | NoSuchJobError()
            | NotSavedError()
            | NotThereError()
            | OSError()  # such as a data folder that may not be written
            | ScenarioError()
            | SeedError()
            | SettingsError()
            | StorageError()
            | ValidationFileError()
        ):
            return str(error)
    return None
