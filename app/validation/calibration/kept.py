"""Own runs that are kept with a workspace, to correct whatever is designed for their deployment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session, col, delete, func, select

from app.catalog.lookup import Catalog
from app.db.tables import PERSONAL_WORKSPACE_ID, OwnRunRow
from app.saved.access import LOCAL, Actor
from app.saved.sessions import Sessions
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.load import build_scenario
from app.validation.calibration.runs import OwnRun, deployment_of, run_of_speed

MOST_KEPT = 1000
"""Runs of one workspace."""


class NoKeptRunError(LookupError):
    """The workspace keeps no run with this id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A run as it is kept: what was measured of which scenario. Its prediction is made when it is used."""

    id: int
    scenario: str  # its name
    accelerator: str
    framework: str
    precision: str
    source: str
    measured_tokens_per_s: float  # of one accelerator
    kept_at: datetime

    @property
    def deployment(self) -> dict[str, str]:
        """Properties that runs share with a scenario that they correct."""
        return {"accelerator": self.accelerator, "framework": self.framework, "precision": self.precision}


class KeptRuns:
    """The kept runs of one workspace. Every method raises StorageError where the database cannot do it."""

    def __init__(
        self, engine: Engine, workspace_id: int = PERSONAL_WORKSPACE_ID, actor: Actor = LOCAL
    ) -> None:
        self._sessions = Sessions(engine, actor, workspace_id)

    @property
    def has_workspace(self) -> bool:
        """Return whether there is a workspace to keep runs with: guests have none."""
        return self._sessions.workspace_id != 0

    def of(self, scenario: EvaluatedScenario, catalog: Catalog) -> tuple[OwnRun, ...]:
        """Those of the deployment of a scenario, oldest first, predicted as of today.

        Anyone who has no workspace, as a guest has none, has no kept runs either.
        """
        if not self.has_workspace:
            return ()
        self._sessions.require("read")
        with self._sessions.reading() as session:
            chosen = select(OwnRunRow).where(*self._deployment(scenario)).order_by(col(OwnRunRow.id))
            rows = session.exec(chosen).all()
        return tuple(
            run_of_speed(
                row.measured_tokens_per_s,
                evaluated(build_scenario(row.document), catalog),
                row.source,
            )
            for row in rows
        )

    def keep(self, scenario: EvaluatedScenario, runs: Sequence[OwnRun]) -> None:
        """Keep runs of the deployment of a scenario.

        Raises
        ------
        ScenarioError : the workspace would keep too many
        """
        self._sessions.require("write")
        deployment: dict[str, Any] = {**deployment_of(scenario)}
        with self._sessions.writing() as session:
            _check_room(self._count(session), len(runs))
            session.add_all(
                OwnRunRow(
                    workspace_id=self._sessions.workspace_id,
                    **deployment,
                    source=run.source[:500],
                    measured_tokens_per_s=run.measured,
                    document=run.document,
                )
                for run in runs
            )

    def listed(self) -> tuple[KeptRun, ...]:
        """All of the workspace, the newest first."""
        self._sessions.require("read")
        with self._sessions.reading() as session:
            mine = select(OwnRunRow).where(col(OwnRunRow.workspace_id) == self._sessions.workspace_id)
            return tuple(_kept(row) for row in session.exec(mine.order_by(col(OwnRunRow.id).desc())))

    def remove(self, id: int) -> None:
        """Forget one run.

        Raises
        ------
        NoKeptRunError : there is none with this id
        """
        self._sessions.require("write")
        with self._sessions.writing() as session:
            row = session.get(OwnRunRow, id)
            if row is None or row.workspace_id != self._sessions.workspace_id:
                raise NoKeptRunError(f"There is no kept run {id}.")
            session.delete(row)

    def forget(self, scenario: EvaluatedScenario) -> int:
        """Forget those of the deployment of a scenario; gives how many there were."""
        self._sessions.require("write")
        with self._sessions.writing() as session:
            return int(session.exec(delete(OwnRunRow).where(*self._deployment(scenario))).rowcount)

    def _deployment(self, scenario: EvaluatedScenario) -> list[Any]:
        wanted = {"workspace_id": self._sessions.workspace_id, **deployment_of(scenario)}
        return [col(getattr(OwnRunRow, name)) == value for name, value in wanted.items()]

    def _count(self, session: Session) -> int:
        mine = col(OwnRunRow.workspace_id) == self._sessions.workspace_id
        return int(session.exec(select(func.count()).select_from(OwnRunRow).where(mine)).one())


def _kept(row: OwnRunRow) -> KeptRun:
    assert row.id is not None  # as of any row that was read
    return KeptRun(
        id=row.id,
        scenario=str(row.document.get("name", "")),
        accelerator=row.accelerator,
        framework=row.framework,
        precision=row.precision,
        source=row.source,
        measured_tokens_per_s=row.measured_tokens_per_s,
        kept_at=row.created_at,
    )


def _check_room(kept: int, more: int) -> None:
    if kept + more > MOST_KEPT:
        raise refuse(
            f"keep would make {kept + more:,} kept runs; a workspace keeps {MOST_KEPT:,}.",
            rule="too_many",
            path="keep",
            hint="Remove some that are out of date.",
        )
