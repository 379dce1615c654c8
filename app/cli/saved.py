"""`podwright save` and `podwright scenarios`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.common import AsJson, print_json, saved_work_here

if TYPE_CHECKING:
    from app.scenarios.saved.records import Saved
    from app.scenarios.team_catalog.own_rows import OwnRows


def add_to(app: typer.Typer) -> None:
    """The commands of saved work."""
    for command in (save, scenarios):
        app.command()(command)


def save(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A scenario: YAML, JSON, or an exported file.")
    ],
    note: Annotated[str, typer.Option(help="What this save is about.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given several times.")] = None,
    id: Annotated[
        str | None, typer.Option("--id", help="The saved scenario that this is a new revision of.")
    ] = None,
    conflicts: Annotated[
        str,
        typer.Option(
            "--conflicts",
            help="For own rows of FILE that your catalog has with other values: refuse, rename or keep yours.",
        ),
    ] = "refuse",
    as_json: AsJson = False,
) -> None:
    """Save a scenario, as a new one or as the next revision of a saved one; prints its id.

    Own rows of the catalog that FILE carries are added to your own catalog first.
    """
    from app.scenarios.imports import import_work
    from app.scenarios.load import file_content

    read, saved = import_work(file_content(file), str(file)), saved_work_here()
    document = read.document.as_dict()
    if read.own_rows is not None:
        document = _received(read.own_rows, document, conflicts)
    if id is None:
        found = saved.create("scenario", document, note=note, tags=tag or ())
    else:
        found = saved.replace("scenario", id, document, version=None, note=note)
        if tag:
            found = saved.update("scenario", id, version=found.version, tags=tag)
    if as_json:
        print_json(_in_short(found))
    else:
        typer.echo(f"{found.id}  {found.name}, revision {found.revision}")


def scenarios(
    search: Annotated[str, typer.Option(help="Words that a scenario must have, whatever their case.")] = "",
    tag: Annotated[str | None, typer.Option(help="A tag that it must have.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many to list.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List saved scenarios, the one changed last first."""
    page = saved_work_here().listed("scenario", search=search, tag=tag, limit=limit)
    if as_json:
        print_json([_in_short(found) for found in page.items])
        return
    for found in page.items:
        tags = f"  [{', '.join(found.tags)}]" if found.tags else ""
        typer.echo(
            f"{found.id}  {found.updated_at:%Y-%m-%d %H:%M}  revision {found.revision}  {found.name}{tags}"
        )
    if not page.items:
        typer.echo("No saved scenarios." if not (search or tag) else "No saved scenario matches.")
    elif page.next:
        typer.echo(f"These are the last {limit}; there are more: --limit, --search and --tag say which.")


def _received(rows: OwnRows, document: dict[str, Any], conflicts: str) -> dict[str, Any]:
    """The scenario once its own rows are in the catalog here; what became of them goes to standard error."""
    from app.catalog.ready import ready_catalog, ready_engine
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.access import LOCAL
    from app.scenarios.errors import refuse
    from app.scenarios.saved.documents import build_saved
    from app.scenarios.team_catalog.received import CONFLICTS
    from app.scenarios.team_catalog.service import TeamCatalog
    from app.settings import get_settings

    way = next((known for known in CONFLICTS if known == conflicts), None)
    if way is None:
        message, hint = f"There is no way {conflicts[:40]!r}.", f"One of: {', '.join(CONFLICTS)}."
        raise refuse(message, rule="one_of", path="--conflicts", value=conflicts, hint=hint)
    build_saved("scenario", document)  # what cannot be saved adds no rows
    team = TeamCatalog(ready_engine(get_settings()), ready_catalog, PERSONAL_WORKSPACE_ID, LOCAL)
    received = team.receive(rows, document, conflicts=way)
    for sentence in received.sentences:
        typer.echo(sentence, err=True)
    return received.document


def _in_short(found: Saved) -> dict[str, Any]:
    return {
        "id": found.id,
        "name": found.name,
        "revision": found.revision,
        "tags": list(found.tags),
        "note": found.note,
        "created_at": found.created_at.isoformat(),
        "updated_at": found.updated_at.isoformat(),
        "summary": found.summary,
    }
