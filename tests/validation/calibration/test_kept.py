"""Own runs stay with their workspace, as what was measured."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.saved.access import ForbiddenError
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.calibration.kept import KeptRuns, NoKeptRunError
from app.validation.calibration.runs import deployment_of, run_of_speed
from tests.databases import engine_in
from tests.scenarios.support import scenario as smallest


@pytest.fixture
def engine(seeded_data_dir: Path, tmp_path: Path) -> Engine:
    return engine_in(shutil.copytree(seeded_data_dir, tmp_path / "own"))


@pytest.fixture(scope="module")
def scenario(catalog: Catalog) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(smallest()), catalog)


def test_what_is_kept_comes_back_oldest_first(
    engine: Engine, scenario: EvaluatedScenario, catalog: Catalog
) -> None:
    runs = [run_of_speed(speed, scenario, f"{speed}") for speed in (9000.0, 8000.0)]
    for run in runs:
        KeptRuns(engine).keep(scenario, [run])
    assert KeptRuns(engine).of(scenario, catalog) == tuple(runs)


def test_predictions_are_of_the_engine_of_the_day(
    engine: Engine, scenario: EvaluatedScenario, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row holds the measurement and the scenario; what is predicted of them is computed when it is read."""
    KeptRuns(engine).keep(scenario, [run_of_speed(9000.0, scenario, "log")])
    slower = evaluate_scenario(
        build_scenario(smallest(assumptions={"performance.software_efficiency": 0.5})), catalog
    )
    monkeypatch.setattr("app.validation.calibration.kept.evaluated", lambda *_: slower)
    (again,) = KeptRuns(engine).of(scenario, catalog)
    assert again.measured == 9000
    assert again.predicted < run_of_speed(9000.0, scenario, "log").predicted


def test_other_deployments_have_their_own(
    engine: Engine, scenario: EvaluatedScenario, catalog: Catalog
) -> None:
    kept = KeptRuns(engine)
    kept.keep(scenario, [run_of_speed(9000.0, scenario, "log")])
    other = evaluate_scenario(build_scenario(smallest(workload__precision="fp8")), catalog)
    assert kept.of(other, catalog) == ()
    assert (kept.forget(other), kept.forget(scenario), kept.forget(scenario)) == (0, 1, 0)


def test_another_workspace_is_refused(engine: Engine, scenario: EvaluatedScenario, catalog: Catalog) -> None:
    theirs = KeptRuns(engine, workspace_id=2)
    with pytest.raises(ForbiddenError):
        theirs.of(scenario, catalog)
    with pytest.raises(ForbiddenError):
        theirs.keep(scenario, [])
    with pytest.raises(ForbiddenError):
        theirs.forget(scenario)


def test_listed_and_removed_one_by_one(engine: Engine, scenario: EvaluatedScenario) -> None:
    kept = KeptRuns(engine)
    kept.keep(scenario, [run_of_speed(speed, scenario, f"{speed}") for speed in (9000.0, 8000.0)])
    newest, oldest = kept.listed()
    assert (newest.source, oldest.source) == ("8000.0", "9000.0")
    assert newest.deployment == deployment_of(scenario)
    kept.remove(newest.id)
    assert kept.listed() == (oldest,)
    with pytest.raises(NoKeptRunError):
        kept.remove(newest.id)


def test_a_workspace_keeps_only_so_many(
    engine: Engine, scenario: EvaluatedScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.validation.calibration.kept.MOST_KEPT", 2)
    kept = KeptRuns(engine)
    run = run_of_speed(9000.0, scenario, "log")
    kept.keep(scenario, [run])
    with pytest.raises(ScenarioError, match="would make 3 kept runs"):
        kept.keep(scenario, [run, run])
    assert len(kept.listed()) == 1
