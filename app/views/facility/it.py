"""Report of the IT power of a design: by component, under caps, and how it swings."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.engine.design import evaluate_sections
from app.engine.evaluation import Sections
from app.engine.facility.it.breakdown import CapPoint, ItTotals, PartLine
from app.engine.facility.it.transients import SwingTrace, Transients, swing_trace, transients
from app.engine.facility.it.utilisation import power_utilisation
from app.engine.facility.utility_limit import LEAST_CAP
from app.engine.problems import Problem
from app.engine.running.job import running
from app.engine.specs import Design, SuperNode
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.facility.it_parts import load_of, part_lines
from app.views.table import Column, fixed, number, percents, text_table, titled_line

CAP_STEP = 0.05


class ItOptions(Part):
    """Limits of the utility feed."""

    ramp_limit_w_per_s: Annotated[float, Field(gt=0, le=1e9)] | None = Field(
        default=None,
        description="Change of power in a second that the utility allows; 1 % of the peak when left out.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLoad:
    """One SuperNode at the inlet of its rack, and how its job loads it."""

    load_profile: str
    busy_share: float  # of the step; unknown for a generic job
    power_utilisation: float  # mean over rating, without a cap
    power_cap: float  # of TDP; unknown without one
    idle_w: float
    pause_w: float
    mean_w: float
    peak_w: float
    rating_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItAnswer:
    """IT power of a design. Unknown is NaN."""

    totals: ItTotals
    node: NodeLoad
    parts: tuple[PartLine, ...]
    caps: tuple[CapPoint, ...]
    transients: Transients
    trace: SwingTrace
    problems: tuple[Problem, ...]


def it_answer(scenario: EvaluatedScenario, catalog: CatalogView, options: ItOptions) -> ItAnswer:
    """IT power of a scenario by component, over power caps, and its swing."""
    sections, power = scenario.evaluation.sections, scenario.evaluation.sections.power
    design, it, busy = load_of(scenario)
    assumptions = design.assumptions.rooms["facility"]
    stated = options.ramp_limit_w_per_s
    with np.errstate(invalid="ignore", divide="ignore"):
        found = transients(
            power=power,
            step_time_s=sections.performance.step_time_s,
            ramp_limit_w_per_s=None if stated is None else np.array([stated]),
            assumptions=assumptions,
        )
        trace = swing_trace(found)
    each = it.supernode
    return ItAnswer(
        totals=ItTotals(
            idle_w=first_of(power.it_power_idle_w),
            mean_w=first_of(power.it_power_mean_w),
            peak_w=first_of(power.it_power_peak_w),
            design_w=first_of(power.it_power_design_w),
        ),
        node=NodeLoad(
            load_profile=design.facility.load_profile,
            busy_share=first_of(busy),
            power_utilisation=first_of(power_utilisation(design.facility.load_profile, busy, assumptions)),
            power_cap=first_of(design.supernode.accelerator.power_cap),
            idle_w=first_of(each.idle_w),
            pause_w=first_of(each.pause_w),
            mean_w=first_of(each.mean_w),
            peak_w=first_of(each.peak_w),
            rating_w=first_of(each.rating_w),
        ),
        parts=part_lines(scenario, catalog, design, it),
        caps=_under_caps(scenario),
        transients=found,
        trace=trace,
        problems=tuple(
            problem for problem in scenario.evaluation.problems if problem.constraint == "utility limit"
        ),
    )


def _under_caps(scenario: EvaluatedScenario) -> tuple[CapPoint, ...]:
    """From no cap down to the deepest, the design's own among them, all in one evaluation."""
    design = scenario.resolved.design
    own = first_of(design.supernode.accelerator.power_cap)
    steps = np.arange(1, LEAST_CAP - CAP_STEP / 2, -CAP_STEP)
    caps = np.unique(np.round(np.append(steps, own if np.isfinite(own) else 1.0), 6))[::-1]
    held = replace(design, layout=running(design).design.layout)  # a job keeps its layout under a cap
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        sections = evaluate_sections(_capped(held, caps[:, None]))
    columns = {
        "power_cap": caps,
        "step_time_s": _column(sections.performance.step_time_s, caps),
        "it_power_mean_w": _column(sections.power.it_power_mean_w, caps),
        "utility_peak_w": _column(sections.power.utility_peak_w, caps),
        "energy_j_per_step": _energy_of_a_step(sections, caps),
        "energy_j_per_token": np.full(caps.shape, np.nan)
        if sections.power.energy_j_per_token is None
        else _column(sections.power.energy_j_per_token, caps),
    }
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return tuple(CapPoint(**dict(zip(columns, row, strict=True))) for row in rows)


def _energy_of_a_step(sections: Sections, caps: Array) -> Array:
    return _column(sections.power.utility_mean_w * sections.performance.step_time_s, caps)


def _column(figure: Array, caps: Array) -> Array:
    return np.broadcast_to(figure.reshape(-1), caps.shape)


def _capped(design: Design, caps: Array) -> Design:
    """The design with a sample for each cap."""

    def under(supernode: SuperNode) -> SuperNode:
        return replace(supernode, accelerator=replace(supernode.accelerator, power_cap=caps))

    return replace(
        design,
        supernode=under(design.supernode),
        kinds=tuple(replace(kind, supernode=under(kind.supernode)) for kind in design.kinds),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """IT power swing and its mitigation."""

    mean_w: float
    peak_w: float
    trough_w: float
    swing_w: float
    sub_second_peak_w: float
    ramp_limit_w_per_s: float
    ramp_time_s: float
    smoothing_energy_j: float
    swing_after_supplies_w: float
    smoothing_energy_after_supplies_j: float
    generator_step_share: float
    generator_step_limit: float
    step_frequency_hz: float
    flicker_least_hz: float
    flicker_greatest_hz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItReport:
    """IT power of a design."""

    totals: ItTotals
    node: NodeLoad
    parts: tuple[PartLine, ...]
    caps: tuple[CapPoint, ...]
    swing: Swing
    problems: tuple[Problem, ...]


def it_report(answer: ItAnswer) -> ItReport:
    """The answer without what is only drawn."""
    names = [field.name for field in dataclasses.fields(Swing)]
    return ItReport(
        totals=answer.totals,
        node=answer.node,
        parts=answer.parts,
        caps=answer.caps,
        swing=Swing(**{name: first_of(getattr(answer.transients, name)) for name in names}),
        problems=answer.problems,
    )


kw = partial(number, digits=1, per=1e3)
kwh = partial(number, digits=2, per=3.6e6)
share = percents(0)
PARTS = (
    Column("IT power, kW", "label", width=-26),
    Column("Idle", "idle_w", kw, 12),
    Column("At work", "mean_w", kw, 12),
    Column("Peak", "peak_w", kw, 12),
    Column("Rated", "design_w", kw, 12),
    Column("Basis", "basis"),
)
CAPS = (
    Column("Power cap", "power_cap", share, -12),
    Column("Step s", "step_time_s", fixed(3), 10),
    Column("IT mean kW", "it_power_mean_w", kw, 14),
    Column("Utility peak kW", "utility_peak_w", kw, 18),
    Column("J/token", "energy_j_per_token", fixed(3), 12),
)


def it_text(report: ItReport) -> str:
    """Components with their sums, caps, the swing, and what stands in the way."""
    node = report.node
    busy = "" if math.isnan(node.busy_share) else f"; accelerators compute {node.busy_share:.0%} of the step"
    lines = [
        f"Load profile    {node.load_profile}, {node.power_utilisation:.2f} of the rating without a cap{busy}",
        f"One SuperNode   {kw(node.mean_w)} kW at work, {kw(node.peak_w)} at the peak, {kw(node.rating_w)} rated",
        "",
        *text_table(PARTS, report.parts),
        titled_line("Total", report.totals, PARTS[:5]),
        "",
        *text_table(CAPS, report.caps),
        "",
        *_swing(report.swing),
    ]
    if report.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in report.problems)]
    return "\n".join(lines)


def _swing(swing: Swing) -> list[str]:
    held = "within" if swing.generator_step_share <= swing.generator_step_limit else "beyond"
    inside = swing.flicker_least_hz <= swing.step_frequency_hz <= swing.flicker_greatest_hz
    return [
        (
            f"Swing           {kw(swing.swing_w)} kW, from {kw(swing.trough_w)} in a pause to {kw(swing.peak_w)}; "
            f"below a second up to {kw(swing.sub_second_peak_w)} (secondary source, low confidence)"
        ),
        (
            f"Ramp            {kw(swing.ramp_limit_w_per_s)} kW/s: {number(swing.ramp_time_s, 0)} s, "
            f"{kwh(swing.smoothing_energy_j)} kWh of storage; {kwh(swing.smoothing_energy_after_supplies_j)} kWh "
            f"with storage in the power supplies"
        ),
        (
            f"Generators      a step of {share(swing.generator_step_share)} of the site's peak, {held} the "
            f"{share(swing.generator_step_limit)} that a generator takes at once"
        ),
        (
            f"Steps           {number(swing.step_frequency_hz, 3)} per second, "
            f"{'inside' if inside else 'outside'} the band of {swing.flicker_least_hz:g} to "
            f"{swing.flicker_greatest_hz:g} Hz in which a swing disturbs the grid"
        ),
    ]
