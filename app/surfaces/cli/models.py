"""`podwright model`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json

model_app = typer.Typer(help="Describe models of your own.")


def add_to(app: typer.Typer) -> None:
    """The commands of models."""
    app.add_typer(model_app, name="model")


@model_app.callback()
def models() -> None:
    """Describe models of your own."""


@model_app.command()
def describe(
    file: Annotated[Path, typer.Argument(help="A config.json of Hugging Face.")],
    scenario: Annotated[
        bool, typer.Option("--scenario", help="Print the model as `workload.model` of a scenario.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read a model from its config.json: parameters, KV cache, FLOP, and what could not be read."""
    from app.engine.units import words_of
    from app.scenarios.document.model_counts import model_report
    from app.scenarios.errors import InputError, ScenarioError
    from app.scenarios.load import file_content

    report = model_report({}, file_content(file))
    configuration = report["configuration"]
    # What is missing in the row follows from what could not be read, and would be said twice.
    faults = configuration["faults"] or [f"{one['message']}. {one['hint']}" for one in report["faults"]]
    if as_json:
        print_json(report)
    elif scenario and not faults:
        typer.echo("model:")
        for name, value in report["values"].items():
            if name != "prediction_modules":
                typer.echo(f"  {name}: {_inline(name, value)}")
    elif not faults:
        counts = report["counts"]
        for name, value in counts.items():
            typer.echo(f"{words_of(name)}: {'unknown' if value is None else f'{value:,.0f}'}")
        for name, rule in configuration["assumed"].items():
            typer.echo(f"{words_of(name)}: {report['values'][name]} ({rule})")
        for line in configuration["unread"]:
            typer.echo(f"Warning: {line}")
    if faults:
        raise ScenarioError(
            InputError(path=file.name, value=None, rule="config", message=fault) for fault in faults
        )


def _inline(name: str, value: int | str) -> int | str:
    """A value as a scenario states it."""
    if name in ("tied_embedding", "query_key_norm"):
        return "true" if value else "false"
    return value.lower() if isinstance(value, str) else value
