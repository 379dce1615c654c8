"""The timeline of one training step: when every pipeline stage computes and waits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.charts.format import percent, show, signed_percent
from app.engine.running.job import running
from app.engine.running.pipeline import BACKWARD, KINDS, PipelineStep
from app.engine.running.step_timeline import StepTimeline, step_timeline
from app.engine.trace import first_of
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind, training_run

PURPOSE = "Timeline of a step"
MOST_OPERATIONS = 30_000
"""Of an answer, some 3 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineStage:
    """One pipeline stage in the simulated step; stages count from 1."""

    stage: int
    layers: float
    forward_s: float  # of passes alone on the stage, as the next three
    input_gradient_s: float
    weight_gradient_s: float
    backward_s: float  # both gradients in one operation
    paired_s: float  # a forward pass beside a backward pass
    busy_s: float
    waiting_s: float
    chunks_held: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineOperations:
    """Operations by start, each a place of every list; stages, chunks and micro-batches count from 1.

    `paired` operations are a forward pass and a backward pass that run as one; the output of one that `sends` goes to
    another stage.
    """

    stage: list[int]
    chunk: list[int]
    micro_batch: list[int]
    kind: list[str]
    start_s: list[float]
    end_s: list[float]
    paired: list[bool]
    sends: list[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineView:
    """A simulated step beside its closed form, of the median sample.

    Figures are of `simulated_micro_batches`, all of a step where it has no more operations than a simulation takes;
    `operations` are of a step of `shown_micro_batches`. The optimiser and the exchange of gradients come after it.
    """

    name: str
    schedule: str
    stages: int
    chunks_per_stage: int
    micro_batches: int
    simulated_micro_batches: int
    shown_micro_batches: int
    transfer_s: float
    simulated_s: float
    formula_s: float
    longest_stage_s: float
    waiting_share: float
    by_stage: tuple[TimelineStage, ...]
    operations: TimelineOperations


def timeline_view(scenario: EvaluatedScenario, most_operations: int = MOST_OPERATIONS) -> TimelineView:
    """The timeline of a design that trains on one kind of SuperNode.

    Raises
    ------
    ScenarioError : it does something else, or has a step of unknown length
    """
    design = scenario.resolved.design
    run = training_run(design, scenario.evaluation.sections, PURPOSE)
    one_kind(design, PURPOSE)
    if not np.isfinite(first_of(run.performance.step_time_s)):
        raise refuse(
            f"{PURPOSE} needs a step time, which is unknown for this design.",
            rule="step_time",
            path="",
            value=None,
            hint="The problems of its evaluation name what is missing.",
        )
    found = step_timeline(running(design), most_operations)
    step = found.step
    return TimelineView(
        name=scenario.document.name,
        schedule=found.schedule,
        stages=found.stages,
        chunks_per_stage=found.chunks,
        micro_batches=found.micro_batches,
        simulated_micro_batches=found.simulated_micro_batches,
        shown_micro_batches=found.shown_micro_batches,
        transfer_s=found.transfer_s,
        simulated_s=step.span_s,
        formula_s=found.formula_s,
        longest_stage_s=step.longest_stage_s,
        waiting_share=float(step.idle_s.sum() / (step.span_s * found.stages)),
        by_stage=tuple(_stage(found, place) for place in range(found.stages)),
        operations=_operations(found.shown),
    )


def _stage(found: StepTimeline, place: int) -> TimelineStage:
    step = found.step
    here = step.stage == place
    lasts = step.end_s - step.start_s
    alone = [float(lasts[here & ~step.paired & (step.kind == kind)].sum()) for kind in range(len(KINDS))]
    forward, inputs, weights, backward = alone
    return TimelineStage(
        stage=place + 1,
        layers=float(found.layers[place]),
        forward_s=forward,
        input_gradient_s=inputs,
        weight_gradient_s=weights,
        backward_s=backward,
        paired_s=float(lasts[here & step.paired & (step.kind == BACKWARD)].sum()),
        busy_s=float(step.busy_s[place]),
        waiting_s=float(step.idle_s[place]),
        chunks_held=int(step.peak_chunks[place]),
    )


def _operations(step: PipelineStep) -> TimelineOperations:
    words = [kind.replace(" ", "_") for kind in KINDS]
    return TimelineOperations(
        stage=(step.stage + 1).tolist(),
        chunk=(step.chunk + 1).tolist(),
        micro_batch=(step.micro_batch + 1).tolist(),
        kind=[words[kind] for kind in step.kind],
        start_s=step.start_s.tolist(),
        end_s=step.end_s.tolist(),
        paired=step.paired.tolist(),
        sends=step.sends.tolist(),
    )


BAR, CELLS = "#", 40


def timeline_text(view: TimelineView) -> str:
    """Simulation and closed form, and how much of the step each stage computes and waits."""
    lines = [
        (
            f"{view.name}: {view.schedule}, {view.stages} stages of {view.chunks_per_stage} chunks, "
            f"{view.micro_batches:,} micro-batches"
        ),
        (
            f"Simulated {show(view.simulated_s, 's').text}, closed form {show(view.formula_s, 's').text} "
            f"({signed_percent(view.formula_s / view.simulated_s - 1)}), without optimiser and exchange of gradients."
        ),
    ]
    if view.simulated_micro_batches < view.micro_batches:
        lines.append(f"Both are of {view.simulated_micro_batches:,} micro-batches.")
    lines += [f"Stages wait {percent(view.waiting_share).text} of the time.", ""]
    lines.append(f"{'Stage':>5}  {'Layers':>6}  {'Busy':>9}  {'Waiting':>9}  {'Chunks held':>11}")
    for stage in view.by_stage:
        share = stage.busy_s / view.simulated_s
        lines.append(
            f"{stage.stage:>5}  {stage.layers:>6g}  {show(stage.busy_s, 's').text:>9}  "
            f"{percent(1 - share).text:>9}  {stage.chunks_held:>11}  {BAR * round(CELLS * share)}"
        )
    return "\n".join(lines)
