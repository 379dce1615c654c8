"""What is exported: a scenario, its evaluation where a format asks for it, and the revision they are of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from app.scenarios.document import ScenarioDocument
from app.scenarios.load import build_scenario
from app.scenarios.saved.records import Saved
from app.scenarios.saved.store import SavedWork
from app.scenarios.service import EvaluatedScenario

UNDATED = datetime(1980, 1, 1, tzinfo=UTC)  # the first day that a ZIP file can hold


@dataclass(frozen=True)
class Work:
    """A scenario on its way out, as it was written. It is evaluated only when that is needed, and then once."""

    written: ScenarioDocument
    evaluate: Callable[[], EvaluatedScenario]
    revision: int | None = None
    note: str = ""
    saved_at: datetime | None = None

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

    @property
    def dated(self) -> datetime:
        """The date that files carry: never the clock's, so that one revision always gives the same file."""
        return self.saved_at or UNDATED


def work_of(document: ScenarioDocument, saved: SavedWork, holder: Saved | None = None) -> Work:
    """A scenario that is not saved, or not yet; the designs that it names are. `holder` is what it is made from."""
    return Work(document, lambda: saved.evaluated(document.as_dict(), holder))


def saved_work(saved: SavedWork, id: str, revision: int | None = None) -> Work:
    """A saved scenario: its newest revision with the catalog of today, or one revision as it was.

    Raises
    ------
    NotSavedError : there is no such scenario, or no such revision of it
    ScenarioError : today's version cannot read it
    """
    if revision is None:
        newest = saved.get("scenario", id)
        return Work(
            build_scenario(newest.document),
            lambda: saved.evaluated(newest.document, newest),
            newest.revision,
            newest.note,
            saved.revision("scenario", id, newest.revision).created_at,
        )
    asked = saved.revision("scenario", id, revision)
    return Work(
        build_scenario(asked.document),
        lambda: saved.reopened(id, revision).evaluated,
        asked.revision,
        asked.note,
        asked.created_at,
    )
