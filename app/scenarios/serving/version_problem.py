"""What is said of a version of an engine that no constants were fitted to."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog.engine_versions import era_of
from app.engine.problems import Problem
from app.engine.specs import Design, ServingWorkload
from app.scenarios.document import ScenarioDocument, ServingDocument


def version_problems(document: ScenarioDocument, design: Design) -> Iterator[Problem]:
    """A warning where the version of the engine is unknown, or newer than any that was measured."""
    if not isinstance(document.workload, ServingDocument) or not isinstance(design.workload, ServingWorkload):
        return
    assumed = era_of(design.workload.engine, document.workload.engine.version).assumed
    if assumed:
        yield Problem(
            kind="warning",
            field="workload.engine.version",
            constraint="engine_version",
            message=f"{assumed}. An own measurement corrects what it does better: `podwright calibrate`.",
        )
