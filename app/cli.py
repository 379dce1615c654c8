"""The command line: `podwright COMMAND`. Bad input is one clear message on standard error and exit 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from app import __version__

app = typer.Typer(
    name="podwright",
    help="Design AI SuperNodes and SuperPODs; every number explained down to its source.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
ScenarioFile = Annotated[Path, typer.Argument(metavar="FILE", help="A scenario in YAML or JSON.")]


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = None,
) -> None:
    """Serve the dashboard. An empty database is migrated and seeded first."""
    import uvicorn

    from app.catalog.ready import ready_catalog
    from app.settings import get_settings

    ready_catalog()
    settings = get_settings()
    uvicorn.run(
        "app.main:create_app",
        factory=True,
        host=host or settings.host,
        port=settings.port if port is None else port,
        server_header=False,
    )


@app.command()
def evaluate(
    file: ScenarioFile,
    as_json: AsJson = False,
    require_feasible: Annotated[
        bool, typer.Option("--require-feasible", help="Exit 3 when the design is infeasible.")
    ] = False,
) -> None:
    """Evaluate a scenario: speed, fabric, power, cooling, cost, failures, carbon."""
    from app.exports.text import evaluation_text

    scenario = _evaluated(file)
    if as_json:
        _print_json(scenario.as_json)
    else:
        typer.echo(evaluation_text(scenario.as_json))
    if require_feasible and not scenario.evaluation.feasible:
        raise typer.Exit(3)


@app.command()
def explain(
    file: ScenarioFile,
    quantity: Annotated[str, typer.Argument(help="A figure, such as performance.mfu.")],
    as_json: AsJson = False,
) -> None:
    """Explain one figure: formula, values put in, units and sources, down to the inputs."""
    from app.exports.text import explanation_text

    tree = _evaluated(file).explain(quantity)
    if as_json:
        _print_json(tree)
    else:
        typer.echo(explanation_text(tree))


@app.command()
def catalog(
    kind: Annotated[str | None, typer.Argument(help="A kind of part; all kinds when left out.")] = None,
    key: Annotated[str | None, typer.Argument(help="One part; all of the kind when left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look a part up, with source, date and kind of every value."""
    from app.catalog.ready import ready_catalog
    from app.catalog.show import show_catalog

    show_catalog(ready_catalog(), kind, key, as_json=as_json)


@app.command()
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


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> None:
    """Entry point of the `podwright` command."""
    from app.catalog.errors import CatalogLookupError, SeedError
    from app.db.migrate import NewerDatabaseError
    from app.scenarios.errors import ScenarioError
    from app.settings import SettingsError

    try:
        app()
    except (ScenarioError, CatalogLookupError, SeedError, NewerDatabaseError, SettingsError) as error:
        typer.echo(f"podwright: {error}", err=True)
        sys.exit(2)


def _evaluated(file: Path) -> Any:
    from app.catalog.ready import ready_catalog
    from app.scenarios.load import read_scenario
    from app.scenarios.service import evaluate_scenario

    return evaluate_scenario(read_scenario(file), ready_catalog())


def _print_json(value: Any) -> None:
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())
