"""What is said of an engine whose version was never measured, and of formats that it has no units for."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog.number_formats import number_formats
from app.catalog.serving_engines import era_of_engine
from app.engine.problems import Problem
from app.engine.specs import Design, ServingWorkload
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument

PART_WORDS = {"outside_experts": "outside the experts", "experts": "of the experts"}


def engine_problems(document: ScenarioDocument, design: Design) -> Iterator[Problem]:
    """A warning where the version is unknown or newer than any measured, and where a format is dequantised."""
    if not isinstance(document.workload, ServingDocument) or not isinstance(design.workload, ServingWorkload):
        return
    assumed = era_of_engine(design.workload.engine, document.workload.engine.version).assumed
    if assumed:
        yield Problem(
            kind="warning",
            field="workload.engine.version",
            constraint="engine_version",
            message=f"{assumed}. An own measurement corrects what it does better: `podwright calibrate`.",
        )
    yield from _dequantised(document.workload, design.workload.dequantised, design.supernode.accelerator.name)
    for kind in design.kinds:
        yield from _dequantised(document.workload, kind.dequantised, kind.supernode.accelerator.name)


def _dequantised(document: ServingDocument, parts: str, chip: str) -> Iterator[Problem]:
    for part in filter(None, parts.split(", ")):
        stated = getattr(document.parts, part)
        form = number_formats()[stated or document.precision]
        if form.weights_alone:
            continue
        yield Problem(
            kind="warning",
            field=f"workload.parts.{part}" if stated else "workload.precision",
            constraint="number_format",
            message=f"{chip} has no units for {form.label}: weights {PART_WORDS[part]} are dequantised on the way and "
            "multiplied in 16 bit, which saves memory and its traffic and no arithmetic.",
        )
