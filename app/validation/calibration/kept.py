"""Own runs that are kept with a workspace, to correct whatever is designed for their deployment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine
from sqlmodel import col, delete, select

from app.catalog.lookup import Catalog
from app.db.tables import PERSONAL_WORKSPACE_ID, OwnRunRow
from app.scenarios.load import build_scenario
from app.scenarios.saved.access import require
from app.scenarios.saved.sessions import Sessions
from app.scenarios.service import EvaluatedScenario, evaluate_scenario
from app.validation.calibration.runs import OwnRun, deployment_of, run_of_speed


class KeptRuns:
    """The kept runs of one workspace. Every method raises StorageError where the database cannot do it."""

    def __init__(self, engine: Engine, workspace_id: int = PERSONAL_WORKSPACE_ID) -> None:
        self._sessions = Sessions(engine, workspace_id)

    def of(self, scenario: EvaluatedScenario, catalog: Catalog) -> tuple[OwnRun, ...]:
        """Those of the deployment of a scenario, oldest first, predicted as of today."""
        require("read", self._sessions.workspace_id)
        with self._sessions.reading() as session:
            chosen = select(OwnRunRow).where(*self._deployment(scenario)).order_by(col(OwnRunRow.id))
            rows = session.exec(chosen).all()
        return tuple(
            run_of_speed(
                row.measured_tokens_per_s,
                evaluate_scenario(build_scenario(row.document), catalog),
                row.source,
            )
            for row in rows
        )

    def keep(self, scenario: EvaluatedScenario, runs: Sequence[OwnRun]) -> None:
        """Keep runs of the deployment of a scenario."""
        require("write", self._sessions.workspace_id)
        deployment: dict[str, Any] = {**deployment_of(scenario)}
        with self._sessions.writing() as session:
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

    def forget(self, scenario: EvaluatedScenario) -> int:
        """Forget those of the deployment of a scenario; gives how many there were."""
        require("write", self._sessions.workspace_id)
        with self._sessions.writing() as session:
            return int(session.exec(delete(OwnRunRow).where(*self._deployment(scenario))).rowcount)

    def _deployment(self, scenario: EvaluatedScenario) -> list[Any]:
        wanted = {"workspace_id": self._sessions.workspace_id, **deployment_of(scenario)}
        return [col(getattr(OwnRunRow, name)) == value for name, value in wanted.items()]
