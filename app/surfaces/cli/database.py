"""`podwright db check`, `podwright db upgrade` and `podwright db copy`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json

ADDRESS = "The path of a SQLite file, or an address such as postgresql://user@host/database."

app = typer.Typer(help="Manage the database.", no_args_is_help=True)


@app.command()
def check(as_json: AsJson = False) -> None:
    """Look the database over and change nothing; exit 1 when something in it is damaged."""
    from sqlalchemy.engine import make_url

    from app.db.engine import open_engine
    from app.saved.check import check_database
    from app.settings import get_settings

    url = make_url(get_settings().database_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        typer.echo(f"podwright: there is no database {url.database}; `podwright seed` makes one.", err=True)
        raise typer.Exit(2)
    engine = open_engine(get_settings().database_url)
    findings = check_database(engine)
    place = engine.url.render_as_string(hide_password=True)
    if as_json:
        print_json({"database": place, "findings": [dataclasses.asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            typer.echo(f"{finding.severity}: {finding}")
        typer.echo(f"{place}: {len(findings)} found." if findings else f"{place}: all is well.")
    if any(finding.severity == "error" for finding in findings):
        raise typer.Exit(1)


@app.command()
def upgrade() -> None:
    """Bring the database to the schema of this version; every other command does so by itself."""
    from app.catalog.ready import ready_engine
    from app.db.migrate import HEAD
    from app.settings import get_settings

    engine = ready_engine(get_settings())
    typer.echo(f"{engine.url.render_as_string(hide_password=True)}: schema {HEAD}.")


@app.command()
def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=ADDRESS)],
    target: Annotated[str, typer.Argument(metavar="TARGET", help=ADDRESS)],
    replace: Annotated[bool, typer.Option("--replace", help="Replace the contents of TARGET.")] = False,
) -> None:
    """Copy a whole database into another, such as a SQLite file into PostgreSQL."""
    from app.db.address import address_or_file, place_of, read_address
    from app.db.copying import copy_database

    addresses = [address_or_file(text) for text in (source, target)]
    first, second = map(read_address, addresses)
    if first.get_backend_name() == "sqlite" and not Path(first.database or "").is_file():
        typer.echo(f"podwright: there is no database {first.database}; name the one to copy.", err=True)
        raise typer.Exit(2)
    counts = copy_database(*addresses, replace=replace)
    for table, count in counts.items():
        if count:
            typer.echo(f"{table:20}{count:>10,}")
    typer.echo(f"{sum(counts.values()):,} rows copied from {place_of(first)} to {place_of(second)}.")
