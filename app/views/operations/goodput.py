"""Goodput: scheduled hours step by step down to useful FLOP, in shares of the scheduled time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.charts.format import share_text
from app.engine.performance.section import Performance
from app.engine.quantities import label_at
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.of_run import OfRun, files_of, run_of
from app.views.table import Column, FileColumn, fixed, percents, text_table

PARTS = "performance.time_breakdown_s"
BREAKDOWN = "reliability.goodput_breakdown"
EXCHANGE = ("tp", "cp", "ep", "pp_transfer", "dp")
COMPUTING = ("gemm", "attention", "memory_bound", "prediction", "optimizer")
"""Parts of a training step that hold its useful arithmetic."""
SUM_WITHIN = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodputStep:
    """A share of the scheduled time, and what is left after it. `known` is whether the evaluation has it.

    `path` is where the figure is explained, "" for a sum of several or none; `kind` is start, loss, total or end.
    """

    name: str
    label: str
    share: float
    left: float
    accelerator_hours: float
    kind: str
    known: bool
    path: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodputAnswer:
    """The steps from scheduled hours to useful FLOP. Unknown is NaN."""

    name: str
    scheduled_accelerator_hours: float
    ettr: float  # with the outages of the site
    mfu: float
    useful: float  # that times MFU, or what the steps leave of a job without MFU
    verdict: str
    steps: tuple[GoodputStep, ...]


def goodput_answer(scenario: EvaluatedScenario) -> GoodputAnswer:
    """Where scheduled accelerator-hours go.

    Raises
    ------
    ScenarioError : there is no run
    """
    run = run_of(scenario)
    performance, pod = run.performance, run.design.pod
    assert run.reliability.goodput_breakdown is not None, "a run has it"
    assert performance.elapsed_time_s is not None, "a run has it"
    hours = first_of(performance.elapsed_time_s) * first_of(pod.accelerators_used) / 3600
    up = first_of(scenario.evaluation.sections.power.facility_availability)
    site = "" if math.isnan(up) else "power.facility_availability"
    up = up if site else 1.0
    ettr = up * first_of(run.reliability.goodput_breakdown["productive"])
    mfu = first_of(performance.mfu) if isinstance(performance, Performance) else math.nan
    losses = _of_time(run.reliability.goodput_breakdown, up, site)
    left, steps = 1.0, [_step("scheduled", "Scheduled hours", 1.0, 1.0, hours, kind="start")]

    def lose(name: str, label: str, share: float, **more: object) -> None:
        nonlocal left
        left -= share
        steps.append(_step(name, label, share, left, hours, **more))  # type: ignore[arg-type]

    for name, label, share, known, path, note in losses:
        lose(name, label, share, known=known, path=path, note=note)
    left = ettr
    steps.append(
        _step(
            "productive",
            "Training advances",
            ettr,
            ettr,
            hours,
            kind="total",
            path="reliability.ettr_at_site",
        )
    )
    for name, label, share, path in _of_step(run, ettr, mfu):
        lose(name, label, share, path=path)
    useful = ettr * mfu if isinstance(performance, Performance) else left
    steps.append(
        _step(
            "useful", "Useful FLOP" if isinstance(performance, Performance) else "Arithmetic", useful, useful, hours,
            kind="end", path="performance.mfu" if isinstance(performance, Performance) else f"{PARTS}.arithmetic",
            note="ETTR at the site times MFU, against the peak of the accelerators" if isinstance(performance, Performance) else "",
        )
    )  # fmt: skip
    return GoodputAnswer(
        name=scenario.document.name,
        scheduled_accelerator_hours=hours,
        ettr=ettr,
        mfu=mfu,
        useful=useful,
        verdict=_verdict(mfu, ettr, steps),
        steps=tuple(steps),
    )


MOST_NAMED = 3
"""Losses of a step that a sentence names."""
LEAST_NAMED = 0.005


def _verdict(mfu: float, ettr: float, steps: list[GoodputStep]) -> str:
    """Why a step does not reach the peak: its losses, the largest first; they and MFU add up to the step."""
    after = next(place for place, one in enumerate(steps) if one.kind == "total")
    losses = sorted((one for one in steps[after + 1 :] if one.kind == "loss"), key=lambda one: -one.share)
    named = [
        f"{one.label[0].lower()}{one.label[1:]} ({share_text(one.share / ettr, 1)})"
        for one in losses[:MOST_NAMED]
        if ettr and one.share / ettr >= LEAST_NAMED
    ]
    if not named:
        return "No part of a step is lost." if losses else "Where a step loses its time is unknown."
    rest = sum(one.share for one in losses) / ettr - sum(one.share for one in losses[: len(named)]) / ettr
    if rest >= LEAST_NAMED:
        named.append(f"all others ({share_text(rest, 1)})")
    words = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
    if math.isnan(mfu):
        return f"The step is lost to {words}."
    return f"MFU is {share_text(mfu, 1)}; the rest of each step is lost to {words}."


def _step(
    name: str,
    label: str,
    share: float,
    left: float,
    hours: float,
    *,
    kind: str = "loss",
    known: bool = True,
    path: str = "",
    note: str = "",
) -> GoodputStep:
    return GoodputStep(
        name=name, label=label, share=share, left=left, accelerator_hours=share * hours, kind=kind, known=known, path=path,
        note=note,
    )  # fmt: skip


def _of_time(
    shares: Mapping[str, Array], up: float, site: str
) -> list[tuple[str, str, float, bool, str, str]]:
    """Losses of elapsed time at a site that is up a share of it; what is not known is counted as nothing, and says so.

    `site` is where that share is explained, "" where it is unknown.
    """
    missing = "not in the evaluation: counted as 0"
    known = [
        ("waiting", "Waiting for spares"),
        ("restart", "Restarts"),
        ("lost_work", "Recomputed work"),
        ("checkpoint", "Checkpoint stalls"),
    ]
    return [
        ("site", "Power and cooling of the site", 1 - up, bool(site), site, "" if site else missing),
        ("queue", "Queue before the job starts", 0.0, False, "", missing),
        *(
            (name, label, up * first_of(shares[name]), True, f"{BREAKDOWN}.{name}", "")
            for name, label in known
        ),
    ]


def _of_step(run: OfRun, ettr: float, mfu: float) -> list[tuple[str, str, float, str]]:
    """Losses of the step, in shares of elapsed time; kernels are what computing leaves of the peak."""
    parts = {name: first_of(seconds) for name, seconds in run.performance.time_breakdown_s.items()}
    step_s = first_of(run.performance.step_time_s)

    def of(*names: str) -> float:
        return ettr * sum(parts[name] for name in names) / step_s

    if not isinstance(run.performance, Performance):
        return [
            (name, label_at(f"{PARTS}.{name}"), of(name), f"{PARTS}.{name}")
            for name in parts
            if name != "arithmetic"
        ]
    single = ("straggler", "pp_bubble", "recompute", "offload", "launch", "calibration")
    labels = {
        "straggler": "Stragglers",
        "pp_bubble": "Pipeline bubble",
        "recompute": "Recomputation",
        "offload": "Offload",
        "launch": "Kernel launches",
        "calibration": "Calibration by own runs",
    }
    found = [("exchange", "Exposed exchange", of(*EXCHANGE), "")]
    found += [(name, labels[name], of(name), f"{PARTS}.{name}") for name in single if parts[name] != 0]
    order = ("straggler", "exchange", "pp_bubble", "recompute", "offload", "launch", "calibration")
    found.sort(key=lambda one: order.index(one[0]))
    return [*found, ("kernels", "Kernels below peak", of(*COMPUTING) - ettr * mfu, "")]


COLUMNS = (
    Column("", "label", width=-34),
    Column("Share", lambda step: math.nan if not step.known else step.share, percents(2), 10),
    Column("Left", "left", percents(2), 10),
    Column("Accelerator-hours", "accelerator_hours", fixed(0), 20),
    Column("", "note"),
)
FILES = files_of(
    (
        FileColumn("Step", "label", None, 34),
        FileColumn("Share", "share", "1"),
        FileColumn("Left", "left", "1"),
        FileColumn("Accelerator-hours", "accelerator_hours", "1", 18),
        FileColumn("Note", "note", None, 40),
    ),
    lambda answer: answer.steps,
    name="goodput",
)


def goodput_text(answer: GoodputAnswer) -> str:
    """Why it is no more, and a line a step."""
    return "\n".join([answer.verdict, "", *text_table(COLUMNS, answer.steps)])
