"""`podwright save` and `podwright scenarios`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from app.surfaces.cli.common import AsJson, print_json, saved_work_here

if TYPE_CHECKING:
    from app.saved.merge import Side
    from app.saved.records import Saved
    from app.saved.store import SavedWork
    from app.saved.team_catalog.own_rows import OwnRows


def add_to(app: typer.Typer) -> None:
    """The commands of saved work."""
    for command in (save, scenarios):
        app.command()(command)


def save(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A scenario: YAML, JSON, or an exported file.")
    ],
    note: Annotated[str, typer.Option(help="Note of this save.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given several times.")] = None,
    id: Annotated[
        str | None, typer.Option("--id", help="The saved scenario that this is a new revision of.")
    ] = None,
    base_revision: Annotated[
        int | None,
        typer.Option(
            "--base-revision",
            min=1,
            help="The revision of --id that FILE was made from: what others saved since is merged with it.",
        ),
    ] = None,
    prefer: Annotated[
        str | None,
        typer.Option("--prefer", help="Side whose value wins in a conflict: mine or theirs."),
    ] = None,
    conflicts: Annotated[
        str,
        typer.Option(
            "--conflicts",
            help="On conflicting own rows of FILE: refuse, rename or keep.",
        ),
    ] = "refuse",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Save nothing; say what would become of the own rows of FILE."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Save a scenario, as a new one or as the next revision of a saved one; prints its id.

    Own rows of the catalog that FILE carries are added to your own catalog first. With --id alone FILE takes the place
    of the newest revision; with --base-revision fields that others changed since, and FILE did not, stay theirs.
    """
    from app.saved.documents import build_saved
    from app.saved.imports import import_work
    from app.scenarios.errors import refuse
    from app.scenarios.load import file_content

    side = _side(prefer, base_revision)
    if base_revision is not None and id is None:
        raise refuse("needs --id.", rule="required", path="--base-revision", hint="It is a revision of that.")
    read, saved = import_work(file_content(file), str(file)), saved_work_here()
    document = read.document.as_dict()
    if read.own_rows is not None:
        document = _received(read.own_rows, document, conflicts, dry_run=dry_run)
    if dry_run:
        build_saved("scenario", document)
        typer.echo(f"{read.document.name} can be saved; nothing was.", err=True)
        return
    if id is None:
        found = saved.create("scenario", document, note=note, tags=tag or ())
    else:
        if base_revision is None:
            found = saved.replace("scenario", id, document, version=None, note=note)
        else:
            found = _merged(saved, id, document, base_revision, note, side)
        if tag:
            found = saved.update("scenario", id, version=found.version, tags=tag)
    if as_json:
        print_json(_in_short(found))
    else:
        typer.echo(f"{found.id}  {found.name}, revision {found.revision}")


def scenarios(
    search: Annotated[str, typer.Option(help="Words to search for, case-insensitive.")] = "",
    tag: Annotated[str | None, typer.Option(help="Required tag.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Number of entries to list.")] = 50,
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


def _side(prefer: str | None, base_revision: int | None) -> Side | None:
    from app.saved.merge import Side
    from app.scenarios.errors import refuse

    known: dict[str, Side] = {one: one for one in get_args(Side)}
    if prefer is None:
        return None
    if base_revision is None:
        raise refuse(
            "needs --base-revision.", rule="required", path="--prefer", hint="Without it nothing is merged."
        )
    if prefer not in known:
        raise refuse(
            "is not a side.",
            rule="one_of",
            path="--prefer",
            value=prefer,
            hint=f"One of: {', '.join(known)}.",
        )
    return known[prefer]


def _merged(
    saved: SavedWork, id: str, document: dict[str, Any], base_revision: int, note: str, side: Side | None
) -> Saved:
    """A save over what others saved since; what was taken over goes to standard error."""
    from app.saved.errors import MergeConflictError
    from app.saved.merging import merge_result

    asked: dict[str, Any] = {"base_revision": base_revision, "note": note}
    while True:
        try:
            found = saved.merge("scenario", id, document, **asked)
        except MergeConflictError as error:
            open_paths = {one.path for one in error.merge.conflicts}
            if side is None or (
                open_paths <= {*asked.get("choices", ())}
                and asked["seen_revision"] == (error.current.revision)
            ):
                raise
            asked["seen_revision"] = error.current.revision
            asked["choices"] = {**asked.get("choices", {}), **dict.fromkeys(open_paths, side)}
        else:
            break
    merge = merge_result(saved, found, document, base_revision)
    if merge.from_theirs:
        who = f" by {' and '.join(merge.authors)}" if merge.authors else ""
        fields = ", ".join(change.label for change in merge.from_theirs)
        typer.echo(f"Merged with revision {merge.theirs}{who}; taken from there: {fields}.", err=True)
    return found


def _received(
    rows: OwnRows, document: dict[str, Any], conflicts: str, *, dry_run: bool = False
) -> dict[str, Any]:
    """The scenario once its own rows are in the catalog here; what became of them goes to standard error."""
    from app.catalog.ready import ready_catalog, ready_engine
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.saved.access import LOCAL
    from app.saved.documents import build_saved
    from app.saved.team_catalog.received import CONFLICTS
    from app.saved.team_catalog.service import TeamCatalog
    from app.scenarios.errors import refuse
    from app.settings import get_settings

    way = next((known for known in CONFLICTS if known == conflicts), None)
    if way is None:
        message, hint = f"There is no way {conflicts[:40]!r}.", f"One of: {', '.join(CONFLICTS)}."
        raise refuse(message, rule="one_of", path="--conflicts", value=conflicts, hint=hint)
    build_saved("scenario", document)  # what cannot be saved adds no rows
    team = TeamCatalog(ready_engine(get_settings()), ready_catalog, PERSONAL_WORKSPACE_ID, LOCAL)
    received = team.receive(rows, document, conflicts=way, dry_run=dry_run)
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
