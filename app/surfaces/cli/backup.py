"""`podwright backup` and `podwright restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """The commands that keep the database safe."""
    app.command()(backup)
    app.command()(restore)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite an existing file.")] = False,
) -> None:
    """Write the whole database into one file, while servers go on writing."""
    from app.db.backup import write_backup
    from app.settings import get_settings

    write_backup(get_settings().database_url, file, replace=replace)
    typer.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `podwright backup` wrote.")],
    replace: Annotated[bool, typer.Option("--replace", help="Replace the contents of the database.")] = False,
) -> None:
    """Bring the content of a backup back; what it replaces is kept as a backup beside the database."""
    from sqlalchemy.engine import make_url

    from app.saved.restoring import restore_backup
    from app.settings import get_settings

    settings = get_settings()
    database = make_url(settings.database_url)
    folder = Path(database.database or "").parent if database.drivername == "sqlite" else settings.data_dir
    folder.mkdir(parents=True, exist_ok=True)
    restored = restore_backup(file, settings.database_url, folder=folder, replace=replace)
    typer.echo(f"{restored.rows:,} rows of {file} restored.")
    if restored.kept is not None:
        typer.echo(f"The previous data are kept in {restored.kept}.")
