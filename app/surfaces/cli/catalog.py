"""`podwright catalog` and `podwright seed`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from app.surfaces.cli.common import AsJson, print_json

if TYPE_CHECKING:
    from app.catalog.own.planning import Plan
    from app.saved.team_catalog.service import TeamCatalog

KindOption = Annotated[
    str, typer.Option("--kind", help="The kind of all rows, where the file does not say it.")
]
WorkspaceOption = Annotated[
    str, typer.Option("--workspace", help="The key of a team; else your own workspace.")
]


class ShowsByDefault(TyperGroup):
    """`podwright catalog KIND KEY` is short for `podwright catalog show KIND KEY`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        shows_climate = args[:1] == ["climate"] and not {"--key", "--help"} & set(
            args
        )  # the kind of that name
        if not args or shows_climate or (args[0] not in self.commands and args[0] != "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


catalog_app = typer.Typer(cls=ShowsByDefault, help="Search parts and manage own rows.")


def add_to(app: typer.Typer) -> None:
    """The commands of the catalog."""
    app.add_typer(catalog_app, name="catalog")
    app.command()(seed)


@catalog_app.command()
def show(
    kind: Annotated[str | None, typer.Argument(help="A kind of part; all kinds when left out.")] = None,
    key: Annotated[str | None, typer.Argument(help="One part; all of the kind when left out.")] = None,
    workspace: WorkspaceOption = "",
    as_json: AsJson = False,
) -> None:
    """Read a part, with source, date and kind of every value."""
    from app.catalog.show import show_catalog

    show_catalog(_team(workspace).catalog(), kind, key, as_json=as_json)


@catalog_app.command(name="import")
def import_rows(
    file: Annotated[Path, typer.Argument(help="A CSV file or an Excel workbook.")],
    kind: KindOption = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would change.")] = False,
    skip_refused: Annotated[
        bool, typer.Option("--skip-refused", help="Write the other lines when some are refused.")
    ] = False,
    workspace: WorkspaceOption = "",
    as_json: AsJson = False,
) -> None:
    """Add and change own rows; every line is reported, and nothing is written when one is refused."""
    from app.saved.team_catalog.errors import RefusedLinesError
    from app.scenarios.load import file_content

    content = file_content(file)
    team = _team(workspace)
    try:
        found = team.import_file(
            content, filename=file.name, kind=kind, dry_run=dry_run, skip_refused=skip_refused
        )
    except RefusedLinesError:
        plan = team.import_file(content, filename=file.name, kind=kind).plan
        _print_plan(plan, written=False, as_json=as_json)
        typer.echo("podwright: nothing was written; --skip-refused writes the other lines.", err=True)
        raise typer.Exit(2) from None
    _print_plan(found.plan, written=found.applied, as_json=as_json)


@catalog_app.command()
def climate(
    file: Annotated[Path, typer.Argument(help="An EnergyPlus weather file, .epw.")],
    key: Annotated[str, typer.Option("--key", help="The key that sites and scenarios name it by.")],
    source: Annotated[str, typer.Option("--source", help="Source of the climate year.")],
    name: Annotated[str, typer.Option("--name", help="Name; the city of the file without it.")] = "",
    year_kind: Annotated[
        str, typer.Option("--kind", help="TMY, a measured year, ...; else what the file says.")
    ] = "",
    licence: Annotated[
        str, typer.Option("--licence", help="Licence terms; shown as not stated without it.")
    ] = "",
    as_of: Annotated[str, typer.Option("--as-of", help="When it was made: 2026, 2026-11, 2026-11-22.")] = "",
    workspace: WorkspaceOption = "",
) -> None:
    """Upload a climate year, or put another in place of the own one of its key."""
    from app.catalog.weather.epw import MOST_BYTES
    from app.catalog.weather.year import About
    from app.scenarios.load import file_content

    about = About(name=name, year_kind=year_kind, source=source, licence=licence, as_of=as_of)
    year = _team(workspace).put_climate(key, file_content(file, MOST_BYTES), about, None)
    typer.echo(f"climate/{year.key}: {year.name}, {year.year_kind}, 8,760 hours.")
    for note in year.notes:
        typer.echo(f"    {note}")


@catalog_app.command()
def export(
    file: Annotated[
        Path, typer.Argument(help="Where to: a .csv of one kind, or an .xlsx with a sheet a kind.")
    ],
    kind: Annotated[str, typer.Option("--kind", help="One kind; a workbook may hold all.")] = "",
    own: Annotated[bool, typer.Option("--own", help="Own rows of the workspace only.")] = False,
    workspace: WorkspaceOption = "",
) -> None:
    """Write rows in the columns that `import` reads."""
    from app.catalog.own.columns import own_kinds
    from app.scenarios.errors import refuse
    from app.surfaces.files.catalog_table import catalog_csv, catalog_xlsx, exported_kinds

    suffix = file.suffix.lower()
    if suffix not in (".csv", ".xlsx"):
        raise refuse(f"{file.name} ends neither in .csv nor in .xlsx.", rule="file", hint="Name the file so.")
    if (kind or suffix == ".csv") and kind not in own_kinds():
        hint = f"One of {', '.join(own_kinds())}."
        raise refuse(f"There is no table of the kind {kind!r}.", rule="kind", path="--kind", hint=hint)
    catalog = _team(workspace).catalog()
    if suffix == ".csv":
        file.write_bytes(catalog_csv(catalog, kind, own=own))
    else:
        file.write_bytes(catalog_xlsx(catalog, exported_kinds(kind), own=own))
    typer.echo(f"Wrote {file}.")


@catalog_app.command()
def review(workspace: WorkspaceOption = "", as_json: AsJson = False) -> None:
    """Own values that the built-in catalog has caught up with, and rows that have lost what they are about."""
    findings = _team(workspace).review()
    if as_json:
        print_json([{**finding._asdict(), "words": finding.words} for finding in findings])
        return
    for one in findings:
        values = (
            f" Own: {one.own} {one.own_date}; built-in: {one.builtin} {one.builtin_date}."
            if one.builtin
            else ""
        )
        typer.echo(f"{one.kind}/{one.key}{f' {one.field}' if one.field else ''}: {one.words}{values}")
    if not findings:
        typer.echo("No own row needs a review.")


def seed(
    without_unchecked_climate: Annotated[
        bool,
        typer.Option("--without-unchecked-climate", help="Exclude climate years with restricted terms."),
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


def _team(workspace: str) -> TeamCatalog:
    """The own rows of a workspace: a user of the database may change every row."""
    from sqlmodel import select

    from app.catalog.ready import ready_catalog, ready_engine
    from app.db.session import read_session
    from app.db.tables import PERSONAL_WORKSPACE_ID, WorkspaceRow
    from app.likeness import nearest_names
    from app.saved.access import LOCAL, Actor
    from app.saved.team_catalog.service import TeamCatalog
    from app.scenarios.errors import refuse
    from app.settings import get_settings

    ready_catalog()
    engine = ready_engine(get_settings())
    if not workspace:
        return TeamCatalog(engine, ready_catalog, PERSONAL_WORKSPACE_ID, LOCAL)
    with read_session(engine) as session:
        teams = {
            row.key: row.id or 0
            for row in session.exec(select(WorkspaceRow).order_by("id"))
            if row.deleted_at is None
        }
    if workspace not in teams:
        hint = f"Nearest: {nearest_names(workspace, teams)}."
        raise refuse(f"There is no workspace {workspace!r}.", rule="workspace", path="--workspace", hint=hint)
    whoever = Actor(name=LOCAL.name, roles={teams[workspace]: "owner"}, is_local=True)
    return TeamCatalog(engine, ready_catalog, teams[workspace], whoever)


def _print_plan(plan: Plan, *, written: bool, as_json: bool) -> None:
    """Outcome of each line; those that say nothing new are only counted."""
    if as_json:
        lines = [
            {
                "line": line.place.line,
                "sheet": line.place.sheet,
                "kind": line.kind,
                "key": line.key,
                "outcome": line.outcome,
                "changes": [asdict(change) for change in line.changes],
                "faults": [asdict(fault) for fault in line.faults],
            }
            for line in plan.lines
        ]
        print_json({"written": written, "counts": plan.counts, "lines": lines})
        return
    for line in plan.lines:
        if line.outcome == "same":
            continue
        place = (
            f"{line.place.sheet}, line {line.place.line}" if line.place.sheet else f"line {line.place.line}"
        )
        typer.echo(f"{place}: {line.kind}/{line.key} {line.outcome}")
        for change in line.changes:
            before = f"{change.before} -> " if change.before else ""
            unit = f" {change.unit}" if change.unit not in ("", "1") else ""
            typer.echo(f"    {change.field}: {before}{change.after}{unit}")
        for fault in line.faults:
            typer.echo(f"    {fault.message} {fault.hint}".rstrip())
    counts = ", ".join(f"{count} {outcome}" for outcome, count in plan.counts.items())
    typer.echo(f"{counts}. {'Written.' if written else 'Nothing was written.'}")
