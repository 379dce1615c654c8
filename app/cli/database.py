"""`podwright db check` and `podwright db upgrade`."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import typer

from app.cli.common import AsJson, print_json

app = typer.Typer(help="Look after the database.", no_args_is_help=True)


@app.command()
def check(as_json: AsJson = False) -> None:
    """Look the database over and change nothing; exit 1 when something in it is damaged."""
    from sqlalchemy.engine import make_url

    from app.db.engine import open_engine
    from app.scenarios.saved.check import check_database
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
