"""What is said of versions that no constants were fitted to."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.load import build_scenario
from app.scenarios.service import evaluate_scenario
from tests.scenarios.serving.cases import values


@pytest.mark.parametrize(
    ("version", "said"),
    [("99.1", "is newer than any"), ("mine", "is not a known version"), ("0.19.0", ""), (None, "")],
)
def test_a_version_that_was_never_measured_is_a_warning(
    seeded_data_dir: object, version: str | None, said: str
) -> None:
    engine = {"name": "vllm"} | ({"version": version} if version else {})
    scenario = evaluate_scenario(build_scenario(values(engine=engine, layout={"tp": 8})), ready_catalog())
    found = [problem for problem in scenario.problems if problem.field == "workload.engine.version"]
    assert [problem.kind for problem in found] == (["warning"] if said else [])
    assert all(said in problem.message for problem in found)
