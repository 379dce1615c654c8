"""What is exported: a scenario, its evaluation where a format asks for it, and the revision they are of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from app.catalog.view import CatalogView
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.saved.team_catalog.own_rows import OwnRows, own_rows_of
from app.scenarios.document.scenario import OWN_ROWS, ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario

UNDATED = datetime(1980, 1, 1, tzinfo=UTC)  # the first day that a ZIP file can hold


@dataclass(frozen=True)
class Work:
    """A scenario on its way out, as it was written. It is evaluated only when that is needed, and then once."""

    written: ScenarioDocument
    evaluate: Callable[[], EvaluatedScenario]
    revision: int | None = None
    note: str = ""
    saved_at: datetime | None = None
    view: Callable[[], CatalogView] | None = None
    """The catalog whose own rows travel with it; none do without."""
    own_prices: bool = False

    @cached_property
    def evaluated(self) -> EvaluatedScenario:
        """The evaluation.

        Raises
        ------
        ScenarioError : the scenario cannot be evaluated
        """
        return self.evaluate()

    @property
    def document(self) -> ScenarioDocument:
        """The scenario with saved designs put in, so that it means the same wherever it is read.

        Raises
        ------
        ScenarioError : it names a design that is not there
        """
        names_a_design = self.written.supernode.design or self.written.pod.design
        return self.evaluated.document if names_a_design else self.written

    @cached_property
    def own_rows(self) -> OwnRows | None:
        """The own rows that it rests on, with own prices where these were asked for.

        Raises
        ------
        ScenarioError : they are more than a file carries
        """
        return None if self.view is None else own_rows_of(self.document, self.view(), prices=self.own_prices)

    @property
    def values(self) -> dict[str, Any]:
        """The scenario as a file has it: its canonical form, and the own rows that it rests on."""
        rows = self.own_rows
        return self.document.as_dict() | ({} if rows is None else {OWN_ROWS: rows.as_dict()})

    @property
    def dated(self) -> datetime:
        """The date that files carry: never the clock's, so that one revision always gives the same file."""
        return self.saved_at or UNDATED


def work_of(
    document: ScenarioDocument, saved: SavedWork, holder: Saved | None = None, *, own_prices: bool = False
) -> Work:
    """A scenario that is not saved, or not yet; the designs that it names are. `holder` is what it is made from.

    Raises
    ------
    ForbiddenError : own prices are asked for by someone who may not pass them on
    """
    workspace = holder.workspace_id if holder else saved.workspace_id
    if own_prices:
        saved.require_own_prices(workspace)
    # anyone who came by a share sees of the workspace's rows what was saved, and nothing else by naming it
    view = (lambda: saved.catalog(workspace)) if saved.is_member(workspace) else None
    return Work(
        document, lambda: saved.evaluated(document.as_dict(), holder), view=view, own_prices=own_prices
    )


def saved_work(saved: SavedWork, id: str, revision: int | None = None, *, own_prices: bool = False) -> Work:
    """A saved scenario: its newest revision with the catalog of today, or one revision as it was.

    Raises
    ------
    NotSavedError : there is no such scenario, or no such revision of it
    ScenarioError : today's version cannot read it
    ForbiddenError : own prices are asked for by someone who may not pass them on
    """
    if own_prices:
        holder = saved.get("scenario", id) if revision is None else saved.shown("scenario", id, revision)
        saved.require_own_prices(holder.workspace_id)
    if revision is None:
        newest = saved.get("scenario", id)
        return Work(
            build_scenario(newest.document),
            lambda: saved.evaluated(newest.document, newest),
            newest.revision,
            newest.note,
            saved.revision("scenario", id, newest.revision).created_at,
            view=lambda: saved.catalog(newest.workspace_id),
            own_prices=own_prices,
        )
    asked = saved.revision("scenario", id, revision)
    return Work(
        build_scenario(asked.document),
        lambda: saved.reopened(id, revision).evaluated,
        asked.revision,
        asked.note,
        asked.created_at,
        view=lambda: saved.pinned_catalog(id, revision),
        own_prices=own_prices,
    )
