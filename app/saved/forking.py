"""Copies in another workspace: what only the first one has is written out in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlmodel import Session

from app.catalog.lookup import Catalog
from app.catalog.pinned import PinnedCatalog
from app.db.tables import DesignRow, ScenarioRevisionRow, ScenarioRow
from app.saved.errors import NotSavedError
from app.saved.fleets import designs_written_out
from app.saved.packing import unpacked
from app.saved.prepared import Prepared, prepared
from app.saved.records import Kind, Saved
from app.saved.studies import written_out
from app.saved.team_catalog.own_rows import OwnRows, own_rows_of
from app.saved.team_catalog.received import Received
from app.saved.writing import newest_revision
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import evaluated
from app.scenarios.load import build_scenario

WRITTEN_OUT = "designs of the other workspace are written out"


def at_home(session: Session, save: Prepared, workspace_id: int) -> tuple[Prepared, bool]:
    """A save that names nothing of another workspace, and whether anything had to be written out.

    Figures stay as they were computed: what is written out are the values that they were computed with.
    """
    if save.kind == "scenario" and save.uses:
        homes = {design.workspace_id for use in save.uses if (design := session.get(DesignRow, use.id))}
        if homes != {workspace_id} and save.expanded is not None:
            return replace(save, document=save.expanded, expanded=None, uses=()), True
    if save.kind == "projection" and isinstance(save.document.get("scenario"), str):
        scenario = session.get(ScenarioRow, save.document["scenario"])
        if scenario is not None and scenario.workspace_id != workspace_id:
            row = newest_revision(session, "scenario", scenario)
            assert isinstance(row, ScenarioRevisionRow)
            return replace(save, document={**save.document, "scenario": row.expanded or row.document}), True
    if save.kind == "study":

        def elsewhere(id: str) -> dict[str, Any] | None:
            found = session.get(ScenarioRow, id)
            if found is None or found.workspace_id == workspace_id:
                return None
            row = newest_revision(session, "scenario", found)
            assert isinstance(row, ScenarioRevisionRow)
            return row.expanded or row.document

        document = written_out(save.document, elsewhere)
        return replace(save, document=document), document is not save.document
    if save.kind == "fleet":

        def evaluation(id: str) -> dict[str, Any] | None:
            found = session.get(ScenarioRow, id)
            if found is None or found.workspace_id == workspace_id:
                return None
            row = newest_revision(session, "scenario", found)
            assert isinstance(row, ScenarioRevisionRow)
            return unpacked(row.results) if row.results else None

        document = designs_written_out(save.document, evaluation)
        return replace(save, document=document), document is not save.document
    return save, False


ReceiveRows = Callable[[OwnRows, dict[str, Any]], Received]
"""Adds own rows to the catalog of the workspace that a copy is made in; the document is that of the copy."""


def with_own_rows(
    save: Prepared,
    then: PinnedCatalog,
    receive: ReceiveRows,
    catalog: Callable[[], Catalog],
    *,
    own_prices: bool,
) -> tuple[Prepared, tuple[str, ...]]:
    """A copy whose own rows are in the catalog of its workspace, and the notes on them.

    Raises
    ------
    ScenarioError : a row cannot be added, or the catalog still lacks a part
    """
    document = save.expanded or save.document
    rows = own_rows_of(build_scenario(document), then, prices=own_prices)
    if rows is None:
        check_parts(save, catalog())
        return save, ()
    received = receive(rows, document)
    as_sent = not (
        rows.left_out or received.renamed or received.kept or received.differing or rows.not_carried
    )
    if as_sent:
        check_parts(save, catalog())
        return save, received.notes
    return prepared("scenario", received.document, catalog(), _no_designs), received.notes


def _no_designs(kind: Kind, id: str) -> Saved:
    raise NotSavedError(kind, id)  # saved designs are written out in a copy that comes here


def check_parts(save: Prepared, catalog: Catalog) -> None:
    """Nothing, where a workspace with this catalog has every part that a scenario names.

    Raises
    ------
    ScenarioError : it lacks one
    """
    if save.kind != "scenario" or save.catalog_revision == catalog.revision:
        return
    document: dict[str, Any] = save.expanded or save.document
    try:
        evaluated(build_scenario(document), catalog)
    except ScenarioError as error:
        raise refuse(
            f"The catalog of the workspace that it is copied to lacks something: {error}",
            rule="unknown_part",
            path="workspace",
            hint="Add that to the catalog of the workspace first, or share the original with it.",
        ) from None
