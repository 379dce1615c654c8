"""`podwright catalog` and `podwright seed`."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import AsJson


def add_to(app: typer.Typer) -> None:
    """The commands of the catalog."""
    for command in (catalog, seed):
        app.command()(command)


def catalog(
    kind: Annotated[str | None, typer.Argument(help="A kind of part; all kinds when left out.")] = None,
    key: Annotated[str | None, typer.Argument(help="One part; all of the kind when left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look a part up, with source, date and kind of every value."""
    from app.catalog.ready import ready_catalog
    from app.catalog.show import show_catalog

    show_catalog(ready_catalog(), kind, key, as_json=as_json)


def seed(
    without_unchecked_climate: Annotated[
        bool,
        typer.Option(
            "--without-unchecked-climate", help="Leave out climate years whose terms ask for a check."
        ),
    ] = False,
) -> None:
    """Migrate the database and load the built-in catalog; what a team added stays untouched."""
    from app.catalog.ready import ready_engine
    from app.catalog.show import seed_catalog
    from app.paths import seed_data
    from app.settings import get_settings

    settings = get_settings()
    seed_catalog(
        ready_engine(settings),
        seed_data(),
        ship_climate_needing_check=settings.ship_climate_needing_check and not without_unchecked_climate,
        force=True,
    )
