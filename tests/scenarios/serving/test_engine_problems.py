"""What is said of versions that no constants were fitted to, and of formats without units."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
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


@pytest.mark.parametrize(
    ("system", "precision", "said"),
    [
        ("dgx_h200", "nvfp4", True),
        ("dgx_h200", "w4a16", False),
        ("dgx_b200", "nvfp4", False),
        ("dgx_h200", "fp8", False),
    ],
)
def test_a_format_without_units_is_a_warning(
    seeded_data_dir: object, system: str, precision: str, said: bool
) -> None:
    """A format of weights alone is meant to be dequantised, and says nothing."""
    asked = values(
        system,
        model="llama_3_1_70b",
        precision=precision,
        engine={"name": "vllm"},
        layout={"tp": 8},
        concurrency=8,
    )
    problems = evaluate_scenario(build_scenario(asked), ready_catalog()).problems
    found = [one.message for one in problems if one.constraint == "number_format"]
    assert bool(found) == said
    assert all("multiplied in 16 bit" in message for message in found)
