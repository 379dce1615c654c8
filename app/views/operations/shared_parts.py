"""What a run loses to racks, feeds, cooling and planes of the fabric: in closed form, and simulated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.engine.facility.availability import BLOCKS, cooling_scheme
from app.engine.operations import spares
from app.engine.operations.section import copies_of
from app.engine.running.shared_parts import (
    HOUR_S,
    SharedPart,
    left_by_planes,
    share_of_copies,
    share_of_plane,
    waiting_with_shared_parts_s,
    with_shared_parts,
)
from app.engine.running.training_run import RunPlan, simulate_runs
from app.engine.trace import first_of
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.checkpoints import useful_share
from app.views.operations.of_run import OfRun, files_of, run_of
from app.views.table import Column, FileColumn, fixed, percents, text_table, time

SEED = 1
RUNS = 200
MOST_FAILURES = 400_000  # that are simulated
EXCHANGE = ("cp", "ep", "pp_transfer", "dp")
"""Exposed exchange that is taken to run over the scale-out fabric, all of it."""
REPAIRED = {
    "feeds": "utility_feed",
    "mv_transformer": "mv_transformer",
    "lv_transformer": "lv_transformer",
    "ups": "ups",
    "distribution": "distribution",
    "cooling": "cooling_unit",
    "cdu": "cdu",
}
"""Blocks of the facility by the name of their time to repair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPartLine:
    """Parts of one kind; `lost` is of the time, with restarts and work done again. Unknown is NaN."""

    part: str
    label: str
    count: float
    failures_per_year: float
    out_s: float
    taken_share: float
    effect: str  # stops | slows
    lost_share: float
    lost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPartsAnswer:
    """Every kind of part, and the share of useful time with and without them."""

    name: str
    parts: tuple[SharedPartLine, ...]
    copies: float
    planes: float
    ettr_without: float
    ettr: float
    simulated_without: float
    simulated: float
    runs: int


def shared_parts_answer(scenario: EvaluatedScenario) -> SharedPartsAnswer:
    """Losses of a run by shared parts.

    Raises
    ------
    ScenarioError : there is no run, or a number of it is unknown
    """
    run = run_of(scenario)
    plan, waiting = run.plan(), first_of(run.reliability.waiting_s)
    parts = _parts(scenario, run)
    unknown = [one.label for one in parts if not math.isfinite(one.failures_per_day * one.lost_share)]
    if unknown:
        raise refuse(
            f"The loss is unknown: {', '.join(unknown)} unknown.",
            rule="unknown",
            hint="The design page names the inputs that are missing.",
        )
    whole = with_shared_parts(plan, parts)
    without, ettr = _useful(plan, waiting, ()), _useful(plan, waiting, parts)
    each = max(2 * plan.work_s * (1 / whole.mtbf_s), 1.0)
    runs = int(np.clip(MOST_FAILURES / each, 10, RUNS))
    simulated = [
        simulate_runs(one, runs=runs, seed=SEED).shares(plan.work_s)["productive"] for one in (plan, whole)
    ]
    return SharedPartsAnswer(
        name=scenario.document.name,
        parts=tuple(
            SharedPartLine(
                part=one.name,
                label=one.label,
                count=one.count,
                failures_per_year=one.failures_per_day * 365,
                out_s=one.out_s,
                taken_share=one.taken_share,
                effect="stops" if one.stops else "slows",
                lost_share=one.lost_share,
                lost=without - _useful(plan, waiting, (one,)),
            )
            for one in parts
        ),
        copies=_copies(run),
        planes=_planes(run),
        ettr_without=without,
        ettr=ettr,
        simulated_without=simulated[0],
        simulated=simulated[1],
        runs=runs,
    )


def _useful(plan: RunPlan, waiting_s: float, parts: tuple[SharedPart, ...]) -> float:
    whole = with_shared_parts(plan, parts)
    waits = waiting_with_shared_parts_s(plan, waiting_s, parts)
    useful = useful_share(whole, waits, np.array([plan.interval_s]), None)
    return float(useful[0]) * left_by_planes(parts)


def _copies(run: OfRun) -> float:
    known = run.design.assumptions.rooms["operations"]
    return first_of(
        spares.copies_that_go_on(
            copies=copies_of(run.workload, run.performance), elastic_operation=known.elastic_operation
        )
    )


def _planes(run: OfRun) -> float:
    plan = run.design.pod.fabric
    return 0.0 if plan.switch is None else first_of(plan.planes)


def _parts(scenario: EvaluatedScenario, run: OfRun) -> tuple[SharedPart, ...]:
    rooms, power = run.design.assumptions.rooms, scenario.evaluation.sections.power
    known, site, copies = rooms["operations"], rooms["facility"], _copies(run)

    def part(name: str, label: str, count: float, per_hour: float, out_hours: float) -> SharedPart:
        taken = 1 / max(count, 1.0)
        return SharedPart(
            name=name,
            label=label,
            count=count,
            failures_per_day=per_hour * 24 * count,
            out_s=out_hours * HOUR_S,
            taken_share=taken,
            lost_share=share_of_copies(taken, copies),
            stops=True,
        )

    found = [
        part(
            "rack", "Racks", first_of(power.racks), 1 / first_of(known.rack_mtbf_hours), first_of(known.rack_mttr_hours)
        )
    ]  # fmt: skip
    facility = run.design.facility
    cooled = cooling_scheme(facility.redundancy, facility.cooling_redundancy)
    for block, hours in power.outage_breakdown_hours.items():
        if block not in REPAIRED or not first_of(hours) > 0:
            continue
        out = first_of(getattr(site, f"{REPAIRED[block]}_mttr_hours"))
        count = _count(scenario, block)
        scheme = cooled if block in ("cooling", "cdu") else facility.redundancy
        label = f"{BLOCKS[block][0].upper()}{BLOCKS[block][1:]}, {scheme}"
        found.append(part(block, label, count, first_of(hours) / 8760 / out, out))
    planes = _planes(run)
    if planes > 0:
        found.append(_plane(run, planes))
    return tuple(found)


def _count(scenario: EvaluatedScenario, block: str) -> float:
    """Parts of the pod that fail apart from each other: one supply, and blocks by the power that one carries."""
    sections, site = scenario.evaluation.sections, scenario.resolved.whole.assumptions.rooms["facility"]
    if block == "feeds":
        return 1.0
    load = sections.cooling.liquid_heat_design_w if block == "cdu" else sections.power.it_power_design_w
    name = "cooling_unit_w" if block == "cooling" else f"{block}_unit_w"
    return float(max(np.ceil(first_of(load) / first_of(getattr(site, name))), 1.0))


def _plane(run: OfRun, planes: float) -> SharedPart:
    known = run.design.assumptions.rooms["operations"]
    seconds = {name: first_of(value) for name, value in run.performance.time_breakdown_s.items()}
    step = first_of(run.performance.step_time_s)
    exchange = sum(seconds.get(name, 0.0) for name in EXCHANGE) / step
    several = planes > 1
    return SharedPart(
        name="plane",
        label="Planes of the fabric",
        count=planes,
        failures_per_day=24 * planes / first_of(known.plane_mtbf_hours),
        out_s=first_of(known.plane_mttr_hours) * HOUR_S,
        taken_share=1 / planes,
        lost_share=share_of_plane(exchange, planes),
        stops=not several,
    )


COLUMNS = (
    Column("Part", "label", width=-38),
    Column("Parts", "count", fixed(0), 7),
    Column("a year", "failures_per_year", fixed(3), 10),
    Column("out", "out_s", time, 10),
    Column("takes", "taken_share", percents(1), 9),
    Column("effect", "effect", width=8),
    Column("job lost", "lost_share", percents(1), 10),
    Column("time lost", "lost", percents(3), 11),
)
FILES = files_of(
    (
        FileColumn("Part", "label", None, 38),
        FileColumn("Parts", "count", "1"),
        FileColumn("Failures per year", "failures_per_year", "1"),
        FileColumn("Time out", "out_s", "s"),
        FileColumn("Lost share of the pod", "taken_share", "1"),
        FileColumn("Effect", "effect", None),
        FileColumn("Lost throughput meanwhile", "lost_share", "1", 22),
        FileColumn("Time lost", "lost", "1"),
    ),
    lambda answer: answer.parts,
    name="shared_parts",
)


def shared_parts_text(answer: SharedPartsAnswer) -> str:
    """A line a kind of part, and the share of useful time with and without."""
    useful = (
        f"ETTR {answer.ettr_without:.2%} without them, {answer.ettr:.2%} with them; simulated "
        f"{answer.simulated_without:.2%} and {answer.simulated:.2%} over {answer.runs:,} runs."
    )
    return "\n".join(
        [
            *text_table(COLUMNS, answer.parts),
            "",
            useful,
            f"{answer.copies:,.0f} copies of the model go on without each other; {answer.planes:,.0f} planes.",
        ]
    )
